/** The list of jobs: its address, its pages, and what is done with several jobs at once. */
import type { Page } from "@playwright/test";
import { idsIn, pick, told } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

/** Does something with the picked jobs: by the bar that appears with scripts, by the plain choice without. */
async function doWithPicked(page: Page, scripts: boolean, action: string, sure = false): Promise<void> {
  if (scripts) {
    const bar = page.getByRole("region", { name: "Selected jobs" });
    await bar.getByRole("button", { name: action }).click();
    if (sure) await page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
  } else {
    await page.getByLabel("With the selected jobs").selectOption(action);
    if (sure) await page.getByLabel("Yes, discard or delete them").check();
    await page.getByRole("button", { name: "Apply" }).click();
  }
}

test("the filter is the address: it survives reload, back, and being shared", async ({
  page,
  visit,
  rest,
  queue,
  context,
}) => {
  const { id: dead } = await rest.deadJob({ kind: KIND, queue, tags: ["vip"] }, { class: "E", message: "m" });
  const { id: vip } = await rest.enqueue({ kind: KIND, queue, tags: ["vip"] });
  const { id: other } = await rest.enqueue({ kind: "end2end.other", queue });
  await visit("/jobs");
  await page.getByLabel("Queue", { exact: true }).fill(queue);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`queue=${queue}`));
  await expect.poll(() => idsIn(page)).toEqual([other, vip, dead]);
  await page.getByLabel("Tag", { exact: true }).fill("vip");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect.poll(() => idsIn(page)).toEqual([vip, dead]);
  await page.getByRole("navigation", { name: "States" }).getByRole("link", { name: "Dead" }).click();
  await expect(page).toHaveURL(/state=dead/);
  await expect.poll(() => idsIn(page)).toEqual([dead]);
  const shared = page.url();

  await page.reload();
  await expect.poll(() => idsIn(page)).toEqual([dead]);
  await expect(page.getByLabel("Tag", { exact: true })).toHaveValue("vip");
  await expect(page.locator(".tabs [aria-current]")).toContainText("Dead");
  await page.goBack();
  await expect.poll(() => idsIn(page)).toEqual([vip, dead]);
  await page.goBack();
  await expect.poll(() => idsIn(page)).toEqual([other, vip, dead]);
  await expect(page.getByLabel("Tag", { exact: true })).toHaveValue("");

  const friend = await context.newPage();
  await friend.goto(shared);
  await expect.poll(() => idsIn(friend)).toEqual([dead]);
  await friend.getByRole("link", { name: "Remove the filter tag: vip" }).click();
  await expect(friend).not.toHaveURL(/tag=/);
  await expect(friend).toHaveURL(new RegExp(`queue=${queue}`));
});

test("older and newer pages hold each job once, whatever comes in meanwhile", async ({ page, visit, rest, queue }) => {
  const ids = (await rest.enqueueMany({ kind: KIND, queue }, 55)).reverse();
  await visit(`/jobs?queue=${queue}`);
  await expect(page.getByText("55 jobs match")).toBeVisible();
  expect(await idsIn(page)).toEqual(ids.slice(0, 50));
  const pager = page.getByRole("navigation", { name: "Pages of the list" });
  await expect(pager.getByRole("link", { name: "Newer" })).toHaveCount(0);
  await rest.enqueueMany({ kind: KIND, queue }, 2);
  await pager.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/after=/);
  await expect.poll(() => idsIn(page)).toEqual(ids.slice(50));
  await expect(pager.getByRole("link", { name: "Older" })).toHaveCount(0);
  await pager.getByRole("link", { name: "Newer" }).click();
  await expect(page).toHaveURL(/before=/);
  await expect.poll(() => idsIn(page)).toEqual(ids.slice(0, 50));
  await expect(pager.getByRole("link", { name: "Newer" })).toHaveCount(1);
});

test("only the picked jobs are cancelled", async ({ page, visit, rest, queue, scripts }) => {
  const [a, b, c, d] = await rest.enqueueMany({ kind: KIND, queue }, 4);
  await visit(`/jobs?queue=${queue}`);
  for (const id of [b, d]) await pick(page, id);
  if (scripts) await expect(page.getByText("2 selected")).toBeVisible();
  await doWithPicked(page, scripts, "Cancel");
  await expect(told(page)).toContainText("2 jobs are called off.");
  const states = new Map((await rest.jobsIn(queue)).map((job) => [job.id, job.state]));
  expect([a, b, c, d].map((id) => states.get(id ?? 0))).toEqual(["ready", "cancelled", "ready", "cancelled"]);
});

test("only the picked jobs are retried", async ({ page, visit, rest, queue, scripts }) => {
  const error = { class: "E", message: "m" };
  const dead: number[] = [];
  for (let i = 0; i < 3; i++) dead.push((await rest.deadJob({ kind: KIND, queue }, error)).id);
  await visit(`/jobs?state=dead&queue=${queue}`);
  await pick(page, dead[0]);
  await doWithPicked(page, scripts, "Retry");
  await expect(told(page)).toContainText("1 job gets another attempt.");
  expect((await rest.claim(queue)).id).toBe(dead[0]);
  expect(await rest.statesIn(queue)).toEqual({ dead: 2, running: 1 });
});

test("only the picked jobs are discarded, after a second thought", async ({ page, visit, rest, queue, scripts, guard }) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  const [a, b] = await rest.enqueueMany({ kind: KIND, queue }, 2);
  await visit(`/jobs?queue=${queue}`);
  await pick(page, a);
  if (!scripts) {
    await doWithPicked(page, scripts, "Discard");
    expect(await rest.statesIn(queue), "without the second thought nothing happens").toEqual({ ready: 2 });
    await visit(`/jobs?queue=${queue}`);
    await pick(page, a);
  }
  await doWithPicked(page, scripts, "Discard", true);
  await expect(told(page)).toContainText("1 job is in the dead letter.");
  expect((await rest.call<{ state: string }>("GET", `/jobs/${a}`)).state).toBe("dead");
  expect((await rest.call<{ state: string }>("GET", `/jobs/${b}`)).state).toBe("ready");
});
