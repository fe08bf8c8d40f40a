// Tests prompts on a real terminal, which script(1) opens.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { stubPackages } from "../../scripts/test-support/stub-packages.ts";
import { snapshot } from "../../scripts/test-support/tree.ts";
import { eventually } from "../lib/eventually.ts";
import { initProject } from "../lib/game.ts";

const parent = mkdtempSync(join(tmpdir(), "kubewright-terminal-"));
const root = join(parent, "mygame");
const end = join(parent, "end");
const cli = `"${process.execPath}" "${scaffoldBin}"`;
const createGame = `${cli} create api --group shop --version v1 --kind Game`;
const haveScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

beforeAll(async () => {
  mkdirSync(root);
  await must("sh", ["-c", `${cli} init --domain example.com --project-name mygame --fetch-deps=false`], { cwd: root });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Runs a shell command on a new terminal. The command's exit code is written to the file `end`. */
function onTerminal(line: string) {
  rmSync(end, { force: true });
  // The shell ignores the end of the terminal and Ctrl-C, so that it can write the command's exit code.
  const child = spawn("script", ["-qec", `trap '' HUP; trap : INT; ${line}; echo $? > "${end}"`, "/dev/null"], {
    cwd: root,
    env: { ...process.env, CI: "", TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    shown += text;
  });
  return {
    child,
    waitForOutput: (text: string) => eventually(() => expect(shown).toContain(text)),
    waitForEnd: (code: number) =>
      eventually(() => expect(existsSync(end) && readFileSync(end, "utf8")).toBe(`${code}\n`)),
  };
}

it.runIf(haveScript)("prompts accept answers that were typed earlier", async () => {
  const { child, waitForEnd } = onTerminal(createGame);
  child.stdin.write("y\nn\n");
  await waitForEnd(0);
  expect(existsSync(join(root, "api/v1/game-types.ts"))).toBe(true);
  expect(existsSync(join(root, "src/controller"))).toBe(false);
});

const interruptions: [string, number, (child: ReturnType<typeof onTerminal>["child"]) => unknown][] = [
  ["Ctrl-C is typed", 130, (child) => child.stdin.write("\u0003")],
  ["Ctrl-D is typed", 130, (child) => child.stdin.write("\u0004")],
  ["the terminal is closed", 129, (child) => child.kill("SIGKILL")],
];
it.runIf(haveScript).each(interruptions)("an interrupted prompt changes nothing if %s", async (_, code, act) => {
  const before = snapshot(root);
  const { child, waitForOutput, waitForEnd } = onTerminal(`${cli} create api --group shop --version v1`);
  await waitForOutput("kind");
  act(child);
  await waitForEnd(code);
  expect(snapshot(root)).toEqual(before);
});

it.runIf(haveScript)("the manager gets Ctrl-C once, from the terminal and not from `scaffold run`", async () => {
  const project = mkdtempSync(join(parent, "run-"));
  const signalFile = join(project, "signals");
  await initProject(project);
  stubPackages(
    project,
    `import { appendFileSync } from "node:fs";
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => appendFileSync(${JSON.stringify(signalFile)}, signal + "\\n"));
// Longer than forwarding the signal would take.
process.on("SIGINT", () => setTimeout(() => process.exit(0), 2000));
setInterval(() => {}, 1000);
console.log("running");`,
  );
  const { child, waitForOutput, waitForEnd } = onTerminal(`cd "${project}" && ${cli} run`);
  await waitForOutput("running");
  child.stdin.write("\u0003");
  await waitForEnd(0);
  expect(readFileSync(signalFile, "utf8")).toBe("SIGINT\n");
});
