import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { holdUntilStart } from "../build/hold.ts";
import { Records } from "../store/records.ts";
import { SessionEvents } from "../store/session-events.ts";
import { ManagerFlags } from "./flags.ts";
import { ManagerSupervisor } from "./supervisor.ts";

let root: string;
let trace: string;
let supervisor: ManagerSupervisor;
let writes = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loaded-manager-"));
  trace = join(root, "trace");
  writes = 0;
  supervisor = new ManagerSupervisor({
    settings: { root, env: process.env, kubeconfig: "", program: "test", identity: () => undefined },
    events: new SessionEvents(),
    flags: new ManagerFlags(root, [], undefined),
    webhooks: { manifest: "", keys: "", serve: async () => undefined, serveNothing: async () => {}, hold: () => {} },
    records: new Records(),
    signal: new AbortController().signal,
    client: () => {
      throw new Error("no cluster");
    },
    restart: () => {},
  });
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Returns a program that notes when it is loaded and when its code runs, with its process. */
function program(name: string) {
  const say = (what: string) =>
    `(await import("node:fs")).appendFileSync(${JSON.stringify(trace)}, "${name} ${what} " + process.pid + "\\n");`;
  const report = `process.send({ kubewright: "inspect", message: { type: "started" } });`;
  return {
    hash: name,
    conversions: "",
    write: () => {
      writes++;
      const path = join(root, `${name}.mjs`);
      const code = `${say("is loaded")}\n${holdUntilStart()}\n${say("runs")}\nsetInterval(() => {}, 1000);\n${report}\n`;
      writeFileSync(path, code);
      return path;
    },
  };
}

const lines = () => (existsSync(trace) ? readFileSync(trace, "utf8").trim().split("\n") : []);
const steps = () => lines().map((line) => line.replace(/ \d+$/, ""));
const pidOf = (line: number) => Number(lines()[line]?.split(" ").at(-1));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it("runs the code of a loaded manager only after its start, in the same process", async () => {
  const bundle = program("one");
  supervisor.load(bundle);
  await expect.poll(steps).toEqual(["one is loaded"]);
  appendFileSync(trace, "types are checked 0\n");
  await supervisor.start(bundle, performance.now());
  expect(steps()).toEqual(["one is loaded", "types are checked", "one runs"]);
  expect([pidOf(2), writes]).toEqual([pidOf(0), 1]);
});

it("ends a loaded manager that isn't started, without running its code", async () => {
  const [bad, good] = [program("bad"), program("good")];
  supervisor.load(bad);
  await expect.poll(steps).toEqual(["bad is loaded"]);
  await supervisor.unload();
  expect(isRunning(pidOf(0))).toBe(false);
  await supervisor.start(good, performance.now());
  expect(steps()).toEqual(["bad is loaded", "good is loaded", "good runs"]);
});

it("starts the given code if other code is loaded, and ends the latter", async () => {
  supervisor.load(program("old"));
  await expect.poll(steps).toEqual(["old is loaded"]);
  supervisor.load(program("older"));
  await expect.poll(steps).toEqual(["old is loaded", "older is loaded"]);
  await supervisor.start(program("new"), performance.now());
  expect(steps()).toEqual(["old is loaded", "older is loaded", "new is loaded", "new runs"]);
  await expect.poll(() => [pidOf(0), pidOf(1)].map(isRunning)).toEqual([false, false]);
});

it("loads nothing if the code runs already, and leaves no process at the end", async () => {
  const [bundle, next] = [program("one"), program("two")];
  await supervisor.start(bundle, performance.now());
  supervisor.load(bundle);
  expect(writes).toBe(1);
  supervisor.load(next);
  await expect.poll(steps).toEqual(["one is loaded", "one runs", "two is loaded"]);
  await supervisor.stop();
  expect([pidOf(1), pidOf(2)].map(isRunning)).toEqual([false, false]);
});
