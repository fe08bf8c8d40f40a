// Tests the page of `scaffold dev --replay` in a browser: at all widths, in both themes, with the keyboard, and with
// hostile content.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkEverywhere, collectErrors, openBrowser, widths } from "../../scripts/test-support/browser.ts";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";

interface Report {
  readonly findings: { seed: number; timeline: object[] }[];
}
const report = JSON.parse(readFileSync(join(checkout, "e2e/dev/testdata/findings.json"), "utf8")) as Report;
const [finding] = report.findings as [Report["findings"][number]];
const script = `<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;

let browser: Browser;
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  directory = mkdtempSync(join(tmpdir(), "kubewright-replay-"));
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await browser?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Opens a report in the browser. */
async function open(findings: readonly object[]): Promise<{ page: Page; errors: string[] }> {
  writeFileSync(join(directory, "findings.json"), JSON.stringify({ ...report, findings }));
  const child = spawn(process.execPath, [scaffoldBin, "dev", "--replay", "findings.json", "--json"], {
    cwd: directory,
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await eventually(() => expect(output).toContain("\n"));
  const page = await (await browser.newContext({ viewport: widths[0], reducedMotion: "reduce" })).newPage();
  const errors = collectErrors(page);
  await page.goto((JSON.parse(output) as { dashboard: string }).dashboard);
  return { page, errors };
}

it("the page shows the invariant, the schedule that violates it, and stale reads", async () => {
  const { page, errors } = await open([finding]);
  await page.getByRole("heading", { name: "no bucket without its object" }).waitFor();
  expect(await page.getByText(`npx scaffold simulate --seed ${finding.seed}`).isVisible()).toBe(true);
  // The first fault is selected and visible.
  const selected = page.getByRole("option", { selected: true });
  await selected.getByText("operator-1 starts again, with a server that is behind").waitFor();
  const detail = page.getByRole("region", { name: "Selected entry" });
  expect(await detail.innerText()).toContain("fault stale");
  const stale = page.locator(".replay-link.is-stale");
  expect(await stale.count()).toBe(1);
  await checkEverywhere(page, "finding");
  expect(errors).toEqual([]);
  await page.context().close();
});

it("the page is usable with only the keyboard", async () => {
  const { page } = await open([finding, { ...finding, invariant: "another rule" }]);
  const detail = page.getByRole("region", { name: "Selected entry" });
  await detail.waitFor();
  await page.keyboard.press("e");
  await page.keyboard.press("e");
  await detail.getByText("stale: the server has none").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("finalizers");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  await detail.locator(".diff-added").filter({ hasText: '["example.com/bucket"]' }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await detail.getByRole("heading", { name: "broken" }).waitFor();
  await page.keyboard.press("]");
  await page.getByRole("heading", { name: "another rule" }).waitFor();
  await checkEverywhere(page, "two findings");
  await page.keyboard.press("[");
  await page.getByRole("heading", { name: "no bucket without its object" }).waitFor();
  await page.context().close();
});

it("the page doesn't run scripts in a report", async () => {
  const timeline = finding.timeline.map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, typeof value === "string" ? script : value])),
  );
  const hostile = { invariant: script, test: script, file: script, message: script, faults: [script] };
  const { page, errors } = await open([{ ...finding, ...hostile, timeline }]);
  await page.getByRole("heading", { name: script }).first().waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  await checkEverywhere(page, "hostile names");
  expect(await page.evaluate("window.attacked")).toBeUndefined();
  expect(errors).toEqual([]);
  await page.context().close();
});

const hostileTexts: Record<string, string> = {
  "SVG with a script": '<svg onload="window.attacked=1"><script>window.attacked=1</script></svg>',
  "a style and a style sheet":
    '"><style>*{display:none;background:url(http://192.0.2.1/x)}</style><b style="position:fixed',
  "addresses with scripts":
    "javascript:window.attacked=1//http://192.0.2.1/ data:text/html,<script>attacked=1</script>",
  "the end of a script, and a comment": "</script></title></textarea><!--<script>window.attacked=1//",
  "separators and control characters": "a\u2028b\u2029c\u0000d\u001b[31m\u0007\r\n\u202etxt.exe\u200b\ufeff",
  "a lone surrogate": "a\ud800b",
  "names of members": "__proto__",
  // Each of the report's texts has this length, so the file has 40 MB.
  "a long text": "long ".repeat(40_000),
};

it.each(Object.entries(hostileTexts))("shown as text in a report: %s", async (_, text) => {
  const timeline = finding.timeline.map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, typeof value === "string" ? text : value])),
  );
  // The actions stay too, so that all kinds of entries are shown.
  const detailed = finding.timeline.map((entry) => ({
    ...entry,
    actor: text,
    object: text,
    revision: text,
    detail: text,
  }));
  const hostile = { invariant: text, test: text, file: text, message: text, replay: text, faults: [text] };
  for (const entries of [timeline, detailed]) {
    const { page, errors } = await open([{ ...finding, ...hostile, timeline: entries }]);
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") foreign.push(request.url());
    });
    const options = page.getByRole("option");
    await options.first().waitFor();
    await page.getByRole("listbox", { name: "Timeline" }).focus();
    for (const key of ["Home", "ArrowDown", "e", "End", "ArrowUp"]) await page.keyboard.press(key);
    await page.getByRole("option", { selected: true }).waitFor();
    const added = "main img, main script, main style, main iframe, main svg[onload], main a[href^='javascript:' i]";
    expect(await page.locator(added).count()).toBe(0);
    expect(await page.evaluate("window.attacked ?? Object.prototype.attacked")).toBeUndefined();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  }
});

it("the page renders only the visible part of a long timeline, and has an empty state", async () => {
  const timeline = Array.from({ length: 50_000 }, (_, step) => ({
    ...finding.timeline[step % finding.timeline.length],
    step,
    time: step,
  }));
  const { page } = await open([{ ...finding, timeline }]);
  await page.getByRole("listbox", { name: "Timeline" }).focus();
  for (let count = 0; count < 10; count++) await page.keyboard.press("PageDown");
  await page.keyboard.press("End");
  await page.getByRole("option", { selected: true }).waitFor();
  expect(await page.getByRole("option").count()).toBeLessThan(60);
  await page.context().close();
  const empty = await open([]);
  await empty.page.getByText("The invariants held in all 55 schedules.").waitFor();
  await checkEverywhere(empty.page, "no findings");
  expect(empty.errors).toEqual([]);
});
