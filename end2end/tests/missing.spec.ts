/** Addresses that lead nowhere say so, in words and by the status. */
import { prefer } from "../support/preferences";
import { expect, test } from "../support/test";

const NOWHERE = [
  { what: "an unknown page", path: "/no-such-page", says: "There is no such page", says_ru: "Такой страницы нет" },
  { what: "an unknown page below a page", path: "/queues/mail/more", says: "There is no such page", says_ru: "Такой страницы нет" },
  { what: "a job id that is none", path: "/jobs/abc", says: "“abc” is no job id", says_ru: "«abc» — не номер задачи" },
  { what: "a job id below one", path: "/jobs/0", says: "“0” is no job id", says_ru: "«0» — не номер задачи" },
  { what: "a job that is not there", path: "/jobs/987654321", says: "There is no job #987654321", says_ru: "Задачи №987654321 нет" },
  { what: "a schedule that is not there", path: "/schedules/nobody", says: "nobody", says_ru: "nobody" },
];

for (const { what, path, says, says_ru } of NOWHERE) {
  test(`${what} is answered with 404 and the reason`, async ({ page, server, guard, visit }) => {
    guard.allow(/the server responded with a status of 404/);
    const answer = page.waitForResponse((response) => response.url().endsWith(path));
    await visit(path);
    expect((await answer).status()).toBe(404);
    await expect(page.getByRole("main")).toContainText(says);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("navigation").first()).toBeVisible();

    await prefer(page, server, { lang: "ru" });
    await visit(path);
    await expect(page.getByRole("main")).toContainText(says_ru);
  });
}

test("the page of a missing page leads to the overview", async ({ page, guard, visit }) => {
  guard.allow(/the server responded with a status of 404/);
  await visit("/no-such-page");
  await page.getByRole("main").getByRole("link").click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
});

test("the page of a missing job leads to the jobs", async ({ page, guard, visit }) => {
  guard.allow(/the server responded with a status of 404/);
  await visit("/jobs/987654321");
  await page.getByRole("main").getByRole("link").click();
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Jobs");
});
