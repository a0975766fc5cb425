/** Queues: a pause that is explained where it hurts, and a purge that asks first. */
import type { Page } from "@playwright/test";
import { rowOf, told, why } from "../support/page";
import { LANGUAGES, prefer } from "../support/preferences";
import { expect, test } from "../support/test";

const KIND = "end2end.work";
const NOTE = "the SMTP server moves <today>";

async function pause(page: Page, queue: string, note: string): Promise<void> {
  await rowOf(page, queue).getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: `Pause ${queue}` });
  await dialog.getByLabel("Note for others").fill(note);
  await dialog.getByRole("button", { name: "Pause" }).click();
}

test("a job in a paused queue says who paused it and why, until the queue is resumed", async ({
  page,
  visit,
  rest,
  queue,
}) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  await pause(page, queue, NOTE);
  await expect(told(page)).toContainText(`The queue ${queue} is paused.`);
  const row = rowOf(page, queue);
  await expect(row).toContainText("Paused by");
  await expect(row).toContainText(NOTE);
  const { paused } = await rest.call<{ paused: { by: string; note: string } }>("GET", `/queues/${queue}`);
  expect(paused.note).toBe(NOTE);

  await visit(`/jobs/${id}`);
  await expect(why(page)).toContainText(`The queue ${queue} was paused by ${paused.by}: “${NOTE}”.`);
  await why(page).getByRole("link", { name: "See what holds it" }).click();
  await expect(page).toHaveURL(/\/queues/);
  await rowOf(page, queue).getByRole("button", { name: "Resume" }).click();
  await expect(told(page)).toContainText(`The queue ${queue} gives out jobs again.`);
  await expect(rowOf(page, queue)).not.toContainText("Paused");

  await visit(`/jobs/${id}`);
  await expect(why(page)).toBeVisible();
  await expect(why(page)).not.toContainText("paused");
  expect((await rest.claim(queue)).id).toBe(id);
});

test("a paused queue gives out nothing, and what runs goes on", async ({ page, visit, rest, queue }) => {
  await rest.enqueueMany({ kind: KIND, queue }, 2);
  const running = await rest.claim(queue);
  await visit("/queues");
  await pause(page, queue, "");
  await expect(told(page)).toContainText("is paused");
  const ask = { worker: "end2end", queues: [queue], max: 1, wait_s: 0, lease_s: 60 };
  expect(await rest.call("POST", "/worker/claim", ask)).toMatchObject({ jobs: [] });
  await rest.finish(running, { outcome: "succeeded" });
  expect(await rest.statesIn(queue)).toEqual({ ready: 1, succeeded: 1 });
});

test("a pause may end by itself", async ({ page, visit, rest, queue }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  await rowOf(page, queue).getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: `Pause ${queue}` });
  await dialog.getByLabel("Resume by itself").selectOption("After 15 minutes");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(rowOf(page, queue)).toContainText("resumes");
  const { paused } = await rest.call<{ paused: { until: string } }>("GET", `/queues/${queue}`);
  const minutes = (Date.parse(paused.until) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(13);
  expect(minutes).toBeLessThan(15.5);
});

test("the row counts the jobs of its queue and leads to them", async ({ page, visit, rest, queue }) => {
  await rest.deadJob({ kind: KIND, queue }, { class: "E", message: "m" });
  await rest.enqueueMany({ kind: KIND, queue }, 3);
  await rest.enqueue({ kind: KIND, queue, delay_s: 900 });
  await rest.claim(queue);
  await visit("/queues");
  const counts = rowOf(page, queue).locator("td.number a");
  await expect(counts).toHaveText(["2", "1", "1", "0", "1"]);
  await counts.nth(0).click();
  await expect(page).toHaveURL(new RegExp(`/jobs\\?.*queue=${queue}`));
  await expect(page.locator('tr[data-row][data-state="ready"]')).toHaveCount(2);
});

test("a purge wants the name of the queue and deletes only what waits", async ({
  page,
  visit,
  rest,
  queue,
  guard,
}) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  await rest.deadJob({ kind: KIND, queue }, { class: "E", message: "m" });
  await rest.enqueueMany({ kind: KIND, queue }, 4);
  await rest.enqueue({ kind: KIND, queue, delay_s: 900 });
  await rest.finish(await rest.claim(queue), { outcome: "succeeded" });
  const failure = { class: "E", message: "again" };
  await rest.finish(await rest.claim(queue), { outcome: "failed", error: failure, retry_in_s: 900 });
  const running = await rest.claim(queue);
  const before = { dead: 1, succeeded: 1, running: 1, ready: 1, retrying: 1, scheduled: 1 };
  expect(await rest.statesIn(queue)).toEqual(before);

  const dialog = page.getByRole("dialog", { name: `Purge ${queue}` });
  const purge = async (typed: string) => {
    await visit("/queues");
    await rowOf(page, queue).getByRole("button", { name: "Purge…" }).click();
    await expect(dialog).toContainText("Deletes 3 waiting jobs for good");
    await dialog.getByLabel("Type the queue's name to confirm").fill(typed);
    await dialog.getByRole("button", { name: "Delete waiting jobs" }).click();
  };
  await purge(`${queue}x`);
  await expect(page.getByRole("alert").first()).toBeVisible();
  expect(await rest.statesIn(queue), "a wrong name deletes nothing").toEqual(before);
  await purge(queue);
  await expect(told(page)).toContainText(`The queue ${queue} is purged: 3 jobs deleted.`);
  expect(await rest.statesIn(queue)).toEqual({ dead: 1, succeeded: 1, running: 1 });
  await rest.finish(running, { outcome: "succeeded" });
});

test("what can be done with a queue lies within the window, however wide", async ({ page, visit, rest, queue, server }) => {
  await rest.enqueue({ kind: KIND, queue });
  await rest.pause(queue, "the bank changes its certificate; resume when they say so");
  for (const lang of LANGUAGES) {
    await prefer(page, server, { lang });
    await visit("/queues");
    for (const width of [820, 1001, 1024, 1181, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const button of await rowOf(page, queue).locator(".row-buttons > .action .button, .row-buttons > .button").all()) {
        const place = await button.boundingBox();
        expect((place?.x ?? 0) + (place?.width ?? 0), `${lang} at ${width}`).toBeLessThanOrEqual(width);
      }
    }
  }
});
