/** Axe on every page, in both themes and both languages; without scripts in each of them once. */
import { alone } from "../support/alone";
import { PLACES } from "../support/places";
import { LANGUAGES, prefer, THEMES } from "../support/preferences";
import type { Server } from "../support/server";
import { targets } from "../support/targets";
import { expect, nobody, test } from "../support/test";

/** Every language with every theme; without scripts, which change no colour and no word, a pair of each. */
function views(scripts: boolean) {
  if (!scripts) return LANGUAGES.map((lang, n) => ({ lang, theme: THEMES[n % THEMES.length]! }));
  return LANGUAGES.flatMap((lang) => THEMES.map((theme) => ({ lang, theme })));
}

for (const { name, arrange, missing } of PLACES) {
  test(`axe finds nothing on ${name}, light and dark, in English and Russian`, async ({
    page,
    rest,
    queue,
    server,
    visit,
    audit,
    guard,
    scripts,
  }) => {
    test.slow();
    if (missing) guard.allow(/the server responded with a status of 404/);
    const path = await arrange(rest, queue);
    for (const { lang, theme } of views(scripts)) {
      await prefer(page, server, { lang, theme });
      await visit(path);
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await audit();
      await targets(page);
    }
  });
}

test("axe finds nothing on the overview of a server that never had a job", async ({ page, visit, audit }) => {
  const fresh = async ({ url }: Server) => {
    await visit(url);
    await expect(page.locator(".steps")).toBeVisible();
    await audit();
  };
  await alone(page, fresh, { WORKERS: "0" });
});

test.describe("without a session", () => {
  test.use(nobody);

  test("axe finds nothing on the way in, light and dark, in English and Russian", async ({
    page,
    server,
    visit,
    audit,
    scripts,
  }) => {
    test.slow();
    for (const { lang, theme } of views(scripts)) {
      await prefer(page, server, { lang, theme });
      for (const path of ["/login", "/login?refused=wrong"]) {
        await visit(path);
        await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
        await audit();
      }
    }
  });
});
