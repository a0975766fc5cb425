/** The keyboard: shortcuts under any layout, and where the focus goes. */
import type { Page } from "@playwright/test";
import { KIND } from "../support/places";
import { expect, ready, test } from "../support/test";

/** A key as the Russian layout sends it: the letter is Cyrillic, the place of the key is the same. */
async function cyrillic(page: Page, key: string, code: string, shiftKey = false): Promise<void> {
  await page.evaluate(
    (init) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", init)),
    { key, code, shiftKey, bubbles: true, cancelable: true },
  );
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const search = (page: Page) => page.locator(".top-bar [data-search]");
const openRow = (page: Page, at: number) => page.locator("[data-row] [data-open]").nth(at);

test("/ goes to the search", async ({ page, visit }) => {
  await visit("/");
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  await expect(search(page)).toHaveValue("");
});

test("a page that comes late leaves a person in the field they went to", async ({ page, rest, queue, visit }) => {
  const { id } = await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/rpc/**", async (route) => {
    await asked;
    await route.continue();
  });
  await openRow(page, 0).click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
  await page.keyboard.press("/");
  await page.keyboard.type("rep");
  answer();
  await expect(heading(page)).toHaveText(KIND);
  await page.keyboard.type("ort");
  await expect(search(page)).toHaveValue("report");
});

test("? opens the list of shortcuts and Escape closes it", async ({ page, visit }) => {
  await visit("/queues");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page, "keys belong to the open dialog").toHaveURL(/\/queues$/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

for (const [letter, code, key, path, title] of [
  ["o", "KeyO", "щ", "/", "Overview"],
  ["j", "KeyJ", "о", "/jobs", "Jobs"],
  ["q", "KeyQ", "й", "/queues", "Queues"],
  ["s", "KeyS", "ы", "/schedules", "Schedules"],
  ["w", "KeyW", "ц", "/workers", "Workers"],
  ["d", "KeyD", "в", "/dead", "Dead letter"],
] as const) {
  test(`g and ${letter} go to ${title}, under the Russian layout too`, async ({ page, visit }) => {
    await visit("/help");
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(new RegExp(`:\\d+${path}$`));
    await expect(heading(page)).toHaveText(title);
    await expect(heading(page), "the focus goes to the heading").toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${title} · `));

    await visit("/help");
    await cyrillic(page, "п", "KeyG");
    await cyrillic(page, key, code);
    await expect(page).toHaveURL(new RegExp(`:\\d+${path}$`));
  });
}

test("j, k and Enter walk the rows and open one", async ({ page, rest, queue, visit }) => {
  for (let n = 0; n < 3; n++) await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await expect(page.locator("[data-row]")).toHaveCount(3);
  await page.keyboard.press("j");
  await expect(openRow(page, 0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(openRow(page, 2)).toBeFocused();
  await page.keyboard.press("j");
  await expect(openRow(page, 2), "it stays on the last row").toBeFocused();
  await page.keyboard.press("k");
  await expect(openRow(page, 1)).toBeFocused();
  const path = await openRow(page, 1).getAttribute("href");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(heading(page)).toBeFocused();
});

test("the shortcuts go by the key's place under the Russian layout", async ({ page, rest, queue, visit }) => {
  for (let n = 0; n < 2; n++) await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await cyrillic(page, "о", "KeyJ");
  await expect(openRow(page, 0)).toBeFocused();
  await cyrillic(page, "о", "KeyJ");
  await cyrillic(page, "л", "KeyK");
  await expect(openRow(page, 0)).toBeFocused();
  await cyrillic(page, "ч", "KeyX");
  await expect(page.locator("[data-pick]").first()).toBeChecked();
  await cyrillic(page, "щ", "KeyO");
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await cyrillic(page, ".", "Slash");
  await expect(search(page)).toBeFocused();
  await search(page).blur();
  await cyrillic(page, ",", "Slash", true);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("x picks the row, and Escape takes the picks back", async ({ page, rest, queue, visit }) => {
  for (let n = 0; n < 2; n++) await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.locator("[data-pick]").nth(0)).toBeChecked();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByRole("region", { name: "Selected jobs" })).toContainText("2 selected");
  await page.keyboard.press("x");
  await expect(page.getByRole("region", { name: "Selected jobs" })).toContainText("1 selected");
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-pick]:checked")).toHaveCount(0);
});

test("a letter typed into a field is a letter", async ({ page, visit }) => {
  await visit("/jobs/new");
  const field = page.locator("main input[name*=kind], main input#kind").first();
  await field.focus();
  await page.keyboard.type("gdx?/je");
  await expect(field).toHaveValue("gdx?/je");
  await expect(page).toHaveURL(/\/jobs\/new$/);
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("keys of the browser stay with the browser", async ({ page, visit }) => {
  await visit("/queues");
  await page.keyboard.press("Control+g");
  await page.keyboard.press("d");
  await page.keyboard.press("Control+/");
  await expect(search(page)).not.toBeFocused();
  await expect(page).toHaveURL(/\/queues$/);
});

test("the first stop of Tab skips to the content", async ({ page, visit }) => {
  await visit("/queues");
  await page.keyboard.press("Tab");
  const skip = page.locator(".skip");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
});

test("what has the focus shows it", async ({ page, rest, queue, visit }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/queues");
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const active = document.activeElement;
      if (!active || active === document.body) return "2px";
      const style = getComputedStyle(active);
      return style.outlineStyle === "none" ? `none on ${active.outerHTML.slice(0, 120)}` : style.outlineWidth;
    });
    expect(outline).toBe("2px");
  }
});

test("a link moves the focus to the new heading, and back works", async ({ page, visit }) => {
  await visit("/");
  await page.locator(".side-bar a", { hasText: "Workers" }).click();
  await expect(heading(page)).toHaveText("Workers");
  await expect(heading(page)).toBeFocused();
  await expect(page).toHaveTitle(/^Workers · /);
  await page.goBack();
  await expect(heading(page)).toHaveText("Overview");
  await expect(page).toHaveTitle(/^Overview · /);
  await ready(page);
});
