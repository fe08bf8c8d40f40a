import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { initProject } from "../scaffold/test-support/game.ts";
import { applyAndDie } from "../scaffold/test-support/killed.ts";
import { snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const createGame = ["create", "api", "--group", "shop", "--version", "v1", "--kind", "Game"];

/** Creates a project to which a killed process has written half of a plan, including PROJECT. */
async function halfWritten(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  const text = `${readFileSync(join(root, "PROJECT"), "utf8")}nonsense: [`;
  applyAndDie(
    root,
    [
      { op: "create", path: "api/v1/game-types.ts", content: "half" },
      { op: "update", path: "PROJECT", content: text },
      { op: "create", path: "z.txt", content: "z" },
    ],
    { step: "commit", path: "z.txt" },
  );
  return root;
}

describe("a signal", () => {
  const nothing = { code: 130, stdout: "", stderr: "error: interrupted, nothing was changed\n" };
  const interrupted = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const root = testDirectory();
    await initProject(root);
    await runCli(root, createGame);
    // --force would overwrite this change, and the generator reports it.
    appendFileSync(join(root, "api/v1/game-types.ts"), "// +kubebuilder:nonsense\n");
    const was = snapshot(root);
    const end = await runCli(root, argv, { signal: AbortSignal.abort(), env });
    expect(snapshot(root)).toEqual(was);
    return end;
  };
  const createChess = [...createGame.slice(0, -1), "Chess"];

  it.each<readonly [string, readonly string[]]>([
    ["a command", createChess],
    ["a command with flags that have no effect", [...createChess, "--make", "--ssa"]],
    ["a command that would overwrite files", [...createGame, "--force"]],
    ["the generator, also after it found errors", ["generate"]],
    ["doctor, instead of reporting programs that haven't responded as missing", ["doctor"]],
  ])("ends %s with one line", async (_, argv) => {
    expect(await interrupted(argv)).toEqual(nothing);
  });

  it("ends a command that waits for npm, and isn't reported as an unreachable registry", async () => {
    const argv = [
      ...["create", "api", "--group", "x", "--version", "v1", "--kind", "Y", "--external-api-domain", "io"],
      ...["--external-api-path", "@acme/types/v1", "--external-api-module", "@acme/types"],
    ];
    expect(await interrupted(argv, { PATH: process.env.PATH ?? "" })).toEqual(nothing);
  });
});

describe("a command that was killed while it wrote files", () => {
  it("is undone by the next command, with a warning", async () => {
    const root = await halfWritten();
    const { code, stderr } = await runCli(root, createGame);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(
      "a command was killed while it wrote to this project: its changes were undone (PROJECT, api/v1/game-types.ts)",
    );
    const fresh = testDirectory();
    await initProject(fresh);
    await runCli(fresh, createGame);
    expect(snapshot(root)).toEqual(snapshot(fresh));
  });

  fullTest("makes a dry run fail instead of planning with a half-written project", async () => {
    const root = await halfWritten();
    const was = snapshot(root);
    const { code, stderr } = await runCli(root, [...createGame, "--dry-run"]);
    expect(code).toBe(1);
    expect(stderr).toContain("run the command without --dry-run, which undoes those changes first");
    expect(snapshot(root)).toEqual(was);
  });

  fullTest("is reported by doctor, which changes nothing", async () => {
    const root = await halfWritten();
    const { code, stdout } = await runCli(root, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("a command was killed while it wrote to this project");
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toHaveLength(1);
  });
});
