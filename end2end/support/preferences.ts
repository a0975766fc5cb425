/** A reader's choices, as the switches of the frame keep them. */
import type { Page } from "@playwright/test";

export const LANGUAGES = ["en", "ru"] as const;
export const THEMES = ["light", "dark"] as const;

export interface Preferences {
  lang?: (typeof LANGUAGES)[number];
  theme?: (typeof THEMES)[number] | "system";
}

/** Makes the choices for all pages that are opened from now on. */
export async function prefer(page: Page, server: { url: string }, choices: Preferences): Promise<void> {
  const cookies = Object.entries(choices).map(([name, value]) => ({ name, value, url: server.url }));
  await page.context().addCookies(cookies);
}
