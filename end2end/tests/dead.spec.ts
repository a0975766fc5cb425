/** Jobs that fail: their attempts, the dead letter by cause, and what a person does about it. */
import type { Page } from "@playwright/test";
import { stateOf, told, why } from "../support/page";
import type { Rest } from "../support/rest";
import { expect, test } from "../support/test";

const DOWN = { class: "SmtpError", message: "the mail server is away" };

/** Dead jobs of one cause that no other test shares. */
async function deadJobs(rest: Rest, queue: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const { id, state } = await rest.deadJob({ kind: `mail.${queue}`, queue, payload: { i } }, DOWN);
    expect(state).toBe("dead");
    ids.push(id);
  }
  return ids;
}

/** The row of the cause. */
const causeOf = (page: Page, queue: string) => page.locator("tr[data-row]").filter({ hasText: `mail.${queue}` });

test("a failing job shows its attempts, newest first, until it is dead", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: "end2end.work", queue, max_attempts: 2 });
  const first = { class: "Timeout", message: "no answer in 5 s", backtrace: "at first_place" };
  await rest.finish(await rest.claim(queue), { outcome: "failed", error: first, retry_in_s: 3600 });
  await visit(`/jobs/${id}`);
  await expect(stateOf(page)).toHaveText("Retrying");
  await expect(why(page)).toContainText("attempt 1 failed with Timeout");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(told(page)).toContainText(`Job #${id} is due now.`);
  const second = { class: "Refused", message: "connection refused <b>" };
  await rest.finish(await rest.claim(queue), { outcome: "failed", error: second });
  await visit(`/jobs/${id}`);
  await expect(stateOf(page)).toHaveText("Dead");
  await expect(why(page)).toContainText("Refused: connection refused <b>");
  const attempts = page.locator("ol.attempts > li");
  await expect(attempts).toHaveCount(2);
  await expect(attempts.nth(0)).toContainText("Attempt 2");
  await expect(attempts.nth(0)).toContainText("Refused: connection refused <b>");
  await expect(attempts.nth(1)).toContainText("Attempt 1");
  await expect(attempts.nth(1)).toContainText("Timeout: no answer in 5 s");
  await expect(attempts.nth(1).getByText("at first_place")).toBeHidden();
  await attempts.nth(1).getByText("Backtrace").click();
  await expect(attempts.nth(1).getByText("at first_place")).toBeVisible();
});

test("dead jobs of one cause are one row, and lead to the jobs", async ({ page, visit, rest, queue }) => {
  const ids = await deadJobs(rest, queue, 3);
  await rest.deadJob({ kind: `mail.${queue}`, queue }, { class: "Other", message: "another fault" });
  await visit("/dead");
  const row = causeOf(page, queue).filter({ hasText: DOWN.message });
  await expect(causeOf(page, queue)).toHaveCount(2);
  await expect(row).toContainText(DOWN.class);
  await expect(row.locator("a.figure")).toHaveText("3");
  await row.getByRole("link", { name: DOWN.message }).click();
  await expect(page).toHaveURL(/\/jobs\?.*state=dead/);
  await expect(page.locator("tr[data-row]")).toHaveCount(3);
  for (const id of ids) await expect(page.getByText(`#${id}`, { exact: true })).toBeVisible();
});

test("one job of a group is retried, runs, and leaves it", async ({ page, visit, rest, queue }) => {
  const ids = await deadJobs(rest, queue, 2);
  await visit("/dead");
  const row = causeOf(page, queue);
  const sample = Number((await row.locator("a.id").innerText()).slice(1));
  expect(ids).toContain(sample);
  await row.getByRole("button", { name: `Retry job #${sample}` }).click();
  await expect(told(page)).toContainText(`Job #${sample} gets another attempt.`);
  await expect(row.locator("a.figure")).toHaveText("1");
  const job = await rest.claim(queue);
  expect(job.id).toBe(sample);
  await rest.finish(job, { outcome: "succeeded" });
  await visit(`/jobs/${sample}`);
  await expect(stateOf(page)).toHaveText("Succeeded");
  await expect(page.locator("ol.attempts > li")).toHaveCount(2);
  expect(await rest.statesIn(queue)).toEqual({ dead: 1, succeeded: 1 });
});

test("a group is retried, runs, and is gone", async ({ page, visit, rest, queue }) => {
  const ids = await deadJobs(rest, queue, 3);
  await visit("/dead");
  const row = causeOf(page, queue);
  await row.getByRole("button", { name: "Retry all" }).click();
  await expect(told(page)).toContainText("3 jobs get another attempt.");
  await page.mouse.move(0, 0);
  await expect(row).toHaveCount(0);
  expect(await rest.statesIn(queue)).toEqual({ ready: 3 });
  const ran: number[] = [];
  for (let i = 0; i < 3; i++) {
    const job = await rest.claim(queue);
    await rest.finish(job, { outcome: "succeeded" });
    ran.push(job.id);
  }
  expect(ran.sort((a, b) => a - b)).toEqual(ids);
  await visit(`/jobs?queue=${queue}`);
  await expect(page.locator('tr[data-row][data-state="succeeded"]')).toHaveCount(3);
});

test("deleting a group asks first", async ({ page, visit, rest, queue }) => {
  const ids = await deadJobs(rest, queue, 2);
  await visit("/dead");
  const row = causeOf(page, queue);
  const dialog = page.getByRole("dialog", { name: "Delete these dead jobs?" });
  await row.getByRole("button", { name: "Delete…" }).click();
  await expect(dialog).toContainText("2 jobs of this cause go for good");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  expect(await rest.statesIn(queue), "closing the question deletes nothing").toEqual({ dead: 2 });
  await row.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete 2 jobs" }).click();
  await expect(told(page)).toContainText("2 jobs are deleted.");
  await page.mouse.move(0, 0);
  await expect(row).toHaveCount(0);
  for (const id of ids) expect(await rest.status(`/jobs/${id}`)).toBe(404);
});

test("deleting a job asks first", async ({ page, visit, rest, queue }) => {
  const [id] = await deadJobs(rest, queue, 1);
  await visit(`/jobs/${id}`);
  const dialog = page.getByRole("dialog", { name: `Delete job #${id}?` });
  const ask = async () => {
    await page.locator("details.menu > summary").click();
    await page.getByRole("button", { name: "Delete…" }).click();
  };
  await ask();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  expect(await rest.status(`/jobs/${id}`)).toBe(200);
  await visit(`/jobs/${id}`);
  await ask();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(told(page)).toContainText(`Job #${id} is deleted.`);
  expect(await rest.status(`/jobs/${id}`)).toBe(404);
});
