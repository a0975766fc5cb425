/** A phone: nothing scrolls sideways, and the way from an alarm to a retry is short. */
import type { Page } from "@playwright/test";
import { JOBS, KIND, PLACES } from "../support/places";
import { LANGUAGES, prefer } from "../support/preferences";
import { expect, nobody, test } from "../support/test";

/** What sticks out of the window at the side, if the page can be scrolled there. */
function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const out = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > width + 1);
    return [`${document.documentElement.scrollWidth} > ${width}`, ...out.map((one) => one.outerHTML.slice(0, 80))];
  });
}

/** What a finger can hardly hit: smaller than 24 by 24, and not a word within a sentence. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")];
    return targets.flatMap((target) => {
      const shown = target.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const place = (target.closest("label") ?? target).getBoundingClientRect();
      const inText = target.tagName === "A" && getComputedStyle(target).display === "inline";
      if (!shown || target.matches(".unseen, .skip") || inText) return [];
      const small = place.width > 0 && (place.width < 23.5 || place.height < 23.5);
      return small ? [`${place.width}×${place.height} ${target.outerHTML.slice(0, 100)}`] : [];
    });
  });
}

for (const { name, arrange, missing } of PLACES) {
  test(`${name} fits a phone of 390 and of 320 pixels, in English and Russian`, async ({
    page,
    rest,
    queue,
    server,
    visit,
    guard,
  }) => {
    test.slow();
    if (missing) guard.allow(/the server responded with a status of 404/);
    const path = await arrange(rest, `${queue}-${"long".repeat(20)}`);
    for (const lang of LANGUAGES) {
      await prefer(page, server, { lang });
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await visit(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        expect(await sideways(page), `${lang} at ${width}`).toEqual([]);
        expect(await tooSmall(page), `${lang} at ${width}`).toEqual([]);
      }
    }
  });
}

test("the dock leads to the pages, and its sheet to the others", async ({ page, visit }) => {
  await visit("/");
  const dock = page.locator("nav.dock");
  for (const [name, path] of [
    ["Jobs", "/jobs"],
    ["Dead letter", "/dead"],
    ["Queues", "/queues"],
    ["Overview", "/"],
  ] as const) {
    await dock.getByRole("link", { name: new RegExp(`^${name}`) }).tap();
    await expect(page).toHaveURL(new RegExp(`:\\d+${path}$`));
    await expect(dock.getByRole("link", { name: new RegExp(`^${name}`) })).toHaveAttribute("aria-current", "page");
  }
  await dock.getByRole("button", { name: "More" }).tap();
  await page.locator("#more").getByRole("link", { name: "Schedules" }).tap();
  await expect(page).toHaveURL(/\/schedules$/);
  await expect(page.locator("#more"), "the sheet closes").toBeHidden();
});

test("the sheet of the dock searches, and changes the language", async ({ page, rest, queue, visit }) => {
  await rest.enqueue({ kind: KIND, queue });
  await visit("/");
  await page.locator(".dock button").tap();
  await page.locator("#more [data-search]").fill(`queue:${queue}`);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await page.locator(".dock button").tap();
  await page.locator("#more").getByRole("button", { name: "RU" }).tap();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Задачи");
});

test("the jobs are cards: each under the other, not wider than the window", async ({ page, rest, queue, visit }) => {
  await JOBS.ready(rest, queue);
  await JOBS.scheduled(rest, queue);
  await visit(`/jobs?queue=${queue}`);
  await expect(page.locator("[data-row]")).toHaveCount(2);
  for (const row of await page.locator("[data-row]").all()) {
    await expect(row).toHaveCSS("display", "grid");
    const place = await row.boundingBox();
    expect(place?.width).toBeLessThanOrEqual(390);
    await expect(row.getByRole("link").first()).toBeInViewport();
  }
});

test("from the overview, three taps retry a dead job", async ({ page, rest, queue, visit }) => {
  const { id } = await JOBS.dead(rest, queue);
  await visit("/");
  await page.locator(".dock").getByRole("link", { name: "Dead letter" }).tap();
  const group = page.locator("[data-row]").filter({ hasText: `refused-by-${queue}` });
  await group.getByRole("button", { name: "Retry all" }).tap();
  await expect(group).toHaveCount(0);
  await expect.poll(async () => (await rest.job(id)).state).toBe("ready");
});

test("the menu of a job lies within the window, wherever its button stands", async ({
  page,
  rest,
  queue,
  server,
  visit,
}) => {
  const dead = await JOBS.dead(rest, queue);
  const scheduled = await JOBS.scheduled(rest, queue);
  for (const lang of LANGUAGES) {
    await prefer(page, server, { lang });
    for (const { id } of [dead, scheduled]) {
      await visit(`/jobs/${id}`);
      await page.locator("details.menu > summary").tap();
      const sheet = await page.locator(".menu-sheet").boundingBox();
      expect(sheet?.x, lang).toBeGreaterThanOrEqual(0);
      expect((sheet?.x ?? 0) + (sheet?.width ?? 0), lang).toBeLessThanOrEqual(390);
    }
  }
});

test("the last row is not hidden by the dock", async ({ page, rest, queue, visit }) => {
  for (let n = 0; n < 12; n++) await rest.enqueue({ kind: KIND, queue });
  await visit(`/jobs?queue=${queue}`);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const last = await page.locator("[data-row]").last().boundingBox();
  const dock = await page.locator(".dock").boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(dock?.y ?? 0);
});

test.describe("without a session", () => {
  test.use(nobody);

  test("the way in fits a phone", async ({ page, server, visit }) => {
    for (const lang of LANGUAGES) {
      await prefer(page, server, { lang });
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await visit("/login");
        expect(await sideways(page)).toEqual([]);
        expect(await tooSmall(page)).toEqual([]);
      }
    }
  });
});
