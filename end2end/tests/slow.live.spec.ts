/** Pages whose answers take longer than a tick of the clock: what is shown meanwhile must stay alive. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { alone } from "../support/alone";
import { rowOf, stateOf } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

/** Longer than two ticks of the page's clock. */
const SLOW_MS = 2_500;

/** Holds back every answer from now on. */
async function slowly(page: Page): Promise<void> {
  await expect(page.locator(".live-mark")).toHaveText("Live");
  await page.route("**/rpc/**", async (route) => {
    await pause(SLOW_MS);
    await route.continue();
  });
}

test("a job's page lives on while it is read again", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}`);
  await slowly(page);
  const job = await rest.claim(queue);
  await expect(stateOf(page)).toHaveText("Running");
  await rest.finish(job, { outcome: "succeeded" });
  await expect(stateOf(page)).toHaveText("Succeeded");
});

test("an action on a job's page ends well though the answer is slow", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue, delay_s: 900 });
  await visit(`/jobs/${id}`);
  await slowly(page);
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText(`Job #${id} is due now.`)).toBeVisible({ timeout: 15_000 });
  await expect(stateOf(page)).toHaveText("Ready");
});

test("the list of jobs lives on while it is read again", async ({ page, visit, rest, queue }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await slowly(page);
  await page.mouse.move(2, 2);
  await rest.enqueue({ kind: KIND, queue });
  await expect(page.locator("tr[data-row]")).toHaveCount(2);
});

test("the overview lives on while it is read again", async ({ page, visit, queue }) => {
  await alone(page, async (server, rest) => {
    await rest.deadJob({ kind: KIND, queue }, { class: "E", message: "m" });
    await visit(server.url);
    await slowly(page);
    await rest.enqueue({ kind: KIND, queue });
    await rest.pause(queue, "for a while");
    await expect(page.getByText("for a while").first()).toBeVisible({ timeout: 15_000 });
    await page.unrouteAll({ behavior: "wait" });
  });
});

test("queues and schedules live on while they are read again", async ({ page, visit, rest, queue }) => {
  const name = `tick-${queue}`;
  await rest.call("PUT", `/schedules/${name}`, { cron: "0 3 * * *", timezone: "UTC", kind: KIND, queue });
  await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  await slowly(page);
  await rest.pause(queue, "for a while");
  await expect(rowOf(page, queue)).toContainText("for a while");
  await page.unrouteAll({ behavior: "wait" });
  await visit(`/schedules/${name}`);
  await slowly(page);
  await rest.call("POST", `/schedules/${name}/pause`, {});
  await expect(page.locator(".page-head .state-mark")).toContainText("Paused");
});

test("the slots of a schedule live on when they change while they are read", async ({ page, visit, rest, queue }) => {
  const name = `tick-${queue}`;
  // A slot each second: one reading follows at once upon the other, and the clock ticks meanwhile.
  await rest.call("PUT", `/schedules/${name}`, { cron: "* * * * * *", timezone: "UTC", kind: KIND, queue });
  await visit(`/schedules/${name}`);
  const slots = page.locator(".slot-list tr[data-row]");
  await expect(slots).not.toHaveCount(0);
  await slowly(page);
  const shown = await slots.count();
  await expect.poll(() => slots.count()).toBeGreaterThan(shown + 3);
  await rest.call("DELETE", `/schedules/${name}`);
});

test("a job that is deleted is not read again, however late its deletion is answered", async ({
  page,
  visit,
  rest,
  queue,
}) => {
  const { id } = await rest.deadJob({ kind: KIND, queue }, { class: "E", message: "m" });
  await visit(`/jobs/${id}`);
  await expect(page.locator(".live-mark")).toHaveText("Live");
  // The stream tells of the deletion while its answer is under way.
  await page.route("**/rpc/act", async (route) => {
    const answer = await route.fetch();
    await pause(SLOW_MS);
    await route.fulfill({ response: answer });
  });
  const read: string[] = [];
  page.on("request", (request) => read.push(new URL(request.url()).pathname));
  await page.locator("details.menu > summary").click();
  await page.getByRole("button", { name: "Delete…" }).click();
  read.length = 0;
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.getByText(`Job #${id} is deleted.`)).toBeVisible();
  expect(read).not.toContain("/rpc/job");
});
