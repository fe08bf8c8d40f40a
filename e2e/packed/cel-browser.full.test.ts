// Runs @kubewright/cel in Chromium.
import type { Browser } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { collectErrors, openBrowser } from "../../scripts/test-support/browser.ts";
import { installedPackage, output } from "./cel-package.ts";

const { bundle } = installedPackage();
let browser: Browser | undefined;
afterAll(() => browser?.close());

it("validates an object in a browser", async () => {
  browser = await openBrowser();
  const page = await browser.newPage();
  const errors = collectErrors(page);
  const printed = page.waitForEvent("console");
  await page.addScriptTag({ content: await bundle() });
  expect(JSON.parse((await printed).text())).toEqual(output);
  expect(errors).toEqual([]);
});
