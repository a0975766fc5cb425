/** What an expression means, or what is wrong with it, before its schedule is saved. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/test";

const KIND = "end2end.tick";

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
    await expect(first.locator(".own-clock")).toHaveText(`${day} ${clock}`);
    await expect(preview(page).locator("th").first()).toContainText("Europe/Berlin");
    const utc = new Date(change.getTime() - (month === 10 ? 30 * 60_000 : 0)).toISOString();
    await expect(first.locator(".second-clock")).toHaveText(`${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC`);
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
