/** What a page shows without being loaded again. */
import type { Page } from "@playwright/test";
import { idsIn, pick, rowOf, stateOf, why } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

/** Fails unless the page is still the one that was opened: a reload would lose the mark. */
async function mark(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  return async () => {
    const same = await page.evaluate(() => "sameDocument" in globalThis);
    expect(same, "the page was not loaded again").toBe(true);
  };
}

/** Waits until changes arrive. */
async function live(page: Page): Promise<void> {
  await expect(page.locator(".live-mark")).toHaveText("Live");
}

test("a new job appears in the list", async ({ page, visit, rest, queue }) => {
  const { id: first } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await live(page);
  const same = await mark(page);
  await page.mouse.move(2, 2);
  expect(await idsIn(page)).toEqual([first]);
  const { id: second } = await rest.enqueue({ kind: KIND, queue });
  await expect.poll(() => idsIn(page)).toEqual([second, first]);
  await expect(page.getByText("2 jobs match")).toBeVisible();
  await same();
});

test("a job's page follows the job from ready to its end", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}`);
  await live(page);
  const same = await mark(page);
  await expect(stateOf(page)).toHaveText("Ready");
  const job = await rest.claim(queue);
  await expect(stateOf(page)).toHaveText("Running");
  await expect(why(page)).toContainText("end2end");
  const progress = { id, lease_token: job.lease_token, percent: 40, message: "two of five" };
  await rest.call("POST", "/worker/progress", progress);
  await expect(why(page)).toContainText("two of five");
  await rest.finish(job, { outcome: "succeeded", result: { sent: 5 } });
  await expect(stateOf(page)).toHaveText("Succeeded");
  await expect(page.getByRole("heading", { name: "Result" })).toBeVisible();
  await expect(page.locator("#attempt-1")).toContainText("Succeeded");
  await same();
});

test("the counts of the overview change", async ({ page, visit, rest, queue }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/");
  await live(page);
  const same = await mark(page);
  const dead = page.locator("a.tile").filter({ hasText: "Dead letter" }).locator("b");
  const before = Number(await dead.innerText());
  await rest.finish(await rest.claim(queue), { outcome: "dead", error: { class: "E", message: "m" } });
  await expect(dead).toHaveText(String(before + 1));
  await same();
});

test("the counts of a queue change", async ({ page, visit, rest, queue }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  await live(page);
  const same = await mark(page);
  const counts = rowOf(page, queue).locator("td.number a");
  await expect(counts).toHaveText(["1", "0", "0", "0", "0"]);
  await rest.enqueue({ kind: KIND, queue });
  await rest.claim(queue);
  await expect(counts).toHaveText(["1", "1", "0", "0", "0"]);
  await rest.pause(queue, "for a while");
  await expect(rowOf(page, queue)).toContainText("for a while");
  await same();
});

test("rows hold still while one is picked, and what was kept back is shown on demand", async ({
  page,
  visit,
  rest,
  queue,
}) => {
  const [first, second] = await rest.enqueueMany({ kind: KIND, queue }, 2);
  await visit(`/jobs?queue=${queue}`);
  await live(page);
  await pick(page, first);
  await page.mouse.move(2, 2);
  const { id: third } = await rest.enqueue({ kind: KIND, queue });
  const pill = page.locator("button.kept-back");
  await expect(pill).toContainText("show");
  expect(await idsIn(page)).toEqual([second, first]);
  await expect(page.getByText("1 selected")).toBeVisible();
  await pill.click();
  await expect.poll(() => idsIn(page)).toEqual([third, second, first]);
  await expect(pill).toHaveCount(0);
});

test("a cause that is gone keeps its place while the mouse is over the list", async ({ page, visit, rest, queue }) => {
  const kinds = [`mail.${queue}`, `call.${queue}`];
  for (const kind of kinds) await rest.deadJob({ kind, queue }, { class: "E", message: `gone from ${kind}` });
  await visit("/dead");
  await live(page);
  const rows = page.locator("tr[data-row]").filter({ hasText: queue });
  await expect(rows).toHaveCount(2);
  const [first, second] = [rows.nth(0), rows.nth(1)];
  await first.hover();
  const before = await second.boundingBox();
  await first.getByRole("button", { name: "Retry all" }).click();
  await expect(first.locator("a.figure")).toHaveText("0");
  await expect(first.locator(".buttons"), "nothing can be done with it").toHaveAttribute("inert");
  expect((await second.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.mouse.move(2, 2);
  await expect(rows).toHaveCount(1);
});
