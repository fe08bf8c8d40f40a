// `generate --watch` as a process: what it prints, how it ends, and that it costs nothing while nothing happens.
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
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (text) => {
      said[stream] += text;
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
  return { child, said, ended, edit, crdText, cwd };
}

/** Milliseconds of CPU that a process has used; undefined where the system doesn't tell in this way. */
function cpu({ pid }: ChildProcess): number | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const [user, system] = readFileSync(path, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

it("writes on each save, reports mistakes and continues, and ends with 130 on Ctrl-C", async () => {
  const { child, said, ended, edit, crdText } = start();
  await eventually(() => expect(said.stderr).toContain("watching for changes"));
  expect(said.stderr).toMatch(/^\d\d:\d\d:\d\d create config\/crd\/bases\/.*\.yaml$/m);
  edit("replicas?: Int32;", "copies?: Int32;");
  await eventually(() => expect(crdText()).toContain("copies:"));
  edit("copies?: Int32;", "copies?: ;");
  await eventually(() => expect(said.stderr).toContain("[syntax-error]"));
  expect(crdText()).toContain("copies:");
  edit("copies?: ;", "instances?: Int32;");
  await eventually(() => expect(crdText()).toContain("instances:"));
  expect(said.stderr).toMatch(/update .* \(\d+ ms after the change\)$/m);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(said.stdout).toBe("");
});

it("with --json prints a line for each run, and ends with 130 on SIGTERM", async () => {
  const { child, said, ended, edit } = start("--json");
  const lines = () => said.stdout.split("\n").slice(0, -1);
  await eventually(() => expect(lines()).toHaveLength(1));
  await eventually(() => expect(said.stderr).toContain("watching for changes"));
  edit("replicas?: Int32;", "replicas?: ;");
  await eventually(() => expect(lines()).toHaveLength(2));
  child.kill("SIGTERM");
  expect(await ended).toBe(130);
  const [first, second] = lines().map((line) => JSON.parse(line));
  expect(first.files).toContainEqual({ path: crd, action: "create" });
  expect(second.files).toEqual([]);
  expect(second.diagnostics).toContainEqual(expect.objectContaining({ id: "syntax-error", file: types }));
});

it("costs no time while nothing happens", async () => {
  const { child, said } = start();
  await eventually(() => expect(said.stderr).toContain("watching for changes"));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = cpu(child);
  if (before === undefined) return;
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect((cpu(child) ?? 0) - before).toBeLessThanOrEqual(50);
});

it("is a wrong call together with --check", async () => {
  const { ended, said } = start("--check");
  expect(await ended).toBe(2);
  expect(said.stderr).toContain("--watch can't be combined with --check");
});
