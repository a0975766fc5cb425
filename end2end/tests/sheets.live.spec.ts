/** Axe on what lies over a page: questions, menus, preferences, the list of shortcuts. */
import type { Page } from "@playwright/test";
import { audit } from "../support/accessibility";
import type { Rest } from "../support/rest";
import { JOBS, KIND } from "../support/places";
import { prefer, THEMES } from "../support/preferences";
import { expect, test } from "../support/test";

interface Sheet {
  name: string;
  arrange: (rest: Rest, queue: string) => Promise<string>;
  open: (page: Page, queue: string) => Promise<void>;
}

const row = (page: Page, text: string) => page.locator("[data-row]").filter({ hasText: text });

const SHEETS: Sheet[] = [
  {
    name: "the question before a queue is paused",
    arrange: async (rest, queue) => (await rest.enqueue({ kind: KIND, queue }), "/queues"),
    open: (page, queue) => row(page, queue).getByRole("button", { name: "Pause" }).click(),
  },
  {
    name: "the question before a queue is emptied",
    arrange: async (rest, queue) => (await rest.enqueue({ kind: KIND, queue }), "/queues"),
    open: (page, queue) => row(page, queue).getByRole("button", { name: "Purge" }).click(),
  },
  {
    name: "the question before a cause is deleted",
    arrange: async (rest, queue) => (await JOBS.dead(rest, queue), "/dead"),
    open: (page, queue) => row(page, queue).getByRole("button", { name: "Delete" }).click(),
  },
  {
    name: "the menu of a job",
    arrange: async (rest, queue) => `/jobs/${(await JOBS.dead(rest, queue)).id}`,
    open: (page) => page.locator(".menu > summary").click(),
  },
  {
    name: "the question before a picked job is deleted",
    arrange: async (rest, queue) => (await JOBS.dead(rest, queue), `/jobs?queue=${queue}`),
    open: async (page) => {
      await page.locator("[data-pick]").first().check();
      await page.getByRole("region").getByRole("button", { name: "Delete" }).click();
    },
  },
  {
    name: "the preferences",
    arrange: async () => "/",
    open: (page) => page.locator(".display-button").click(),
  },
  {
    name: "the list of shortcuts",
    arrange: async () => "/queues",
    open: (page) => page.keyboard.press("?"),
  },
];

const SHEET = ":is(dialog[open], [popover]:popover-open, .menu[open])";

for (const { name, arrange, open } of SHEETS) {
  test(`axe finds nothing in ${name}`, async ({ page, rest, queue, server, visit }) => {
    const path = await arrange(rest, queue);
    for (const theme of THEMES) {
      await prefer(page, server, { theme });
      await visit(path);
      await open(page, queue);
      await expect(page.locator(SHEET)).toBeVisible();
      // Not the page behind it: what a sheet covers in part is too small a target only for so long.
      await audit(page, SHEET);
    }
  });
}
