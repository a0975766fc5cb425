/** Schedules: what an expression means before it is saved, and what can be done with a schedule. */
import type { Page } from "@playwright/test";
import { rowOf, told } from "../support/page";
import type { Rest } from "../support/rest";
import { expect, test } from "../support/test";

const KIND = "end2end.tick";

interface Schedule {
  cron: string;
  timezone: string;
  kind: string;
  queue: string;
  paused: boolean;
}

const read = (rest: Rest, name: string) => rest.call<Schedule>("GET", `/schedules/${name}`);

/** The next last Sunday of a month (from 1) at an hour of UTC: when Berlin's clocks change. */
function nextChange(month: number): Date {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const end = new Date(Date.UTC(year, month, 0, 1));
    end.setUTCDate(end.getUTCDate() - end.getUTCDay());
    if (end.getTime() > Date.now()) return end;
  }
}

const preview = (page: Page) => page.locator("section.preview");

/** Types an expression and has its meaning shown: as it is typed with scripts, by the button without. */
async function check(page: Page, scripts: boolean, cron: string, zone: string): Promise<void> {
  await page.getByLabel("Cron expression").fill(cron);
  await page.getByLabel("Time zone").fill(zone);
  if (!scripts) await page.getByRole("button", { name: "Check" }).click();
}

for (const { season, month, clock, note } of [
  { season: "in spring", month: 3, clock: "03:00:00 +02:00", note: /02:30|does not exist|jump/i },
  { season: "in autumn", month: 10, clock: "02:30:00 +02:00", note: /02:30|twice/i },
]) {
  test(`the preview shows the change of the clock ${season}`, async ({ page, visit, scripts }) => {
    const change = nextChange(month);
    const day = change.toISOString().slice(0, 10);
    await visit("/schedules/new");
    await check(page, scripts, `30 2 ${change.getUTCDate()} ${month} *`, "Europe/Berlin");
    const first = preview(page).locator("table.fires tbody tr").first();
    await expect(first.locator("td").nth(0)).toHaveText(`${day} ${clock}`);
    await expect(preview(page).locator("th").first()).toContainText("Europe/Berlin");
    const utc = new Date(change.getTime() - (month === 10 ? 30 * 60_000 : 0)).toISOString();
    await expect(first.locator("td").nth(1)).toHaveText(`${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC`);
    await expect(preview(page).locator(".cron-notes")).toContainText(note);
    await expect(preview(page).locator(".cron-notes")).toContainText(day);
    await expect(preview(page).locator("table.fires tbody tr")).toHaveCount(10);
    await expect(preview(page).locator(".meaning")).toContainText("2:30");
  });
}

test("a bad expression names the fault and keeps what was typed", async ({
  page,
  visit,
  rest,
  queue,
  guard,
  scripts,
}) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  const typed = { Name: `bad-${queue}`, Kind: KIND, "Payload (JSON)": '{"a":\n 1}', Queue: queue, Attempts: "3" };
  await visit("/schedules/new");
  for (const [label, value] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("Jitter, seconds").fill("7");
  await page.getByLabel("Slots missed while nothing ran").selectOption("let them go");
  await check(page, scripts, "15 25 * * *", "Europe/Berlin");
  await expect(preview(page)).toContainText(/character 4/);
  await expect(preview(page)).toContainText(/hour/i);
  await expect(preview(page).locator("mark")).toHaveText("2");
  await page.getByRole("button", { name: "Make the schedule" }).click();
  await expect(page.getByText("Nothing was saved.")).toBeVisible();
  await expect(page.locator("#cron-fault")).toContainText(/hour/i);
  for (const [label, value] of Object.entries(typed)) {
    await expect(page.getByLabel(label, { exact: true }), label).toHaveValue(value);
  }
  await expect(page.getByLabel("Cron expression")).toHaveValue("15 25 * * *");
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
  await expect(page.getByLabel("Jitter, seconds")).toHaveValue("7");
  await expect(page.getByLabel("Slots missed while nothing ran")).toHaveValue("skip");
  expect(await rest.status(`/schedules/bad-${queue}`)).toBe(404);
});

test("the 30th of February is said never to come", async ({ page, visit, rest, queue, guard, scripts }) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  await visit("/schedules/new");
  await page.getByLabel("Name", { exact: true }).fill(`never-${queue}`);
  await page.getByLabel("Kind", { exact: true }).fill(KIND);
  await check(page, scripts, "0 0 30 2 *", "UTC");
  await expect(preview(page)).toContainText(/no such date exists/i);
  await expect(preview(page)).toContainText("February has 28 or 29 days");
  await expect(preview(page).getByRole("button"), "a sentence is no expression to take over").toHaveCount(0);
  await expect(preview(page).locator("table.fires")).toHaveCount(0);
  await page.getByRole("button", { name: "Make the schedule" }).click();
  await expect(page.getByText("Nothing was saved.")).toBeVisible();
  expect(await rest.status(`/schedules/never-${queue}`)).toBe(404);
});

test("a schedule is made, and then edited", async ({ page, visit, rest, queue, scripts }) => {
  const name = `nightly-${queue}`;
  await visit("/schedules/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Kind", { exact: true }).fill(KIND);
  await page.getByLabel("Payload (JSON)").fill('{"n":9223372036854775807}');
  await page.getByLabel("Queue", { exact: true }).fill(queue);
  await check(page, scripts, "0 3 * * *", "Europe/Berlin");
  await expect(preview(page).locator(".meaning")).toContainText("3:00");
  await page.getByRole("button", { name: "Make the schedule" }).click();
  await expect(told(page)).toContainText(`The schedule ${name} is saved.`);
  await expect(page).toHaveURL(new RegExp(`/schedules/${name}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await read(rest, name)).toMatchObject({ cron: "0 3 * * *", timezone: "Europe/Berlin", kind: KIND, queue });
  expect(await rest.text(`/schedules/${name}`)).toContain('"payload":{"n":9223372036854775807}');

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByLabel("Cron expression")).toHaveValue("0 3 * * *");
  await expect(page.getByLabel("Name", { exact: true })).not.toBeEditable();
  await page.getByLabel("Cron expression").fill("45 4 * * 1");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(told(page)).toContainText(`The schedule ${name} is saved.`);
  await expect(page.locator(".page-head code")).toHaveText("45 4 * * 1");
  expect(await read(rest, name)).toMatchObject({ cron: "45 4 * * 1", kind: KIND });
  await visit("/schedules");
  await expect(rowOf(page, name)).toContainText("45 4 * * 1");
  await expect(rowOf(page, name)).toContainText(/Monday/);
});

test("a schedule runs now, pauses, resumes, and is removed", async ({ page, visit, rest, queue }) => {
  const name = `tick-${queue}`;
  const spec = { cron: "0 3 1 1 *", timezone: "UTC", kind: KIND, queue };
  await rest.call("PUT", `/schedules/${name}`, spec);
  await visit(`/schedules/${name}`);
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(told(page)).toContainText(`The schedule ${name} has enqueued job #`);
  const jobs = await rest.jobsIn(queue);
  expect(jobs).toHaveLength(1);
  expect(jobs[0]).toMatchObject({ kind: KIND, schedule: name, state: "ready" });
  await visit(`/jobs/${jobs[0]?.id}`);
  await page.getByRole("link", { name: `by the schedule ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/schedules/${name}$`));

  const mark = page.locator(".page-head .state-mark");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(mark).toContainText("Paused");
  expect((await read(rest, name)).paused).toBe(true);
  await visit("/schedules");
  await rowOf(page, name).getByRole("button", { name: "Resume" }).click();
  await expect(rowOf(page, name)).toContainText("On");
  expect((await read(rest, name)).paused).toBe(false);

  await visit(`/schedules/${name}`);
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await rest.status(`/schedules/${name}`), "the question removes nothing").toBe(200);
  await page.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).toHaveURL(/\/schedules$/);
  await expect(rowOf(page, name)).toHaveCount(0);
  expect(await rest.status(`/schedules/${name}`)).toBe(404);
  expect(await rest.jobsIn(queue), "its jobs stay").toHaveLength(1);
});
