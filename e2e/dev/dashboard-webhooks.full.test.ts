// The dashboard of `scaffold dev` in a browser, with a session of the Game with webhooks: the Admission page, and the question
// before a change of a CRD that loses stored fields.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkEverywhere, collectErrors, openBrowser, widths } from "../../scripts/test-support/browser.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev } from "./dev-session.ts";
import { gameExample } from "./edited-project.ts";

const { types, sample } = gameExample.files;
const timeout = 60_000;

let dev: Dev;
let browser: Browser;
let page: Page;
let errors: string[];
let url: string;

beforeAll(async () => {
  browser = await openBrowser();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-dev-")));
  await gameExample.create(root);
  // The webhooks get no request until the tests apply an object.
  rmSync(join(root, sample));
  await linkPackages(root);
  dev = new Dev(root);
  const { dashboard } = await dev.event("ready");
  page = await (await browser.newContext({ viewport: widths[0], reducedMotion: "reduce" })).newPage();
  page.setDefaultTimeout(timeout);
  errors = collectErrors(page);
  await page.goto(String(dashboard));
  url = new URL(page.url()).origin;
});

afterAll(async () => {
  await browser?.close();
  await dev?.remove();
});

/** Applies a Game in the dialog, and returns the locator of the dialog. */
async function apply(name: string, spec: string) {
  await page.goto(`${url}/#/objects`);
  await page.getByRole("button", { name: "Apply YAML" }).first().click();
  const group = `apiVersion: ${gameExample.group}/v1\nkind: Game`;
  await page
    .getByLabel("YAML documents")
    .fill(`${group}\nmetadata: { name: ${name}, namespace: default }\nspec: ${spec}\n`);
  await page.keyboard.press("Control+Enter");
  return page.getByRole("dialog", { name: "Apply YAML" });
}

const toast = (text: RegExp) => page.locator(".toast").filter({ hasText: text }).first().waitFor();
const rows = () => page.locator(".admission");

describe("the Admission page", () => {
  it("names the webhooks that wait for their first request", async () => {
    await page.goto(`${url}/#/admission`);
    await page.getByText("No requests to webhooks yet").waitFor();
    expect(await page.getByRole("main").innerText()).toContain(
      "The project has 2 webhooks: mgame-v1.kb.io, vgame-v1.kb.io.",
    );
    await checkEverywhere(page, "webhooks without a request");
  });

  it("shows a defaulting request with its patch and its input", async () => {
    const dialog = await apply("first", "{ replicas: 1 }");
    await toast(/Game first created/);
    await dialog.waitFor({ state: "detached" });
    await page.goto(`${url}/#/admission`);
    const defaulted = rows().filter({ hasText: "Game first" }).filter({ hasText: "create, mutating" });
    await defaulted.getByRole("button").first().click();
    await defaulted.locator(".diff-added").filter({ hasText: "first.default.mygame.io" }).waitFor();
    await defaulted.getByText("/mutate-myapp-qingwave-github-io-v1-game").waitFor();
    await defaulted.getByText("Input").click();
    await defaulted.getByLabel("Input of the webhook").filter({ hasText: "replicas: 1" }).waitFor();
    await rows().filter({ hasText: "Game first" }).filter({ hasText: "create, validating" }).first().waitFor();
    await checkEverywhere(page, "a defaulted object");
  });

  it("shows denied requests with their reason, and can show only these", async () => {
    const dialog = await apply("second", '{ replicas: 1, host: "*.example.com" }');
    await dialog.getByText("host should not contain *").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${url}/#/admission`);
    await rows().filter({ hasText: "Game second" }).first().waitFor();
    await page.getByRole("button", { name: "Denied", exact: true }).click();
    await eventually(async () => expect(await rows().count()).toBe(1), timeout);
    const denied = rows().first();
    expect(await denied.innerText()).toContain("host should not contain *");
    expect(await denied.getByRole("img", { name: "Denied" }).count()).toBe(1);
    await denied.getByRole("button").first().click();
    await denied.getByText("No patch.").waitFor();
    await checkEverywhere(page, "a denied request");
    await page.getByRole("searchbox", { name: "Filter requests" }).fill("nothing has these words");
    await page.getByText("No request matches").waitFor();
    await page.getByRole("searchbox", { name: "Filter requests" }).fill("SECOND validating");
    await eventually(async () => expect(await rows().count()).toBe(1), timeout);
  });
});

describe("a change that loses stored fields", () => {
  const shown = () => page.locator(".session-error").filter({ hasText: "withheld-storage-change" });

  beforeAll(async () => {
    const before = dev.edit(
      types,
      gameExample.anchor,
      `  /** Number of players. */\n  players?: Int32;\n\n${gameExample.anchor}`,
    );
    await dev.event("applied", undefined, before);
    await apply("first", "{ replicas: 1, players: 3 }");
    await toast(/Game first configured/);
    dev.edit(types, "players?: Int32;", "players?: string;");
    await shown().waitFor();
  });

  it("is withheld after the question is answered with no", async () => {
    expect(await shown().innerText()).toContain("spec.players in v1 of default/first");
    await checkEverywhere(page, "withheld change");
    const { length } = dev.lines;
    await page.getByRole("button", { name: "Apply with the loss" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply with the loss of stored fields?" });
    await dialog.getByText("spec.players in v1 of default/first").waitFor();
    await checkEverywhere(page, "question");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(dev.lines.slice(length).filter(({ event }) => event === "applied")).toEqual([]);
    expect(await shown().count()).toBe(1);
  });

  it("is applied after the question is answered with yes", async () => {
    const { length } = dev.lines;
    await page.getByRole("button", { name: "Apply with the loss" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await toast(/The change is applied/);
    await shown().waitFor({ state: "detached" });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await dev.event("applied", undefined, length)).toMatchObject({
      objects: [{ name: `${gameExample.plural}.${gameExample.group}`, action: "configured" }],
    });
  });
});

it("the page shows that the session has ended, and how to continue", async () => {
  dev.child.kill("SIGINT");
  const banner = page.getByRole("alert").filter({ hasText: "The session has ended" });
  await banner.getByText("npx scaffold dev").waitFor();
  await page.locator(".session-state").filter({ hasText: "session ended" }).waitFor();
  await checkEverywhere(page, "ended session");
  expect(await dev.ended).toBe(0);
});

it("the browser reported no error, and no violation of the policy", () => {
  // The page tries to connect again.
  expect(errors.filter((error) => !error.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
});
