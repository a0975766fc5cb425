/** A server for one test alone: what other tests leave behind on the shared one would be in its way. */
import type { Page } from "@playwright/test";
import { Rest } from "./rest";
import { Server } from "./server";

/** Starts a server with `settings`, logs the page in there, and takes both away when `use` has ended. */
export async function alone(
  page: Page,
  use: (server: Server, rest: Rest) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const server = await Server.start(settings);
  const rest = await Rest.open(server);
  try {
    const { url, token } = server;
    await page.request.post(`${url}/login`, { headers: { Origin: url }, form: { token } });
    await use(server, rest);
    // Whatever the page would still ask for is not answered any more.
    await page.goto("about:blank");
  } finally {
    await rest.close();
    await server.stop();
  }
}
