/** The form that enqueues a job, and what becomes of it. */
import type { Page } from "@playwright/test";
import { fill, idHere, stateOf } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

const send = (page: Page) => page.getByRole("button", { name: "Enqueue", exact: true });

test("a job from the form runs and shows its result", async ({ page, visit, rest, queue }) => {
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Payload: '{"to":"anna@example.org"}', Queue: queue });
  await send(page).click();
  const id = await idHere(page);
  await expect(stateOf(page)).toHaveText("Ready");
  const job = await rest.claim(queue);
  expect(job).toMatchObject({ id, kind: KIND, payload: { to: "anna@example.org" } });
  await rest.finish(job, { outcome: "succeeded", result: { sent: "message-7" } });
  await visit(`/jobs/${id}`);
  await expect(stateOf(page)).toHaveText("Succeeded");
  const result = page.locator("section.json").filter({ has: page.getByRole("heading", { name: "Result" }) });
  await expect(result).toContainText('"message-7"');
  await expect(page.locator("#attempt-1")).toContainText("end2end");
});

test("a fault in the JSON is told with its line and column, and nothing typed is lost", async ({
  page,
  visit,
  rest,
  queue,
  guard,
}) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  const typed = {
    Kind: KIND,
    Payload: '{\n  "list": [1, 2],\n  "flag": tru\n}',
    Queue: queue,
    Priority: "7",
    Attempts: "3",
    "Timeout, seconds": "45",
    "Idempotency key": `key of ${queue}`,
    Tags: "red, блю",
  };
  await visit("/jobs/new");
  await fill(page, typed);
  await page.getByLabel("After a delay").check();
  await page.getByLabel("Delay", { exact: true }).fill("90");
  await page.getByLabel("Unit").selectOption("minutes");
  await send(page).click();
  await expect(page.getByText("Nothing was stored.").first()).toBeVisible();
  await expect(page.getByText(/not valid JSON: .*line 3, column 1[2-4]/).first()).toBeVisible();
  for (const [label, value] of Object.entries(typed)) {
    await expect(page.getByLabel(label, { exact: true }), label).toHaveValue(value);
  }
  await expect(page.getByLabel("After a delay")).toBeChecked();
  await expect(page.getByLabel("Delay", { exact: true })).toHaveValue("90");
  await expect(page.getByLabel("Unit")).toHaveValue("min");
  expect(await rest.jobsIn(queue)).toEqual([]);
  await page.getByLabel("Payload", { exact: true }).fill("[true]");
  await send(page).click();
  const { priority, tags } = await rest.job(await idHere(page));
  expect({ priority, tags }).toEqual({ priority: 7, tags: ["red", "блю"] });
});

test("a form that is sent twice makes one job", async ({ page, visit, rest, queue, server }) => {
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Queue: queue });
  const sending = page.waitForRequest((request) => request.method() === "POST");
  await send(page).dblclick();
  const id = await idHere(page);
  // The browser may swallow the second click, so the same form goes out once more.
  const sent = await sending;
  const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: server.url };
  const again = await page.request.post(sent.url(), { headers, data: sent.postData() ?? "" });
  expect(again.ok(), await again.text()).toBe(true);
  expect((await rest.jobsIn(queue)).map((job) => job.id)).toEqual([id]);
});

test("the options of the form arrive", async ({ page, visit, rest, queue }) => {
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Queue: queue, Priority: "9", Attempts: "4", "Timeout, seconds": "12.5" });
  await fill(page, { "Idempotency key": `order ${queue}`, Tags: "vip , eu-west" });
  await page.getByLabel("After a delay").check();
  await page.getByLabel("Delay", { exact: true }).fill("1.5");
  await page.getByLabel("Unit").selectOption("hours");
  await send(page).click();
  const id = await idHere(page);
  await expect(stateOf(page)).toHaveText("Scheduled");
  const job = await rest.job(id);
  expect(job).toMatchObject({
    queue,
    state: "scheduled",
    priority: 9,
    max_attempts: 4,
    timeout_s: 12.5,
    idempotency_key: `order ${queue}`,
    tags: ["vip", "eu-west"],
  });
  expect(Date.parse(job.run_at) - Date.parse(job.created_at)).toBeCloseTo(90 * 60_000, -3);
});

test("a job may be due at a time", async ({ page, visit, rest, queue }) => {
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Queue: queue });
  await page.getByLabel("At a time").check();
  await page.getByLabel("Time (UTC)").fill("2031-02-03T04:05:06");
  await send(page).click();
  const job = await rest.job(await idHere(page));
  expect(Date.parse(job.run_at)).toBe(Date.UTC(2031, 1, 3, 4, 5, 6));
});

test("the form stays for another job, which is another one though it looks the same", async ({
  page,
  visit,
  rest,
  queue,
  scripts,
}) => {
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Queue: queue });
  const another = page.getByRole("button", { name: "Enqueue and another" });
  await another.click();
  await expect(page.getByText(/Job #\d+ is enqueued/)).toBeVisible();
  await expect(page.getByLabel("Kind", { exact: true })).toHaveValue(KIND);
  if (scripts) await expect(page.getByLabel("Queue", { exact: true })).toHaveValue(queue);
  else await fill(page, { Queue: queue });
  await another.click();
  await expect.poll(async () => (await rest.jobsIn(queue)).length).toBe(2);
});
