/** Takes the pictures, from a server with demo data. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ready, test as base } from "../support/test";
import { Server } from "../support/server";
import type { Job, Rest } from "../support/rest";

const FOLDER = process.env.SCREENSHOTS ?? resolve(__dirname, "../test-results/screenshots");

/** How much live traffic the pictures show, in seconds after the start. */
const TRAFFIC_S = Number(process.env.SCREENSHOTS_AFTER_S ?? 20);

const test = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.start({ SEED_DEMO: "1" });
      await new Promise((done) => setTimeout(done, TRAFFIC_S * 1000));
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** The newest job in a state, if there is one. */
async function jobIn(rest: Rest, state: string): Promise<Job | undefined> {
  const { items } = await rest.call<{ items: Job[] }>("GET", `/jobs?state=${state}&limit=1`);
  return items[0];
}

test("pictures", async ({ page, rest, guard }, info) => {
  test.setTimeout(180_000);
  guard.allow(/status of 404 .*no-such-page/);
  const pages: [string, string][] = [
    ["overview", "/"],
    ["jobs", "/jobs"],
    ["enqueue", "/jobs/new"],
    ["queues", "/queues"],
    ["schedules", "/schedules"],
    ["schedule-new", "/schedules/new"],
    ["dead", "/dead"],
    ["workers", "/workers"],
    ["help", "/help"],
    ["missing", "/no-such-page"],
  ];
  await page.goto("/dead");
  const group = await page.locator("[data-row] [data-open]").first().getAttribute("href");
  if (group) pages.push(["dead-group", group]);
  const { items: schedules } = await rest.call<{ items: { name: string }[] }>("GET", "/schedules?limit=1");
  for (const { name } of schedules) pages.push(["schedule", `/schedules/${encodeURIComponent(name)}`]);
  for (const state of ["running", "succeeded", "retrying", "dead", "ready"]) {
    const job = await jobIn(rest, state);
    if (job) pages.push([`job-${state}`, `/jobs/${job.id}`]);
  }
  const folder = join(FOLDER, info.project.name);
  await mkdir(folder, { recursive: true });
  for (const [name, path] of pages) {
    await page.goto(path);
    await ready(page);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled", fullPage: true });
    await page.screenshot({ path: join(folder, `${name}-first-screen.png`), animations: "disabled" });
  }
  await page.context().clearCookies();
  await page.goto("/login");
  await ready(page);
  await page.screenshot({ path: join(folder, "login.png"), animations: "disabled" });
});
