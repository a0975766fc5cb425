/** What was given is kept as it was: by a copy, on a page, in a form, in the store. */
import { fill, idHere } from "../support/page";
import { expect, test } from "../support/test";

const KIND = "end2end.work";

test("a copy of a job starts from its fields", async ({ page, visit, rest, queue }) => {
  const tags = ["eu", "vip"];
  const first = { kind: KIND, queue, payload: { a: [1, 2] }, priority: 8, max_attempts: 6, tags };
  const { id } = await rest.enqueue({ ...first, idempotency_key: `key ${queue}` });
  await visit(`/jobs/${id}`);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Kind", { exact: true })).toHaveValue(KIND);
  await expect(page.getByLabel("Queue", { exact: true })).toHaveValue(queue);
  await expect(page.getByLabel("Priority", { exact: true })).toHaveValue("8");
  await expect(page.getByLabel("Attempts", { exact: true })).toHaveValue("6");
  await expect(page.getByLabel("Tags", { exact: true })).toHaveValue("eu, vip");
  await expect(page.getByLabel("Idempotency key")).toHaveValue("");
  await page.getByRole("button", { name: "Enqueue", exact: true }).click();
  await expect(page).not.toHaveURL(/new/);
  const copy = await idHere(page);
  expect(copy).not.toBe(id);
  expect(await rest.job(copy)).toMatchObject(first);
});

test("the largest integer stays exact on the page, in the form, and in the store", async ({
  page,
  visit,
  rest,
  queue,
}) => {
  const payload = '{"n":9223372036854775807}';
  await visit("/jobs/new");
  await fill(page, { Kind: KIND, Queue: queue, Payload: payload });
  await page.getByRole("button", { name: "Enqueue", exact: true }).click();
  const id = await idHere(page);
  await expect(page.locator("section.json").first()).toContainText('"n": 9223372036854775807');
  expect(await rest.text(`/jobs/${id}`)).toContain(`"payload":${payload},`);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByLabel("Payload", { exact: true })).toHaveValue(payload);
  await page.getByLabel("Priority", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
  const stored = await rest.text(`/jobs/${id}`);
  expect(stored).toContain(`"payload":${payload},`);
  expect(stored).toContain('"priority":2');
});
