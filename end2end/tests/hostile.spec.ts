/** Whatever a job, a worker or a name says is shown as text and does nothing. */
import type { Page } from "@playwright/test";
import { KIND } from "../support/places";
import { expect, test } from "../support/test";

const NASTY = [
  `<script>alert("hostile")</script>`,
  `"><img src=x onerror=alert("hostile")>`,
  `</script><!--<script>alert("hostile")//`,
  `' onfocus='alert("hostile")' autofocus tabindex='0`,
  `javascript:alert("hostile")`,
  `{{7*7}}\${7*7}\u2028`,
];
const ALL = NASTY.join(" ");

/** Fails when anything of what was said became a part of the page. */
async function expectHarmless(page: Page): Promise<void> {
  await expect(page.locator("img[src=x], [onerror], [onfocus], [href^='javascript' i]")).toHaveCount(0);
  const scripts = await page.locator("script").evaluateAll((all) => all.filter((one) => /^\s*alert/.test(one.textContent ?? "")).length);
  expect(scripts, "scripts that came with the data").toBe(0);
  await expect(page.locator("[class='frame']")).toHaveCount(1);
}

test.beforeEach(({ page }) => {
  page.on("dialog", (dialog) => {
    throw new Error(`a dialog opened: ${dialog.message()}`);
  });
});

test("payload, tags, error and backtrace of a job are text", async ({ page, rest, queue, visit }) => {
  const tags = NASTY.map((text) => text.replace("\u2028", "").slice(0, 64).trim());
  const job = { kind: KIND, queue, tags, payload: { [ALL]: [ALL], to: ALL }, max_attempts: 1 };
  const { id } = await rest.deadJob(job, { class: NASTY[0] ?? "", message: ALL, backtrace: ALL });
  await visit(`/jobs/${id}`);
  for (const text of NASTY.slice(0, 5)) await expect(page.getByRole("main")).toContainText(text);
  await expectHarmless(page);

  await visit(`/jobs?queue=${queue}`);
  for (const tag of tags.slice(0, 5)) await expect(page.locator(".chip", { hasText: tag })).toBeVisible();
  await expectHarmless(page);

  await visit("/dead");
  await expect(page.getByRole("main")).toContainText(NASTY[1] ?? "");
  await expectHarmless(page);

  await visit("/");
  await expectHarmless(page);
});

test("result, log and progress of a job are text", async ({ page, rest, queue, visit }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  const job = await rest.claim(queue);
  const { lease_token } = job;
  await rest.call("POST", "/worker/log", { id, lease_token, lines: [{ level: "error", message: ALL }] });
  await rest.call("POST", "/worker/progress", { id, lease_token, percent: 3, message: NASTY[1] });
  await visit(`/jobs/${id}`);
  await expect(page.getByRole("main")).toContainText(NASTY[1] ?? "");
  await expectHarmless(page);

  await rest.finish(job, { outcome: "succeeded", result: { [ALL]: ALL } });
  await visit(`/jobs/${id}`);
  await expect(page.locator(".json").last()).toContainText("{{7*7}}");
  for (const text of NASTY.slice(0, 2)) {
    const written = JSON.stringify(text).slice(1, -1);
    await expect(page.getByRole("main")).toContainText(written);
  }
  await expectHarmless(page);
});

test("the name of a worker is text", async ({ page, rest, queue, visit }) => {
  await rest.enqueue({ kind: KIND, queue });
  const worker = `${NASTY[1]} ${queue}`;
  await rest.call("POST", "/worker/claim", { worker, queues: [queue], max: 1, wait_s: 5, lease_s: 60 });
  await visit("/workers");
  await expect(page.locator("[data-row]").filter({ hasText: queue }).first()).toContainText(worker);
  await expectHarmless(page);
  await page.getByRole("link", { name: worker }).click();
  await expect(page.getByRole("main")).toContainText(worker);
  await expectHarmless(page);
});

test("queue, note of its pause, and schedule are text", async ({ page, rest, queue, visit }) => {
  const name = `${NASTY[1]} ${queue}`;
  const { id } = await rest.enqueue({ kind: KIND, queue: name });
  await rest.pause(name, ALL.replace("\u2028", ""));
  await visit("/queues");
  const row = page.locator("[data-row]").filter({ hasText: queue });
  await expect(row).toContainText(name);
  await expect(row).toContainText(NASTY[0] ?? "");
  await expectHarmless(page);
  await visit(`/jobs/${id}`);
  await expect(page.getByRole("main")).toContainText(name);
  await expectHarmless(page);

  const schedule = `${NASTY[0]} ${queue}`;
  await rest.call("PUT", `/schedules/${encodeURIComponent(schedule)}`, { cron: "0 4 1 1 *", kind: KIND, queue: name });
  await visit("/schedules");
  await page.getByRole("link", { name: schedule, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(schedule);
  await expectHarmless(page);
});

for (const path of ["/jobs?q=", "/jobs?kind=", "/jobs?tag=", "/jobs?queue=", "/jobs/", "/schedules/", "/jobs/new?copy=", "/schedules/new?cron="]) {
  test(`what the address ${path} says is text`, async ({ page, guard, visit }) => {
    guard.allow(/the server responded with a status of 4(00|04|22)/);
    for (const text of NASTY.slice(0, 3)) {
      await visit(path + encodeURIComponent(text));
      await expectHarmless(page);
    }
  });
}

test("a queue called a/b c?д works in every link", async ({ page, rest, visit }) => {
  const name = "a/b c?д";
  const { id } = await rest.enqueue({ kind: KIND, queue: name });
  await visit("/queues");
  const row = page.locator("[data-row]").filter({ has: page.getByText(name, { exact: true }) });
  await row.getByRole("link", { name, exact: true }).click();
  const found = page.locator("[data-row]").filter({ hasText: `#${id}` });
  await expect(found).toContainText(name);

  await visit("/queues");
  await row.locator("[data-label=Ready] a").click();
  await expect(found).toBeVisible();
  await found.getByRole("link").first().click();
  await page.getByRole("main").getByRole("link", { name, exact: true }).first().click();
  await expect(page).toHaveURL(/queue=a%2Fb(%20|\+)c%3F%D0%B4/i);
  await expect(found).toBeVisible();
  await page.getByRole("link", { name: /Remove the filter/ }).first().click();
  await expect(page).not.toHaveURL(/queue=/);

  await rest.pause(name, "");
  await visit("/queues");
  await row.getByRole("button", { name: "Resume" }).click();
  await expect(row.getByRole("button", { name: "Pause" })).toBeVisible();
});
