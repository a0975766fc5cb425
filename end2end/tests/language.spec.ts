/** English and Russian: how the language is chosen, and that a page speaks only one. */
import type { Page } from "@playwright/test";
import { alone } from "../support/alone";
import { KIND, PLACES } from "../support/places";
import { prefer } from "../support/preferences";
import { expect, nobody, ready, test } from "../support/test";

const lang = (page: Page) => page.locator("html");
const choose = (page: Page, name: string) =>
  page.locator("form.choice .switch:visible").getByRole("button", { name, exact: true }).click();

test("the switch changes the language and keeps page and filter", async ({ page, rest, queue, visit, scripts }) => {
  await rest.enqueue({ kind: KIND, queue, tags: ["ключ"] });
  await visit(`/jobs?queue=${queue}&tag=${encodeURIComponent("ключ")}`);
  await choose(page, "RU");
  await expect(lang(page)).toHaveAttribute("lang", "ru");
  if (scripts) await ready(page);
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe("/jobs");
  expect(searchParams.get("queue")).toBe(queue);
  expect(searchParams.get("tag")).toBe("ключ");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Задачи");
  await expect(page.locator("[data-row]")).toHaveCount(1);

  await visit("/dead");
  await expect(lang(page), "it is kept").toHaveAttribute("lang", "ru");
  await choose(page, "EN");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dead letter");
});

test("?lang= chooses the language and keeps it", async ({ page, visit }) => {
  await visit("/queues?lang=ru");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Очереди");
  await visit("/queues");
  await expect(lang(page)).toHaveAttribute("lang", "ru");
});

for (const [accept, expected] of [
  ["ru", "ru"],
  ["ru-RU,ru;q=0.9,en;q=0.8", "ru"],
  ["en;q=0.4,ru;q=0.7", "ru"],
  ["de,en;q=0.5,ru;q=0.3", "en"],
  ["de-DE", "en"],
  ["ru;q=0,*", "en"],
  ["?!", "en"],
] as const) {
  test(`without a choice, Accept-Language "${accept}" gets ${expected}`, async ({ page }) => {
    const answer = await page.request.get("/queues", { headers: { "Accept-Language": accept } });
    expect(await answer.text()).toContain(`<html lang="${expected}"`);
  });
}

test("the choice goes before Accept-Language", async ({ page, server }) => {
  await prefer(page, server, { lang: "en" });
  const answer = await page.request.get("/queues", { headers: { "Accept-Language": "ru" } });
  expect(await answer.text()).toContain(`<html lang="en"`);
});

test("Russian counts jobs in the right form", async ({ page, rest, queue, server, visit }) => {
  await prefer(page, server, { lang: "ru" });
  let made = 0;
  for (const [count, text] of [
    [1, "Подходит 1 задача"],
    [2, "Подходят 2 задачи"],
    [5, "Подходит 5 задач"],
    [11, "Подходит 11 задач"],
    [21, "Подходит 21 задача"],
  ] as const) {
    for (; made < count; made++) await rest.enqueue({ kind: KIND, queue });
    await visit(`/jobs?queue=${queue}`);
    await expect(page.locator(".lead")).toHaveText(text);
  }
});

/** Two English words in a row, in what a reader sees or hears. Data of the tests holds none. */
function english(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const data = "code, pre, samp, kbd, script, style, textarea, input[name=q], .log, option";
    const found: string[] = [];
    const look = (text: string | null) => {
      const plain = (text ?? "").replace(/dead-letter|kind:email\.send state:dead/g, "");
      if (/[A-Za-z]{2,}[ \u00a0][a-z]{2,}/.test(plain)) found.push(plain.trim());
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (!parentElement?.closest(data)) look(textContent);
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
      if (element.closest(data)) continue;
      for (const name of ["aria-label", "title", "placeholder", "alt"]) look(element.getAttribute(name));
    }
    look(document.title);
    return found;
  });
}

test("no page speaks English to a Russian reader", async ({ page, queue, visit, guard }) => {
  test.slow();
  guard.allow(/the server responded with a status of 404/);
  await alone(page, async (server, rest) => {
    await prefer(page, server, { lang: "ru" });
    for (const [n, { name, arrange }] of PLACES.entries()) {
      await visit(server.url + (await arrange(rest, `${queue}-${n}`)));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect.soft(await english(page), `English on ${name}`).toEqual([]);
    }
  });
});

test("a refusal is told in Russian", async ({ page, server, visit, guard }) => {
  guard.allow(/the server responded with a status of 422/);
  await prefer(page, server, { lang: "ru" });
  await visit("/schedules/new");
  await page.locator("#name").fill("refused");
  await page.locator("#kind").fill("a b");
  await page.locator("#cron").fill("61 * * * *");
  await page.locator("#payload").fill("{");
  await page.locator("main form button.primary").click();
  await expect(page.locator(".refusal, .field-fault").first()).toBeVisible();
  expect(await english(page)).toEqual([]);
});

test.describe("without a session", () => {
  test.use(nobody);

  test("the way in speaks both languages and remembers where to go", async ({ page, server, visit, scripts }) => {
    await visit("/queues");
    await choose(page, "RU");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Вход");
    if (scripts) await ready(page);
    expect(await english(page)).toEqual([]);
    await page.locator("input[name=token]").fill(server.token);
    await page.getByRole("button", { name: "Войти" }).click();
    await expect(page).toHaveURL(/\/queues$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Очереди");
  });
});
