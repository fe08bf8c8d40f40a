// The HTML page of the API reference in a browser, with and without JavaScript.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkEverywhere, collectErrors, openBrowser } from "../../../scripts/test-support/browser.ts";
import { generate } from "../generate.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";
import { htmlPage } from "./html.ts";
import { pagesOf } from "./pages.ts";
import { hostileReference } from "./test-support/hostile-reference.ts";
import { referenceProject } from "./test-support/reference-project.ts";

let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), "kubewright-page-"));

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(directory, { recursive: true, force: true });
});

async function open(text: string, javaScriptEnabled = true): Promise<{ page: Page; requests: string[] }> {
  const path = join(directory, "page.html");
  writeFileSync(path, text);
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  return { page, requests: requests.slice(1) };
}

async function referencePage(): Promise<string> {
  const { plan } = await generate(
    requestOf(project(referenceProject), ["apidocs:format=html", "paths=./...", "output:stdout"]),
  );
  return plan.stdout;
}

it("passes axe at 400 px and in both themes, and loads nothing else", async () => {
  const { page, requests } = await open(await referencePage());
  const errors = collectErrors(page);
  await checkEverywhere(page, "the API reference");
  expect({ requests, errors }).toEqual({ requests: [], errors: [] });
  await page.context().close();
});

it("no text of a comment changes the page", async () => {
  const pages = pagesOf(hostileReference, "single");
  const { page, requests } = await open(htmlPage(pages.pages[0]!, pages));
  const errors = collectErrors(page);
  page.on("dialog", (dialog) => errors.push(dialog.message()));
  await checkEverywhere(page, "hostile texts");
  expect({ requests, errors }).toEqual({ requests: [], errors: [] });
  await page.context().close();
});

it("the script filters fields by name, and types by name", async () => {
  const { page } = await open(await referencePage());
  const input = page.getByLabel("Filter fields");
  const visible = async () =>
    page.locator("tr[data-field]:visible").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-field")));
  const all = (await visible()).length;
  await input.fill("PORTS");
  expect(await visible()).toEqual(["ports", "ports[].name", "ports[].port"]);
  expect(await page.getByRole("status").textContent()).toBe("3 fields");
  await input.fill("urlsource");
  expect(await visible()).toEqual(["type", "url"]);
  await input.fill("");
  expect((await visible()).length).toBe(all);
  await page.context().close();
});

it("works without JavaScript: all fields are visible, and the filter isn't", async () => {
  const { page } = await open(await referencePage(), false);
  expect(await page.locator("form.filter").isVisible()).toBe(false);
  expect(await page.locator("tr[data-field]:visible").count()).toBeGreaterThan(30);
  await page.getByRole("link", { name: "GameSpec" }).first().click();
  expect(page.url()).toMatch(/#gamespec-v1-example\.com$/);
  await page.context().close();
});
