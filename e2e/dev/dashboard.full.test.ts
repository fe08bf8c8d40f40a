// The dashboard of `scaffold dev` in a browser, with a real session of the tutorial's Game: all views and actions.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkEverywhere, collectErrors, openBrowser, widths } from "../../scripts/test-support/browser.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject } from "./dev-session.ts";
import { send } from "./requests.ts";

const game = "#/objects/Game/default/game-sample";
const controller = "src/controller/game-controller.ts";
const timeout = 40_000;

let dev: Dev;
let browser: Browser;
let page: Page;
let errors: string[];
let url: string;

beforeAll(async () => {
  browser = await openBrowser();
  dev = new Dev(await gameProject());
  const ready = await dev.event("ready");
  await dev.event("reconciled");
  page = await (await browser.newContext({ viewport: widths[0], reducedMotion: "reduce" })).newPage();
  page.setDefaultTimeout(timeout);
  errors = collectErrors(page);
  await page.goto(String(ready.dashboard));
  url = new URL(page.url()).origin;
});

afterAll(async () => {
  await browser?.close();
  await dev?.remove();
});

afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  const lines = dev.lines.slice(-20).map((line) => JSON.stringify(line).slice(0, 300));
  process.stderr.write(`the session before the failure:\n${lines.join("\n")}\n${dev.errors.slice(-2000)}\n`);
});

/** Opens a view, and waits for its expected content. */
async function open(hash: string, text: string): Promise<void> {
  await page.goto(`${url}/${hash}`);
  await page.getByText(text).first().waitFor();
}

const tree = () => page.getByRole("tree", { name: "Owner trees" });
const toast = (text: RegExp) => page.locator(".toast").filter({ hasText: text }).first().waitFor();

describe("the page", () => {
  it("is served with a strict policy, and loads nothing from other hosts", async () => {
    const { headers } = await send(`${url}/`, { headers: { cookie: await cookie() } });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const loaded = (await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    )) as string[];
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((name) => !name.startsWith(url))).toEqual([]);
  });

  it("removes the token from the address", () => {
    expect(page.url()).not.toContain("token");
  });

  it("switches the theme, and keeps it after a reload", async () => {
    const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    const toggle = page.getByRole("button", { name: /theme/i });
    await toggle.click();
    await toggle.click();
    expect(await background()).not.toBe(light);
    await page.reload();
    await tree().waitFor();
    expect(await background()).not.toBe(light);
    await toggle.click();
    expect(await background()).toBe(light);
  });
});

describe("objects", () => {
  it("show owner trees, with dependents below their owner", async () => {
    await open("#/objects", "game-sample");
    await tree().getByRole("treeitem").filter({ hasText: "Pod" }).waitFor();
    const items = await tree().getByRole("treeitem").allInnerTexts();
    expect(items[0]).toContain("Game");
    const levels = await tree()
      .getByRole("treeitem")
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("aria-level"))));
    expect(Math.max(...levels)).toBe(4);
    await checkEverywhere(page, "objects");
  });

  it("show their YAML with the owners of its fields", async () => {
    await open(`${game}?tab=yaml`, "Edit YAML");
    const line = page.locator(".yaml-line").filter({ hasText: "phase:" });
    expect(await line.locator(".yaml-owner").getAttribute("title")).toContain("mygame");
    await checkEverywhere(page, "YAML");
  });

  it("show their owner tree as a diagram", async () => {
    await open(`${game}?tab=tree`, "ReplicaSet");
    await page.locator("a.node").filter({ hasText: "Pod" }).first().waitFor();
    expect(await page.locator(".graph-edges path").count()).toBeGreaterThanOrEqual(5);
    await checkEverywhere(page, "tree");
  });

  it("can be scaled, which is visible in their revisions", async () => {
    await open(game, "Reconcile now");
    await page.getByRole("button", { name: "Scale" }).click();
    await page.getByLabel("Replicas").fill("2");
    await checkEverywhere(page, "dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Scale" }).click();
    await toast(/scaled to 2/);
    await page.getByRole("tab", { name: /Revisions/ }).click();
    const revision = page.locator(".revision").filter({ hasText: "spec.replicas" }).first();
    await revision.waitFor();
    if ((await revision.getByRole("button").getAttribute("aria-expanded")) === "false") {
      await revision.getByRole("button").click();
    }
    await revision.locator(".diff-added").filter({ hasText: "replicas: 2" }).waitFor();
    await checkEverywhere(page, "revisions");
  });

  it("can't be edited if they have changed in the meantime", async () => {
    await open(`${game}?tab=yaml`, "Edit YAML");
    await page.getByRole("button", { name: "Edit YAML" }).click();
    const field = page.getByLabel("YAML of the object");
    const yaml = await field.inputValue();
    await field.fill(yaml.replace(/resourceVersion: .*/, "resourceVersion: '1'").replace(/host: .*/, "host: old.io"));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").first().waitFor();
    await checkEverywhere(page, "conflict");
    await page.getByRole("button", { name: "Start again" }).click();
    await field.fill((await field.inputValue()).replace(/host: .*/, "host: new.io"));
    await page.getByRole("button", { name: "Save" }).click();
    await toast(/is updated/);
    await page.locator(".yaml-line").filter({ hasText: "host: new.io" }).waitFor();
  });

  it("can be applied as YAML, show hostile text as text, and can be deleted", async () => {
    const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>`;
    await open("#/objects", "game-sample");
    await page.getByRole("button", { name: "Apply YAML" }).click();
    await page.getByLabel("YAML documents").fill(`apiVersion: myapp.qingwave.github.io/v1
kind: Game
metadata:
  name: hostile
  namespace: default
  annotations:
    example.io/note: '${hostile}'
spec:
  replicas: 1
  image: nginx
  host: hostile.io
`);
    await page.keyboard.press("Control+Enter");
    await toast(/Game hostile created/);
    await tree().getByRole("treeitem").filter({ hasText: "hostile" }).first().click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await page.locator(".yaml-line").filter({ hasText: hostile }).waitFor();
    await page.getByRole("tab", { name: /Revisions/ }).click();
    // Only the latest is open, which is that of the status if the manager was faster.
    const first = page.locator(".revision").last().getByRole("button");
    if ((await first.getAttribute("aria-expanded")) === "false") await first.click();
    await page.locator(".diff-line").filter({ hasText: hostile }).first().waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast(/hostile is deleted/);
    await page.getByText("Deleted", { exact: true }).waitFor();
    await eventually(async () => {
      const items = await tree().getByRole("treeitem").filter({ hasText: "hostile" }).count();
      expect(items).toBe(0);
    }, timeout);
  });
});

describe("the timeline", () => {
  it("shows the cause and the writes of a reconcile", async () => {
    await open(game, "Reconcile");
    const flow = page
      .locator(".entry-reconcile")
      .filter({ hasText: /Game game-sample changed in spec\.replicas/ })
      .first();
    await flow.waitFor();
    expect(await flow.textContent()).toMatch(/Why.*Game game-sample changed in spec\.replicas.*Read.*Wrote.*Next/);
    await flow.locator(".entry-head").click();
    await flow.locator(".diff-added").filter({ hasText: "replicas: 2" }).first().waitFor();
    await checkEverywhere(page, "timeline");
  });

  it("adds no entries while it is paused", async () => {
    await open(game, "Reconcile");
    await page.getByRole("button", { name: "Pause the timeline" }).click();
    const first = () => page.locator("[data-entry]").first().getAttribute("data-entry");
    const before = await first();
    await page.getByRole("button", { name: "Reconcile now" }).click();
    await page.getByRole("button", { name: /1 new/ }).waitFor();
    expect(await first()).toBe(before);
    await page.getByRole("button", { name: "Continue the timeline" }).click();
    await page.locator(".entry").first().filter({ hasText: "Requested by you" }).waitFor();
  });

  it("can be filtered by type, text and failures", async () => {
    await open(game, "Reconcile");
    await page.getByRole("button", { name: "Reconciles" }).click();
    await eventually(async () => expect(await page.locator(".entry-reconcile").count()).toBe(0), timeout);
    expect(await page.locator(".entry-change").count()).toBeGreaterThan(0);
    await page.getByRole("searchbox", { name: "Filter the timeline" }).fill("nothing has these words");
    await page.getByText("No entry matches").waitFor();
    await checkEverywhere(page, "no entries");
    await page.getByRole("button", { name: "Remove the filter" }).click();
    await page.locator(".entry-reconcile").first().waitFor();
  });

  it("shows a failure with its source position, and opens the position", async () => {
    const before = "const game = await ignoreNotFound";
    const changed = dev.edit(controller, before, `if (req.name) throw new Error("broken on purpose");\n    ${before}`);
    await dev.event("started", undefined, changed);
    await open(game, "Reconcile");
    const failed = page.locator(".entry-reconcile.is-failed").filter({ hasText: "broken on purpose" }).first();
    await failed.waitFor();
    await page.getByRole("button", { name: "Next failure" }).click();
    await eventually(async () => {
      expect(await failed.locator(".position").first().textContent()).toMatch(
        /^src\/controller\/game-controller\.ts:\d+/,
      );
    }, timeout);
    await failed.locator(".entry-head").click();
    await page.getByRole("heading", { name: /^Error/ }).waitFor();
    await checkEverywhere(page, "failure");
    await page.goto(`${url}/#/controllers`);
    await page.locator(".queue li").filter({ hasText: "failure" }).filter({ hasText: "next" }).first().waitFor();
    await checkEverywhere(page, "back-off");
    const fixed = dev.edit(controller, 'if (req.name) throw new Error("broken on purpose");\n    ', "");
    await dev.event("started", undefined, fixed);
    // A session counts a slow manager as started before it can do anything.
    await dev.event("reconciled", (line) => line.error === undefined, fixed);
  });

  it("shows a conflict that is injected with one click", async () => {
    await open("#/faults", "Conflict");
    await page.getByRole("button", { name: "Fail the next write" }).click();
    await toast(/Injected: Conflict/);
    await page.locator(".fault-card").filter({ hasText: "1 left" }).waitFor();
    await checkEverywhere(page, "faults");
    await open(game, "Reconcile");
    await page.getByRole("button", { name: "Scale" }).click();
    await page.getByLabel("Replicas").fill("1");
    await page.getByRole("dialog").getByRole("button", { name: "Scale" }).click();
    await page
      .locator(".entry-reconcile.is-failed")
      .filter({ hasText: "Operation cannot be fulfilled" })
      .first()
      .waitFor();
  });
});

describe("the other views", () => {
  it("show controllers, and can reconcile an object", async () => {
    await open("#/controllers", "Reconciles per second");
    await page.getByRole("button", { name: "Reconcile now" }).first().click();
    await toast(/is enqueued/);
    await page.locator(".recent li").filter({ hasText: "generic" }).first().waitFor();
    await page.getByText("Errors by kind").waitFor();
    await checkEverywhere(page, "controllers");
  });

  it("show caches", async () => {
    await open("#/caches", "Last event");
    await page.locator(".cache").filter({ hasText: "Deployment" }).first().waitFor();
    await checkEverywhere(page, "caches");
  });

  it("explain the requirements for admission requests", async () => {
    await open("#/admission", "No requests to webhooks yet");
    await checkEverywhere(page, "admission");
  });

  it("can make a Pod fail", async () => {
    await open("#/faults", "Fail the Pod");
    await page.getByRole("button", { name: "Fail the Pod" }).click();
    await toast(/Injected: Pod fails/);
  });

  it("can restore the cluster to a revision", async () => {
    await open("#/travel", "revision");
    await page.getByRole("searchbox", { name: "Filter changes" }).fill("game spec.host");
    const row = page.getByRole("option").filter({ hasText: "Game changed" }).filter({ hasText: "spec.host" }).last();
    await row.waitFor();
    await checkEverywhere(page, "time travel");
    await row.click();
    const { length: before } = dev.lines;
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await toast(/is at revision/);
    await dev.event("started", undefined, before);
    await open(`${game}?tab=yaml`, "Edit YAML");
    await page.locator(".yaml-line").filter({ hasText: "host: new.io" }).waitFor();
    await page.locator(".yaml-line").filter({ hasText: "replicas: 2" }).first().waitFor();
  });

  it("can pause reconciling", async () => {
    await page.getByRole("button", { name: "Pause reconciling" }).click();
    await page.locator(".session-state").filter({ hasText: "paused" }).waitFor();
    await page.getByRole("button", { name: "Continue reconciling" }).click();
    await page.locator(".session-state").filter({ hasText: "running" }).waitFor();
  });

  it("show a type error of the project with its code, until it is fixed", async () => {
    dev.edit(controller, "export class", "const wrong: number = 'text';\nexport class");
    await page.locator(".session-error").filter({ hasText: controller }).waitFor();
    await checkEverywhere(page, "errors");
    dev.edit(controller, "const wrong: number = 'text';\n", "");
    await eventually(async () => expect(await page.locator(".session-error").count()).toBe(0));
  });

  it("shows the hint of an error of the generator", async () => {
    const types = "api/v1/game-types.ts";
    dev.edit(types, "validation:Minimum", "validation:Minimun");
    const shown = page.locator(".session-error").filter({ hasText: types });
    await shown.filter({ hasText: /Hint: .*Minimum/ }).waitFor();
    await shown.filter({ hasText: "> " }).locator(".error-frame").waitFor();
    dev.edit(types, "validation:Minimun", "validation:Minimum");
    await eventually(async () => expect(await page.locator(".session-error").count()).toBe(0));
  });
});

describe("the keyboard", () => {
  it("suffices to open the writes of a reconcile from the start of the page", async () => {
    await page.goto(`${url}/#/caches`);
    await page.getByText("Last event").first().waitFor();
    await page.keyboard.press("1");
    await tree().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("deployment");
    await eventually(async () => expect(await tree().getByRole("treeitem").count()).toBe(2), timeout);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("tree");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await eventually(async () => expect(await tree().getByRole("treeitem").count()).toBe(1), timeout);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "game-sample" }).waitFor();
    await page.locator(".entry-head").first().waitFor();
    const focused = () =>
      page.evaluate("document.activeElement.className + ' ' + document.activeElement.innerText") as Promise<string>;
    for (let count = 0; count < 30 && !(await focused()).includes("entry-head"); count++)
      await page.keyboard.press("Tab");
    expect(await focused()).toContain("entry-head");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.locator(".entry-details").first().waitFor();
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "game-sample" }).waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await checkEverywhere(page, "help");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

it("the browser reported no error, and no violation of the policy", () => {
  // The browser reports the rejected edit as a failed request.
  expect(errors.filter((error) => !/status of 4(09|22)/.test(error))).toEqual([]);
});

async function cookie(): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}
