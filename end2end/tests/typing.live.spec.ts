/** What a person types is left alone by what happens meanwhile. */
import { rowOf, stateOf } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

test("an edit form is not drawn again while its job changes", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue, delay_s: 900 });
  await visit(`/jobs/${id}?edit=1`);
  await expect(page.locator(".live-mark")).toHaveText("Live");
  const payload = page.getByLabel("Payload", { exact: true });
  await payload.fill('{"half":');
  await payload.evaluate((area) => Object.assign(area, { sameElement: true }));
  await rest.call("POST", `/jobs/${id}/run`);
  await expect(stateOf(page)).toHaveText("Ready");
  await expect(payload).toHaveValue('{"half":');
  await expect(payload).toBeFocused();
  expect(await payload.evaluate((area) => "sameElement" in area)).toBe(true);
});

test("a note being typed stays while the queues change", async ({ page, visit, rest, queue }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  await expect(page.locator(".live-mark")).toHaveText("Live");
  const row = rowOf(page, queue);
  await row.getByRole("button", { name: "Pause" }).click();
  const note = page.getByRole("dialog", { name: `Pause ${queue}` }).getByLabel("Note for others");
  await note.fill("half a sen");
  await rest.enqueueMany({ kind: KIND, queue }, 3);
  await rest.enqueue({ kind: KIND, queue: `${queue}-new` });
  await expect(row.locator("td.number a").first()).toHaveText("4");
  await expect(note).toHaveValue("half a sen");
  await expect(note).toBeFocused();
});

test("a schedule being written stays while the stream comes back", async ({ page, visit, rest, queue }) => {
  await visit("/schedules/new");
  const liveMark = page.locator(".live-mark");
  await expect(liveMark).toHaveText("Live");
  await page.getByLabel("Name", { exact: true }).fill(`half-${queue}`);
  await page.getByLabel("Slots missed while nothing ran").selectOption("let them go");
  const cron = page.getByLabel("Cron expression");
  await cron.fill("15 4 * * 2");
  await expect(page.locator(".meaning")).toContainText("Tuesday");
  await cron.evaluate((field) => Object.assign(field, { sameElement: true }));
  await liveMark.click();
  await expect(liveMark).toHaveText("Paused");
  await liveMark.click();
  await expect(liveMark).toHaveText("Live");
  await rest.call("PUT", `/schedules/other-${queue}`, { cron: "0 3 * * *", timezone: "UTC", kind: KIND });
  await page.getByLabel("Jitter, seconds").fill("3");
  await expect(page.getByRole("link", { name: /^Schedules \d/ })).not.toHaveText(/\b0$/);
  await expect(page.locator(".meaning")).toContainText("Tuesday");
  await expect(cron).toHaveValue("15 4 * * 2");
  await expect(page.getByLabel("Slots missed while nothing ran")).toHaveValue("skip");
  expect(await cron.evaluate((field) => "sameElement" in field), "the form is the same one").toBe(true);
});
