/** The way in. */
import { expect, nobody, test } from "../support/test";

test.use(nobody);

test("a visitor logs in with the token and reaches the page that was asked for", async ({ page, server, visit }) => {
  await visit("/queues");
  await expect(page).toHaveURL(/\/login/);
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("form:has(input[name=token]) button").click();
  await expect(page).not.toHaveURL(/\/login/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a wrong token is refused in words, and does not come back in the field", async ({ page, visit, guard }) => {
  guard.allow(/the server responded with a status of 40[13]/);
  await visit("/login");
  await page.locator("input[name=token]").fill("not-the-token-of-anyone");
  await page.locator("form:has(input[name=token]) button").click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.locator("input[name=token]")).toHaveValue("");
});

test("axe finds nothing on the login page", async ({ visit, audit }) => {
  await visit("/login");
  await audit();
});
