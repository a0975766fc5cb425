/** What every spec imports: a server, a page that is logged in, REST to arrange data, and a guard over the console. */
import { type BrowserContext, type Page, request, test as base } from "@playwright/test";
import { audit } from "./accessibility";
import { Guard } from "./guard";
import { Rest } from "./rest";
import { Server } from "./server";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface OfWorker {
  /** The server of this worker process. */
  server: Server;
  /** The cookies of someone who has logged in there. */
  session: Session;
  rest: Rest;
}

interface OfTest {
  /** Fails the test on any console message or failed request; `guard.allow` names what is meant to happen. */
  guard: Guard;
  /** A queue name that no other test uses. */
  queue: string;
  /** Whether this run has scripts on. */
  scripts: boolean;
  /** Opens a path and waits until the page can be used. */
  visit: (path: string) => Promise<void>;
  /** Audits the page with axe. */
  audit: () => Promise<void>;
}

/** A visitor who is not logged in, for `test.use`. */
export const nobody = { storageState: { cookies: [], origins: [] } };

export const test = base.extend<OfTest, OfWorker>({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],

  session: [
    async ({ server }, use) => {
      const extraHTTPHeaders = { Origin: server.url };
      const visitor = await request.newContext({ baseURL: server.url, extraHTTPHeaders });
      const answer = await visitor.post("/login", { form: { token: server.token } });
      if (!answer.ok()) throw new Error(`login: ${answer.status()} ${await answer.text()}`);
      await use(await visitor.storageState());
      await visitor.dispose();
    },
    { scope: "worker" },
  ],

  rest: [
    async ({ server }, use) => {
      const rest = await Rest.open(server);
      await use(rest);
      await rest.close();
    },
    { scope: "worker" },
  ],

  baseURL: ({ server }, use) => use(server.url),

  storageState: ({ session }, use) => use(session),

  scripts: ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),

  guard: [
    async ({ page, scripts, server }, use, info) => {
      const guard = new Guard(page, scripts);
      await use(guard);
      if (info.status === info.expectedStatus) guard.check();
      else await info.attach("server.log", { body: server.log.slice(-200_000), contentType: "text/plain" });
    },
    { auto: true },
  ],

  queue: ({}, use, info) => use(`q${info.testId.slice(-12)}-${info.repeatEachIndex}`),

  visit: ({ page, scripts }, use) =>
    use(async (path) => {
      await page.goto(path);
      if (scripts) await ready(page);
    }),

  audit: ({ browser, page, scripts }, use) =>
    use(async () => {
      if (scripts) return audit(page);
      // Axe waits by timers, which stand still where scripts are off. So it looks at the same address on a page
      // that may run axe but gets none of the dashboard's scripts.
      const context = await browser.newContext({
        javaScriptEnabled: true,
        storageState: await page.context().storageState(),
        viewport: page.viewportSize(),
      });
      try {
        const still = await context.newPage();
        await still.route("**/pkg/*.js", (route) => route.abort());
        await still.goto(page.url());
        await audit(still);
      } finally {
        await context.close();
      }
    }),
});

export { expect } from "@playwright/test";

/** Waits until the page is alive: a click before that lands on HTML that nobody listens to. */
export async function ready(page: Page): Promise<void> {
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
}
