/** What can be pressed must be large enough for a finger: 24 by 24 pixels (WCAG 2.5.8), spacing or not. */
import { expect, type Page } from "@playwright/test";

/** Fails with each target that is too small. Links within a sentence are as tall as its lines. */
export async function targets(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const LEAST = 24;
    const words = (node: Node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(node.textContent ?? "");
    const inSentence = (target: Element) =>
      getComputedStyle(target).display === "inline" && [...(target.parentElement?.childNodes ?? [])].some(words);
    const box = (target: Element) => (target.closest("label") ?? target).getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary, textarea")]
      .filter((target) => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((target) => !inSentence(target))
      .map((target) => ({ target, box: box(target) }))
      .filter(({ box }) => box.width > 0 && (box.height < LEAST || box.width < LEAST))
      .map(({ target, box }) => `${target.outerHTML.slice(0, 120)}: ${box.width.toFixed()} x ${box.height.toFixed()}`);
  });
  expect(small, `every target of ${page.url()} is large enough`).toEqual([]);
}
