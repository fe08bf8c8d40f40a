// Tests the dashboard with 5,000 objects and 100 reconciles per second, and with names that would run a script as HTML.
// KUBEWRIGHT_DASHBOARD_SECONDS sets how long the memory of the page is watched.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { checkEverywhere, collectErrors, openBrowser, widths } from "../../scripts/test-support/browser.ts";
import { hostileName, LoadFixture } from "./load-fixture.ts";

const games = 500;
const watchedSeconds = Number(process.env.KUBEWRIGHT_DASHBOARD_SECONDS ?? 20);
/** The views that a user opens meanwhile. */
const watchedViews = ["#/objects", "#/objects/Game/default/game-0001", "#/admission", "#/controllers"];
/** Tolerated growth in bytes, because the times of garbage collections vary. */
const memoryTolerance = 4 * 1024 * 1024;

let browser: Browser;
let page: Page;
let errors: string[];
let url: string;
const fixture = new LoadFixture(games);

beforeAll(async () => {
  browser = await openBrowser();
  url = await fixture.listen();
  page = await (await browser.newContext({ viewport: widths[0], reducedMotion: "reduce" })).newPage();
  errors = collectErrors(page);
});

afterAll(async () => {
  await browser?.close();
  await fixture.close();
});

const rows = () => page.getByRole("treeitem");

/** Returns the processor time of the page per key in milliseconds, with the events of ten reconciles for each key. */
async function interactionTime(loaded: LoadFixture, keys: readonly string[]): Promise<number> {
  const session = await page.context().newCDPSession(page);
  // Time in which the page waits for a core doesn't count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
  const before = await used();
  for (const key of keys) {
    loaded.sendReconciles(10);
    await page.keyboard.press(key);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
  }
  const seconds = (await used()) - before;
  await session.detach();
  return (seconds * 1000) / keys.length;
}

async function usedMemory(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  await session.detach();
  return usedSize;
}

it("the dashboard shows hostile names as text in all views", async () => {
  for (const [hash, place] of [
    ["#/objects", ".object-row"],
    [`#/objects/Game/default/${encodeURIComponent(hostileName)}`, ".flow"],
    [`#/objects/Game/default/${encodeURIComponent(hostileName)}?tab=tree`, ".node"],
    [`#/objects/Game/default/${encodeURIComponent(hostileName)}?tab=yaml`, ".yaml-line"],
    [`#/objects/Game/default/${encodeURIComponent(hostileName)}?tab=events`, ".event"],
    ["#/controllers", ".error-kinds"],
    ["#/admission", ".admission"],
  ] as const) {
    await page.goto(`${url}/${hash}`);
    await page.locator(place).filter({ hasText: hostileName }).first().waitFor();
    expect(await page.locator("main img").count(), hash).toBe(0);
  }
  await page.locator(".admission .entry-head").click();
  await page.locator(".entry-details").filter({ hasText: hostileName }).waitFor();
  await checkEverywhere(page, "admission");
  expect(await page.evaluate("window.hacked")).toBeUndefined();
});

it("the dashboard renders only the visible rows", async () => {
  await page.goto(`${url}/#/objects`);
  await rows().first().waitFor();
  expect(await rows().count()).toBeLessThan(60);
  expect(await page.locator(".view-count").innerText()).toBe((games * 10).toLocaleString("en-US"));
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await rows()
    .filter({ hasText: `game-0${games - 1}` })
    .first()
    .waitFor();
  await checkEverywhere(page, "many objects");
});

it("the dashboard handles a key in a time that doesn't depend on the number of objects", async () => {
  const few = new LoadFixture(games / 10);
  onTestFinished(() => few.close());
  const timesOf = async (loaded: LoadFixture, address: string): Promise<number> => {
    await page.goto(`${address}/#/objects`);
    await rows().first().waitFor();
    await page.getByRole("tree").focus();
    await interactionTime(loaded, ["Home", "ArrowDown"]);
    return interactionTime(loaded, [...Array.from({ length: 20 }, () => "ArrowDown"), "/", ..."game-0012"]);
  };
  const small = await timesOf(few, await few.listen());
  const large = await timesOf(fixture, url);
  await rows().filter({ hasText: "game-0012" }).first().waitFor();
  expect(small).toBeGreaterThan(0);
  // There are ten times as many objects.
  expect(large).toBeLessThan(5 * small);
  await page.goto(`${url}/#/objects`);
  fixture.start(100);
});

it("the timeline of a busy object is up to date, and its memory doesn't grow", async () => {
  await page.goto(`${url}/#/controllers`);
  await page.locator(".recent li").first().waitFor();
  // Waits until all lists are full.
  await page.waitForTimeout(5_000);
  const sizes: number[] = [];
  for (const end = Date.now() + watchedSeconds * 1000; Date.now() < end; ) {
    for (const hash of watchedViews) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.waitForTimeout(1_500);
    }
    sizes.push(await usedMemory());
  }
  fixture.stop();
  const mebibytes = sizes.map((size) => (size / 1024 / 1024).toFixed(1));
  console.log(`memory in MiB after each round: ${mebibytes.join(" ")}`);
  // The first round loads the code of each view.
  const [first = 0] = sizes.slice(1);
  const last = Math.min(...sizes.slice(-3));
  expect(last - first).toBeLessThan(memoryTolerance);
  expect(await page.locator(".recent li").count()).toBeLessThanOrEqual(8);
});

it("the browser reported no error", () => {
  expect(errors).toEqual([]);
});
