import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApplyStep } from "./apply.ts";
import { undoInterrupted, wasInterrupted } from "./journal.ts";
import type { Operation } from "./operation.ts";
import { applyAndDie } from "./test-support/killed.ts";
import { snapshot, testDirectory } from "./test-support/tree.ts";

const operations: readonly Operation[] = [
  { op: "create", path: "a/deep/new.txt", content: "new" },
  { op: "delete", path: "gone/gone.txt" },
  { op: "update", path: "old.txt", content: "changed" },
  { op: "create", path: "z.txt", content: "z" },
];
const before = { "gone/gone.txt": "gone", "old.txt": "old", "mine.txt": "mine" };

/** A tree in which a process was killed before a step. */
function killedAt(step: ApplyStep, path: string): { root: string; was: ReturnType<typeof snapshot> } {
  const root = testDirectory(before);
  const was = snapshot(root);
  applyAndDie(root, operations, { step, path });
  expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toHaveLength(1);
  return { root, was };
}

describe("a process that is killed", () => {
  it.each(operations.map(({ path }) => path))("while %s is made ready leaves what the next run clears away", (path) => {
    const { root, was } = killedAt("stage", path);
    expect(wasInterrupted(root)).toBe(false);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    expect(snapshot(root)).toEqual(was);
  });

  it.each([...operations.map(({ path }) => ["commit", path] as const), ["clear", "."] as const])(
    "before %s %s leaves what the next run takes back",
    (step, path) => {
      const { root, was } = killedAt(step, path);
      const index = operations.findIndex((operation) => operation.path === path);
      const done = operations.slice(0, index < 0 ? undefined : index).map((operation) => operation.path);
      expect(wasInterrupted(root)).toBe(true);
      expect(undoInterrupted(root)).toEqual({ restored: done, kept: [] });
      expect(snapshot(root)).toEqual(was);
      expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    },
  );

  it("leaves files that nobody takes back who has worked on them since", () => {
    const { root } = killedAt("clear", ".");
    writeFileSync(join(root, "old.txt"), "my work");
    writeFileSync(join(root, "z.txt"), "my work");
    expect(undoInterrupted(root)).toEqual({
      restored: ["a/deep/new.txt", "gone/gone.txt"],
      kept: ["old.txt", "z.txt"],
    });
    expect(readFileSync(join(root, "old.txt"), "utf8")).toBe("my work");
    expect(readFileSync(join(root, "gone/gone.txt"), "utf8")).toBe("gone");
    expect(readdirSync(root).sort()).toEqual(["gone", "mine.txt", "old.txt", "z.txt"]);
  });
});
