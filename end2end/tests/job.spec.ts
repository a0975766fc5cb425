/** What a person changes of one job. */
import { idHere, stateOf, told, why } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

test("a waiting job is edited", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue, payload: { a: 1 }, tags: ["old"], delay_s: 900 });
  await visit(`/jobs/${id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const fields = { Payload: '{"a": 2}', Priority: "8", Attempts: "3", "Timeout, seconds": "7", Tags: "new, vip" };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("Due (UTC)").fill("2031-02-03T04:05:06");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(told(page)).toContainText(`Job #${id} is changed.`);
  expect(await idHere(page)).toBe(id);
  const job = await rest.job(id);
  expect(job).toMatchObject({ queue, priority: 8, max_attempts: 3, timeout_s: 7, tags: ["new", "vip"] });
  expect(Date.parse(job.run_at)).toBe(Date.UTC(2031, 1, 3, 4, 5, 6));
  expect(await rest.text(`/jobs/${id}`)).toContain('"payload":{"a": 2}');
});

test("an edit of a job that has changed meanwhile says so and stores nothing", async ({
  page,
  visit,
  rest,
  queue,
  guard,
  scripts,
}) => {
  guard.allow(/the server responded with a status of 4\d\d/);
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}?edit=1`);
  await page.getByLabel("Payload", { exact: true }).fill('{"mine":true}');
  await rest.call("PATCH", `/jobs/${id}`, { tags: ["elsewhere"] });
  // A live page has heard of the change before the form is sent; that must not make it fresh.
  if (scripts) await expect(page.locator("dl.facts")).toContainText("elsewhere");
  await page.getByLabel("Priority", { exact: true }).fill("9");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Somebody changed it meanwhile.").first()).toBeVisible();
  await expect(page.getByLabel("Payload", { exact: true }), "what was typed is still there").toHaveValue('{"mine":true}');
  expect(await rest.job(id)).toMatchObject({ priority: 5, tags: ["elsewhere"] });
  expect(await rest.text(`/jobs/${id}`)).not.toContain("mine");
});

test("a running job is asked to stop, and then is cancelled", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  const job = await rest.claim(queue);
  await visit(`/jobs/${id}`);
  await expect(stateOf(page)).toHaveText("Running");
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(told(page)).toContainText(`Job #${id} is called off.`);
  await expect(why(page)).toContainText("It was asked to stop");
  const leases = [{ id, lease_token: job.lease_token }];
  const beat = await rest.call("POST", "/worker/heartbeat", { worker: "end2end", leases });
  expect(beat).toMatchObject({ leases: [{ id, status: "cancel" }] });
  await rest.finish(job, { outcome: "cancelled" });
  await visit(`/jobs/${id}`);
  await expect(stateOf(page)).toHaveText("Cancelled");
  expect((await rest.job(id)).state).toBe("cancelled");
});
