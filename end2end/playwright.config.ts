/**
 * Every spec runs twice: with scripts, and without, as a reader with scripts off sees the pages.
 * `*.live.spec.ts` needs scripts; `*.phone.spec.ts` is for a narrow screen.
 */
import { defineConfig } from "@playwright/test";
import { chromium } from "./support/chromium";

const phone = "**/*.phone.spec.ts";
const live = "**/*.live.spec.ts";
const desk = { width: 1280, height: 800 };

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/artifacts",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  workers: 2,
  // Patience costs nothing while tests pass; on a busy machine a page may take seconds to come alive.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    browserName: "chromium",
    launchOptions: chromium,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "scripts", testIgnore: phone, use: { viewport: desk } },
    { name: "no-scripts", testIgnore: [phone, live], use: { viewport: desk, javaScriptEnabled: false } },
    {
      name: "phone",
      testMatch: phone,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
