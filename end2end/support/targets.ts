/** What can be pressed must be large enough for a finger: 24 by 24 pixels (WCAG 2.5.8), spacing or not. */
import { expect, type Page } from "@playwright/test";

/** Fails with each target that is too small. Links within a sentence are as tall as its lines. */
export async function targets(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const LEAST = 24;
    const words = (node: Node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(node.textContent ?? "");
    const inSentence = (target: Element) =>
      getComputedStyle(target).display === "inline" && [...(target.parentElement?.childNodes ?? [])].some(words);
    const large = ({ width, height }: DOMRect) => width >= LEAST && height >= LEAST;
    const boxes = (target: Element) =>
      [target, target.closest("label")].filter((part) => part !== null).map((part) => part.getBoundingClientRect());
    return [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary, textarea")]
      .filter((target) => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((target) => !inSentence(target))
      .filter((target) => target.getBoundingClientRect().width > 0 && !boxes(target).some(large))
      .map((target) => ({ html: target.outerHTML.slice(0, 120), box: target.getBoundingClientRect() }))
      .map(({ html, box }) => `${html}: ${box.width.toFixed()} x ${box.height.toFixed()}`);
  });
  expect(small, `every target of ${page.url()} is large enough`).toEqual([]);
}
