/** Schedules: made, edited, run, paused, and removed. */
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

test("a schedule is made, and then edited", async ({ page, visit, rest, queue }) => {
  const name = `nightly-${queue}`;
  await visit("/schedules/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Kind", { exact: true }).fill(KIND);
  await page.getByLabel("Payload (JSON)").fill('{"n":9223372036854775807}');
  await page.getByLabel("Queue", { exact: true }).fill(queue);
  await page.getByLabel("Cron expression").fill("0 3 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
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
