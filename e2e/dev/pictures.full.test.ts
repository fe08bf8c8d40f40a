// Compares the published pictures of the dashboard with new ones in both themes, with a tolerance.
// KUBEWRIGHT_PICTURES=write writes them, KUBEWRIGHT_PICTURES=record also records a new session for them. Both need pngquant
// (Debian's package of this name).
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, themes } from "../../scripts/test-support/browser.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject } from "./dev-session.ts";
import { RecordedSession, recordSession } from "./recorded-session.ts";

const mode = process.env.KUBEWRIGHT_PICTURES ?? "";
const directory = join(checkout, "docs/public/dev");
const game = "#/objects/Game/default/game-sample";
const [wide, narrow] = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
];
/** Share of pixels that may differ: other versions of a browser draw letters slightly differently. */
const tolerance = 0.02;

const views = [
  { name: "objects", hash: "#/objects", ready: ".object-row", size: wide },
  { name: "timeline", hash: game, ready: ".flow", size: wide },
  { name: "tree", hash: `${game}?tab=tree`, ready: ".node", size: wide },
  { name: "yaml", hash: `${game}?tab=yaml`, ready: ".yaml-line", size: wide },
  { name: "controllers", hash: "#/controllers", ready: ".recent li", size: wide },
  { name: "admission", hash: "#/admission", ready: ".admission", size: wide },
  { name: "faults", hash: "#/faults", ready: ".fault-card", size: wide },
  { name: "caches", hash: "#/caches", ready: ".cache", size: wide },
  { name: "travel", hash: "#/travel", ready: "[role=option]", size: wide },
  { name: "objects-narrow", hash: "#/objects", ready: ".object-row", size: narrow },
  { name: "timeline-narrow", hash: game, ready: ".flow", size: narrow },
  { name: "replay", hash: "replay", ready: ".replay-link", size: wide },
  { name: "replay-narrow", hash: "replay", ready: "[role=option]", size: narrow },
];

let browser: Browser;
let url: string;
let session: RecordedSession;

beforeAll(async () => {
  if (mode === "record") await record();
  browser = await openBrowser();
  session = new RecordedSession();
  url = await session.listen();
});

afterAll(async () => {
  await browser?.close();
  await session?.close();
});

it.each(themes)("the pictures of all views equal the published ones in the %s theme", async (colorScheme) => {
  const differences: string[] = [];
  for (const { name, hash, ready, size } of views) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme,
      reducedMotion: "reduce",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(session.time);
    await page.goto(`${url}/${hash}`);
    await page.locator(ready).first().waitFor();
    await page.evaluate("document.fonts.ready");
    await page.waitForTimeout(300);
    const path = join(directory, `${name}-${colorScheme}.png`);
    const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
    await context.close();
    if (mode !== "") {
      mkdirSync(directory, { recursive: true });
      writeFileSync(path, smaller(picture));
    } else {
      expect(existsSync(path), path).toBe(true);
      const share = difference(picture, readFileSync(path));
      if (share > tolerance) differences.push(`${name}-${colorScheme}: ${(share * 100).toFixed(1)} % of the pixels`);
    }
  }
  expect(differences).toEqual([]);
});

/** Returns the picture with 64 colors, a third of the size. The pages have fewer colors, except for the edges of letters. */
function smaller(picture: Buffer): Buffer {
  return execFileSync("pngquant", ["--nofs", "--speed", "1", "--strip", "64", "-"], { input: picture });
}

/** Returns the share of pixels that differ, 1 for another size. */
function difference(actual: Buffer, expected: Buffer): number {
  const [now, before] = [PNG.sync.read(actual), PNG.sync.read(expected)];
  const { width, height } = before;
  if (now.width !== width || now.height !== height) return 1;
  return pixelmatch(now.data, before.data, undefined, width, height, { threshold: 0.15 }) / (width * height);
}

/** Runs a session with content for each view: the operator's writes, manual changes, failures and webhooks. */
async function record(): Promise<void> {
  const root = await gameProject();
  const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
  await scaffold(root, "create", "webhook", ...kind, "--defaulting", "--programmatic-validation");
  cpSync(join(checkout, "examples", "game-webhook"), root, { recursive: true });
  const dev = new Dev(root);
  const { kubeconfig } = await dev.event("ready");
  const transport = createTransport(loadConfig({ kubeconfig: String(kubeconfig) }));
  const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";
  const patch = (path: string, body: object) =>
    transport.request({
      method: "PATCH",
      path,
      query: { fieldManager: "kubectl-edit" },
      contentType: "application/merge-patch+json",
      body,
    });
  try {
    await dev.event("reconciled");
    for (const name of ["chess", "go", "shogi"]) {
      const body = {
        apiVersion: "myapp.qingwave.github.io/v1",
        kind: "Game",
        metadata: { name },
        spec: { replicas: 2, image: "nginx", host: `${name}.example.com` },
      };
      await transport.request({ method: "POST", path: games, body, query: { fieldManager: "kubectl-create" } });
    }
    await eventually(async () => expect(JSON.stringify(await dev.ask("objects"))).not.toContain('"ready":false'));
    await patch(`${games}/game-sample`, { spec: { replicas: 3 } });
    await eventually(async () => expect(JSON.stringify(await dev.ask("objects"))).not.toContain('"ready":false'));
    await transport.request({ method: "DELETE", path: "/api/v1/namespaces/default/services/game-sample" });
    await dev.event("reconciled", ({ reasons }) => JSON.stringify(reasons).includes("delete"));
    const before = dev.lines.length;
    await dev.ask("fault", "conflict", "--kind", "Deployment");
    await patch("/apis/apps/v1/namespaces/default/deployments/game-sample", { spec: { replicas: 1 } });
    await dev.event("reconciled", ({ reasons }) => JSON.stringify(reasons).includes("retry"), before);
    await patch(`${games}/game-sample`, { spec: { host: "" } }).catch(() => undefined);
    await eventually(async () => expect(JSON.stringify(await dev.ask("objects"))).not.toContain('"ready":false'));
    await recordSession(dev);
  } finally {
    await transport.close();
    await dev.remove();
  }
}
