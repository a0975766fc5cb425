/** Parts of a page that many specs look at. */
import { expect, type Locator, type Page } from "@playwright/test";

/** The state of the job whose page this is. */
export function stateOf(page: Page): Locator {
  return page.locator(".page-head .state-mark");
}

/** What the page tells of an action: in the corner with scripts, on top of the next page without. */
export function told(page: Page): Locator {
  return page.locator(".notice").last();
}

/** The panel on a job's page that says why the job is where it is. */
export function why(page: Page): Locator {
  return page.locator("section.why");
}

/** The row of a table whose title is `title`. */
export function rowOf(page: Page, title: string): Locator {
  return page.locator("tr[data-row]").filter({ has: page.getByRole("link", { name: title, exact: true }) });
}

/** The ids of the jobs in the list, in its order. */
export async function idsIn(page: Page): Promise<number[]> {
  const boxes = page.locator("tr[data-row] input[data-pick]");
  return boxes.evaluateAll((all) => all.map((box) => Number((box as HTMLInputElement).value)));
}

/** Waits until the page is that of a job, and returns its id. */
export async function idHere(page: Page): Promise<number> {
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  return Number(/\d+$/.exec(page.url())?.[0]);
}

/** Ticks the box of a job in the list. */
export async function pick(page: Page, id: number | undefined): Promise<void> {
  await page.getByRole("checkbox", { name: `Select job ${id}`, exact: true }).check();
}

/** Fills in the fields with these labels. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}
