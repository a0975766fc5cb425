/** What a page says and does when it hears of nothing: a broken stream, no network, a pause. */
import { stateOf } from "../support/page";
import { expect, test } from "../support/test";
import { Wire } from "../support/wire";

const KIND = "end2end.work";

test("a cut stream is told, and what happened meanwhile is shown when it is back", async ({
  page,
  visit,
  rest,
  queue,
  server,
  guard,
}) => {
  guard.allow(/net::ERR_/);
  const { id } = await rest.enqueue({ kind: KIND, queue });
  const wire = await Wire.to(server.url);
  try {
    await visit(`${wire.url}/jobs/${id}`);
    const liveMark = page.locator(".live-mark");
    await expect(liveMark).toHaveText("Live");
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    wire.cut();
    await expect(liveMark).toHaveText(/^Reconnecting \(\d+\)$/);
    await expect(page.getByText("The connection to the server is lost")).toBeAttached();
    await rest.finish(await rest.claim(queue), { outcome: "succeeded", result: "done meanwhile" });
    await expect(stateOf(page), "what was known is still shown").toHaveText("Ready");
    wire.mend();
    await expect(liveMark).toHaveText("Live");
    await expect(stateOf(page)).toHaveText("Succeeded");
    await expect(page.getByText("done meanwhile").first()).toBeVisible();
    await expect(page.getByText("The connection is back.")).toBeAttached();
    expect(await page.evaluate(() => "sameDocument" in globalThis), "the page was not loaded again").toBe(true);
  } finally {
    await wire.close();
  }
});

test("a page whose first read is cut off still shows what came with it", async ({ page, visit, rest, queue, guard }) => {
  guard.allow(/net::ERR_/);
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await page.route("**/rpc/job", (route) => route.abort());
  const read = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/rpc/job"));
  await visit(`/jobs/${id}`);
  await expect(page.locator(".live-mark")).toHaveText("Live");
  await read;
  await rest.finish(await rest.claim(queue), { outcome: "succeeded" });
  await page.waitForEvent("requestfailed", (request) => request.url().endsWith("/rpc/job"));
  await expect(stateOf(page), "what was known is still shown").toHaveText("Ready");
  await page.unroute("**/rpc/job");
  await rest.call("POST", `/jobs/${id}/retry`, {});
  await expect(page.locator("main")).toContainText("succeeded", { ignoreCase: true });
});

test("updates that are resumed while the stream is unreachable are not called live or paused", async ({
  page,
  visit,
  rest,
  queue,
  guard,
}) => {
  guard.allow(/net::ERR_CONNECTION_FAILED/);
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}`);
  const liveMark = page.locator(".live-mark");
  await expect(liveMark).toHaveText("Live");
  await liveMark.click();
  await expect(liveMark).toHaveText("Paused");
  await page.route("**/api/v1/events**", (route) => route.abort("connectionfailed"));
  await liveMark.click();
  await expect(liveMark).toHaveText(/^Reconnecting \(\d+\)$/);
  await rest.claim(queue);
  await page.unroute("**/api/v1/events**");
  await expect(liveMark).toHaveText("Live");
  await expect(stateOf(page)).toHaveText("Running");
});

test("without a network the mark says so, and the page catches up when it is back", async ({
  page,
  context,
  visit,
  rest,
  queue,
  guard,
}) => {
  guard.allow(/\/api\/v1\/events|ERR_INTERNET_DISCONNECTED/);
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}`);
  const liveMark = page.locator(".live-mark");
  await expect(liveMark).toHaveText("Live");
  await context.setOffline(true);
  await expect(liveMark).toHaveText(/Offline|Reconnecting/);
  await rest.finish(await rest.claim(queue), { outcome: "succeeded" });
  await context.setOffline(false);
  await expect(liveMark).toHaveText("Live");
  await expect(stateOf(page)).toHaveText("Succeeded");
});

test("paused updates stay paused, until they are resumed", async ({ page, visit, rest, queue }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs/${id}`);
  const liveMark = page.locator(".live-mark");
  await expect(liveMark).toHaveText("Live");
  await liveMark.click();
  await expect(liveMark).toHaveText("Paused");
  await rest.claim(queue);
  await visit(`/jobs/${id}`);
  await expect(liveMark, "the choice is kept").toHaveText("Paused");
  await liveMark.click();
  await expect(liveMark).toHaveText("Live");
  await expect(stateOf(page)).toHaveText("Running");
});
