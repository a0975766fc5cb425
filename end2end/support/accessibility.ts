/** An audit of the page as it stands, by axe. */
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with rule, place and reason for each finding, on the whole page or `within` what a selector names. */
export async function audit(page: Page, within = ":root"): Promise<void> {
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async ({ standards, within }) => {
    const engine = (globalThis as unknown as { axe: typeof axe }).axe;
    const part = document.querySelector(within) ?? document;
    const { violations } = await engine.run(part, { runOnly: standards });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary ?? ""}`),
    );
  }, { standards: STANDARDS, within });
  expect(findings, `axe finds nothing on ${page.url()}`).toEqual([]);
}
