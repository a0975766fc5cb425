/** Fails a test whose page complains: a wrong hydration shows itself only in the console. */
import { expect, type Page } from "@playwright/test";

export class Guard {
  private readonly heard: string[] = [];
  private readonly allowed: RegExp[] = [];

  constructor(page: Page, scripts: boolean) {
    // Without scripts Chromium gives up the module that the page announces, and calls that a failure; and it
    // misses the use of what the page announced.
    if (!scripts) this.allow(/request failed: .*\/pkg\/conveyor\.js|\/pkg\/.* was preloaded .* but not used/);
    // A page that is left while it loads, or whose event stream ends with it, did nothing wrong.
    this.allow(/request failed: .*net::ERR_ABORTED/);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.heard.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.heard.push(`uncaught: ${error.stack ?? error.message}`));
    page.on("requestfailed", (request) => {
      this.heard.push(`request failed: ${request.method()} ${request.url()} ${request.failure()?.errorText ?? ""}`);
    });
  }

  /** Names something that this test means to cause. */
  allow(what: RegExp): void {
    this.allowed.push(what);
  }

  /** What was heard and not allowed. */
  get complaints(): string[] {
    return this.heard.filter((line) => !this.allowed.some((what) => what.test(line)));
  }

  check(): void {
    expect(this.complaints, "the console and the network stay quiet").toEqual([]);
  }
}
