/** Pictures of every page, for a person to look at: `SCREENSHOTS=/some/folder npm run screenshots`. */
import { defineConfig } from "@playwright/test";
import { chromium } from "./support/chromium";

const desk = { width: 1440, height: 900 };

export default defineConfig({
  testDir: "screenshots",
  outputDir: "test-results/screenshots",
  workers: 1,
  timeout: 60_000,
  reporter: "list",
  use: { browserName: "chromium", launchOptions: chromium, timezoneId: "UTC", locale: "en-GB", viewport: desk },
  projects: [
    { name: "light", use: { colorScheme: "light" } },
    { name: "dark", use: { colorScheme: "dark" } },
    { name: "ru", use: { colorScheme: "light", locale: "ru-RU" } },
    {
      name: "phone",
      use: { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 },
    },
    {
      name: "phone-dark-ru",
      use: {
        colorScheme: "dark",
        locale: "ru-RU",
        viewport: { width: 390, height: 844 },
        isMobile: true,
        deviceScaleFactor: 2,
      },
    },
  ],
});
