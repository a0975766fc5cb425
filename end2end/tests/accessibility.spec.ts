/** Axe on every page, in both themes and both languages. */
import { PLACES } from "../support/places";
import { LANGUAGES, prefer, THEMES } from "../support/preferences";
import { Server } from "../support/server";
import { expect, nobody, test } from "../support/test";

for (const { name, arrange, missing } of PLACES) {
  test(`axe finds nothing on ${name}, light and dark, in English and Russian`, async ({
    page,
    rest,
    queue,
    server,
    visit,
    audit,
    guard,
  }) => {
    test.slow();
    if (missing) guard.allow(/the server responded with a status of 404/);
    const path = await arrange(rest, queue);
    for (const lang of LANGUAGES) {
      for (const theme of THEMES) {
        await prefer(page, server, { lang, theme });
        await visit(path);
        await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
        await expect(page.locator("html")).toHaveAttribute("lang", lang);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await audit();
      }
    }
  });
}

test("axe finds nothing on the overview of a server that never had a job", async ({ page, visit, audit }) => {
  const fresh = await Server.start({ WORKERS: "0" });
  try {
    const { url, token } = fresh;
    await page.request.post(`${url}/login`, { headers: { Origin: url }, form: { token } });
    await visit(url);
    await expect(page.locator(".steps")).toBeVisible();
    await audit();
    await page.goto("about:blank");
  } finally {
    await fresh.stop();
  }
});

test.describe("without a session", () => {
  test.use(nobody);

  test("axe finds nothing on the way in, light and dark, in English and Russian", async ({
    page,
    server,
    visit,
    audit,
  }) => {
    test.slow();
    for (const lang of LANGUAGES) {
      for (const theme of THEMES) {
        await prefer(page, server, { lang, theme });
        for (const path of ["/login", "/login?refused=wrong"]) {
          await visit(path);
          await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
          await audit();
        }
      }
    }
  });
});
