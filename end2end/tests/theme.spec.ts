/** Light, dark, or as the system has it: chosen once, drawn by the server. */
import type { Page } from "@playwright/test";
import { prefer } from "../support/preferences";
import { expect, ready, test } from "../support/test";

const LIGHT = "rgb(246, 247, 249)";
const DARK = "rgb(15, 18, 22)";

async function choose(page: Page, theme: string, scripts: boolean): Promise<void> {
  await page.locator(".display-button").click();
  const button = page.locator(`#display button[name=theme][value=${theme}]`);
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  if (scripts) await ready(page);
}

const ground = (page: Page) => page.locator("body");

test("the switch makes the page dark and light, and a reload keeps it", async ({ page, visit, scripts }) => {
  await visit("/queues");
  await choose(page, "dark", scripts);
  await expect(page).toHaveURL(/\/queues$/);
  await expect(ground(page)).toHaveCSS("background-color", DARK);
  await visit("/dead");
  await expect(ground(page)).toHaveCSS("background-color", DARK);

  await choose(page, "light", scripts);
  await expect(page).toHaveURL(/\/dead$/);
  await page.reload();
  await expect(ground(page)).toHaveCSS("background-color", LIGHT);
});

test("the choice stands above what the system prefers", async ({ page, server, visit }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await prefer(page, server, { theme: "light" });
  await visit("/");
  await expect(ground(page)).toHaveCSS("background-color", LIGHT);

  await page.emulateMedia({ colorScheme: "light" });
  await prefer(page, server, { theme: "dark" });
  await visit("/");
  await expect(ground(page)).toHaveCSS("background-color", DARK);
});

test("without a choice the page follows the system, even while it is open", async ({ page, visit, scripts }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await visit("/");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
  await expect(ground(page)).toHaveCSS("background-color", DARK);
  await page.emulateMedia({ colorScheme: "light" });
  await expect(ground(page)).toHaveCSS("background-color", LIGHT);

  await choose(page, "dark", scripts);
  await choose(page, "system", scripts);
  await expect(ground(page)).toHaveCSS("background-color", LIGHT);
});

test("the HTML of the server holds the theme, so that nothing flashes", async ({ page, server }) => {
  for (const theme of ["dark", "light"] as const) {
    await prefer(page, server, { theme });
    for (const path of ["/", "/jobs", "/login"]) {
      const html = await (await page.request.get(path)).text();
      expect(html).toMatch(new RegExp(`<html[^>]* data-theme="${theme}"`));
      expect(html, "the style comes before the page").toMatch(/<link rel="stylesheet"[^>]*>[\s\S]*<body/);
    }
  }
});

test("the switch tells which theme is chosen", async ({ page, server, visit }) => {
  await prefer(page, server, { theme: "dark" });
  await visit("/");
  await page.locator(".display-button").click();
  const theme = page.locator("#display form:has([name=theme])");
  await expect(theme.getByRole("button", { pressed: true })).toHaveText("Dark");
  await expect(theme.getByRole("button", { pressed: false })).toHaveCount(2);
});

test("a theme that does not exist counts as none", async ({ page, server, visit }) => {
  await page.context().addCookies([{ name: "theme", value: "%22%3E%3Cb%3E", url: server.url }]);
  await visit("/");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
});
