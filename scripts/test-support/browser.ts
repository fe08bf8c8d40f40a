import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The supported widths, each with a typical height. */
export const widths = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
] as const;
export const themes = ["light", "dark"] as const;

/** Starts Chromium with an empty profile. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `no browser found: ${executablePath}\nhint: run apt-get install -y chromium, or set CHROMIUM_PATH to a Chromium`,
    );
  }
  return chromium.launch({ executablePath, args: flags });
}

/** Collects everything that the page reports as an error: exceptions, violations of the policy, missing files. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  return errors;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The rules to check. */
export interface AccessibilityRules {
  /** Tags of the rules of axe. */
  readonly tags: readonly string[];
  /** Selectors of elements that aren't checked. */
  readonly exclude: readonly string[];
}

const allRules: AccessibilityRules = {
  tags: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  exclude: [],
};

/**
 * Checks the page as it is now: no violations of accessibility, no horizontal scrolling.
 *
 * @param what - names the page in messages
 * @param rules - the standards and best practices by default
 */
export async function checkPage(page: Page, what: string, rules = allRules): Promise<void> {
  await page.evaluate(axeSource);
  const results = (await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(rules.exclude)} }, { runOnly: ${JSON.stringify(rules.tags)} })`,
  )) as AxeResults;
  const problems = results.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join("\n")}`,
  );
  expect(problems, what).toEqual([]);
  const overflow = (await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")) as number;
  expect(overflow, `${what}: horizontal scrolling`).toBeLessThanOrEqual(0);
}

/** Checks the page at all widths and in both themes. */
export async function checkEverywhere(page: Page, what: string): Promise<void> {
  try {
    for (const size of widths) {
      await page.setViewportSize(size);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(
          "Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => 0)))",
        );
        await checkPage(page, `${what}, ${size.width} px, ${colorScheme}`);
      }
    }
  } finally {
    await page.setViewportSize(widths[0]);
    await page.emulateMedia({ colorScheme: themes[0] });
  }
}
