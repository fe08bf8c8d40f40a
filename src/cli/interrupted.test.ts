import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject } from "../scaffold/test-support/game.ts";
import { applyAndDie } from "../scaffold/test-support/killed.ts";
import { snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

const createGame = ["create", "api", "--group", "shop", "--version", "v1", "--kind", "Game"];

/** A project to which a process has written half of a plan, PROJECT included, when it was killed. */
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

describe("a command that was killed in the middle of its writing", () => {
  it("is taken back by the next one, which says so", async () => {
    const root = await halfWritten();
    const { code, stderr } = await runCli(root, createGame);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(
      "a command was killed while it wrote to this project: it is taken back (PROJECT, api/v1/game-types.ts)",
    );
    const fresh = testDirectory();
    await initProject(fresh);
    await runCli(fresh, createGame);
    expect(snapshot(root)).toEqual(snapshot(fresh));
  });

  it("keeps a dry run from planning with half of a project, and nothing is written", async () => {
    const root = await halfWritten();
    const was = snapshot(root);
    const { code, stderr } = await runCli(root, [...createGame, "--dry-run"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the next command without --dry-run takes them back first");
    expect(snapshot(root)).toEqual(was);
  });

  it("is found by doctor, which changes nothing", async () => {
    const root = await halfWritten();
    const { code, stdout } = await runCli(root, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("a command was killed while it wrote to this project");
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toHaveLength(1);
  });
});
