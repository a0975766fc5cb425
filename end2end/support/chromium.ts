/** How Chromium is started: the system's own when CHROMIUM names one, and silent towards the outside. */
import type { LaunchOptions } from "@playwright/test";

const executablePath = process.env.CHROMIUM;

export const chromium: LaunchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
  ],
};
