// Test suites of Go modules, on copies of their sources.
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { testServers } from "../../scripts/lib/test-servers.mjs";
import { apiserverProgram } from "../../scripts/test-support/scaffold.ts";

/** The result of a test. */
export type State = "passed" | "failed" | "skipped";

const states: Readonly<Record<string, State>> = { pass: "passed", fail: "failed", skip: "skipped" };
const minutes = 60_000;

/**
 * Downloads a Go module and copies it to a new temporary directory, because files of the module cache are read-only.
 *
 * @param module - the module and its version, for example `sigs.k8s.io/controller-runtime@v0.25.2`
 * @returns the directory, which the caller removes
 */
export async function copyModule(module: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-suites-"));
  const { stdout } = await must("go", ["mod", "download", "-json", module]);
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  cpSync(Dir, directory, { recursive: true });
  await must("chmod", ["-R", "u+w", directory]);
  return directory;
}

/**
 * Runs Go's tests. Servers that they leave running are stopped afterwards: some suites don't stop their own.
 *
 * @param args - the arguments of `go`
 * @param cwd - the directory of the module
 * @param env - added to the environment
 * @returns the output; the state of each test by its name, if the arguments contain `-json`; and whether the package has one
 */
export async function runGoTests(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ output: string; results: Map<string, State>; ended: boolean }> {
  const mark = `KUBEWRIGHT_SUITE=${randomUUID()}`;
  const [name, value] = mark.split("=") as [string, string];
  try {
    const { stdout, stderr } = await run("go", [...args], { cwd, env: { ...process.env, ...env, [name]: value } });
    const results = new Map<string, State>();
    let ended = false;
    for (const line of stdout.split("\n").filter((line) => line.startsWith("{"))) {
      const { Action, Test } = JSON.parse(line) as { Action: string; Test?: string };
      const state = states[Action];
      if (Test === undefined) ended ||= state !== undefined;
      else if (state !== undefined) results.set(Test, state);
    }
    return { output: `${stdout.slice(-10_000)}${stderr}`, results, ended };
  } finally {
    for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        // Without its etcd, a kube-apiserver doesn't end at SIGTERM.
        if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark)) process.kill(Number(pid), "SIGKILL");
      } catch {
        // The process has ended, or belongs to another user.
      }
    }
  }
}

/** A suite that runs on any executables of the servers. */
interface Suite {
  /** Runs a package with a directory of servers, and returns the states of its tests by their names. */
  run(path: string, assets: string): Promise<Map<string, State>>;
  /** Removes the sources. */
  remove(): void;
}

/**
 * Defines tests that compare the results on the real servers with those on the embedded API server's executables.
 *
 * @param fetch - downloads the suite
 * @param packages - the packages of the suite
 * @param limits - the least number of tests that pass on the real servers, and the time limit per package in minutes
 */
export function compareServers(
  fetch: () => Promise<Suite>,
  packages: readonly string[],
  limits: { least: number; minutes: number },
): void {
  let suite: Suite;
  let embedded: string;
  let binaries: string;

  beforeAll(async () => {
    suite = await fetch();
    const { stdout } = await must(process.execPath, [apiserverProgram, "assets"]);
    embedded = stdout.trim();
    binaries = (await testServers()) as string;
  }, 20 * minutes);

  afterAll(() => {
    suite?.remove();
    if (embedded !== undefined) rmSync(embedded, { recursive: true, force: true });
  });

  it.each(packages)(
    "each test of %s that passes on the real server passes on the embedded one",
    async (path) => {
      const real = await suite.run(path, binaries);
      const own = await suite.run(path, embedded);
      const passed = [...real].filter(([, state]) => state === "passed").map(([name]) => name);
      process.stdout.write(`${path}: ${passed.length} tests pass on the real server\n`);
      expect(passed.length).toBeGreaterThan(limits.least);
      expect(passed.filter((name) => own.get(name) !== "passed")).toEqual([]);
    },
    limits.minutes * minutes,
  );
}
