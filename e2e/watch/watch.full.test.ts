// Tests `generate --watch` as a process: its output, its end, and its CPU time while it is idle.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";

const crd = "config/crd/bases/myapp.qingwave.github.io_games.yaml";
const types = "api/v1/game-types.ts";

function start(...flags: string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "kubewright-watch-"));
  for (const part of ["examples/game", "bench/testdata/game-ts"]) {
    cpSync(join(checkout, part), cwd, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  }
  writeFileSync(join(cwd, "PROJECT"), 'version: "3"\n');
  const child = spawn(process.execPath, [scaffoldBin, "generate", "--watch", ...flags], { cwd });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (text) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(cwd, { recursive: true, force: true });
  });
  const edit = (from: string, to: string) => {
    const path = join(cwd, types);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };
  const crdText = () => (existsSync(join(cwd, crd)) ? readFileSync(join(cwd, crd), "utf8") : "");
  return { child, output, ended, edit, crdText, cwd };
}

/** Returns the milliseconds of CPU time of a process, or undefined if the system has no /proc. */
function cpu({ pid }: ChildProcess): number | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const [user, system] = readFileSync(path, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

it("generate --watch writes on each save, continues after mistakes, and ends with 130 on Ctrl-C", async () => {
  const { child, output, ended, edit, crdText } = start();
  await eventually(() => expect(output.stderr).toContain("watching for changes"));
  expect(output.stderr).toMatch(/^\d\d:\d\d:\d\d create config\/crd\/bases\/.*\.yaml$/m);
  edit("replicas?: Int32;", "copies?: Int32;");
  await eventually(() => expect(crdText()).toContain("copies:"));
  edit("copies?: Int32;", "copies?: ;");
  await eventually(() => expect(output.stderr).toContain("[syntax-error]"));
  expect(crdText()).toContain("copies:");
  edit("copies?: ;", "instances?: Int32;");
  await eventually(() => expect(crdText()).toContain("instances:"));
  expect(output.stderr).toMatch(/update .* \(\d+ ms after the change\)$/m);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(output.stdout).toBe("");
});

it("generate --watch --json prints a line per run, and ends with 130 on SIGTERM", async () => {
  const { child, output, ended, edit } = start("--json");
  const lines = () => output.stdout.split("\n").slice(0, -1);
  await eventually(() => expect(lines()).toHaveLength(1));
  await eventually(() => expect(output.stderr).toContain("watching for changes"));
  edit("replicas?: Int32;", "replicas?: ;");
  await eventually(() => expect(lines()).toHaveLength(2));
  child.kill("SIGTERM");
  expect(await ended).toBe(130);
  const [first, second] = lines().map((line) => JSON.parse(line));
  expect(first.files).toContainEqual({ path: crd, action: "create" });
  expect(second.files).toEqual([]);
  expect(second.diagnostics).toContainEqual(expect.objectContaining({ id: "syntax-error", file: types }));
});

it("generate --watch uses no CPU time while no file changes", async () => {
  const { child, output } = start();
  await eventually(() => expect(output.stderr).toContain("watching for changes"));
  if (cpu(child) === undefined) return;
  // On a busy machine, the work of the start ends late.
  await eventually(async () => {
    const before = cpu(child) ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect((cpu(child) ?? 0) - before).toBeLessThanOrEqual(50);
  });
});

it("generate --watch can't be combined with --check", async () => {
  const { ended, output } = start("--check");
  expect(await ended).toBe(2);
  expect(output.stderr).toContain("--watch can't be combined with --check");
});
