import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { applyPlan } from "./apply.ts";
import type { Operation, Plan } from "./operation.ts";

const planOf = (root: string, operations: readonly Operation[]): Plan => ({
  root,
  operations,
  kept: [],
  overwritten: [],
});

const operations: readonly Operation[] = [
  { op: "create", path: "a/deep/new.txt", content: "new" },
  { op: "delete", path: "gone.txt" },
  { op: "update", path: "old.txt", content: "changed" },
  { op: "create", path: "z.txt", content: "z" },
];
const before = { "gone.txt": "gone", "old.txt": "old", "mine.txt": "mine" };

it("applyPlan applies a plan and leaves no temporary files", async () => {
  const root = testDirectory(before);
  chmodSync(join(root, "old.txt"), 0o755);
  await applyPlan(planOf(root, operations));
  expect(Object.keys(snapshot(root)).sort()).toEqual([
    "a/",
    "a/deep/",
    "a/deep/new.txt",
    "mine.txt",
    "old.txt",
    "z.txt",
  ]);
  expect(readFileSync(join(root, "old.txt"), "utf8")).toBe("changed");
  expect(statSync(join(root, "old.txt")).mode & 0o777).toBe(0o755);
});

describe("applyPlan leaves the tree unchanged", () => {
  const steps = operations.flatMap(({ path }) => [
    ["stage", path],
    ["commit", path],
  ]);

  it.each(steps)("if the disk fails at %s %s", async (step, path) => {
    const root = testDirectory(before);
    const was = snapshot(root);
    const onStep = (now: string, at: string) => {
      if (now === step && at === path) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };
    await expect(applyPlan(planOf(root, operations), { onStep })).rejects.toMatchObject({
      message: expect.stringContaining("nothing was changed: no space left"),
      hint: "free space on this disk, then run the command again",
    });
    expect(snapshot(root)).toEqual(was);
  });

  it.each(operations.map(({ path }) => path))("if a signal arrives while %s is staged", async (path) => {
    const root = testDirectory(before);
    const was = snapshot(root);
    const controller = new AbortController();
    const onStep = (_: string, at: string) => {
      if (at === path) controller.abort();
    };
    await expect(applyPlan(planOf(root, operations), { onStep, signal: controller.signal })).rejects.toMatchObject({
      id: "interrupted",
    });
    expect(snapshot(root)).toEqual(was);
  });

  it("if the directory is read-only, with an error", async () => {
    const root = testDirectory(before);
    const was = snapshot(root);
    const onStep = () => {
      throw Object.assign(new Error("read-only file system"), { code: "EROFS" });
    };
    await expect(applyPlan(planOf(root, operations), { onStep })).rejects.toMatchObject({
      id: "write-failed",
      message: "a/deep/new.txt can't be written, nothing was changed: read-only file system",
      hint: "the disk is read-only: use a directory on another one, or mount it writable",
    });
    expect(snapshot(root)).toEqual(was);
  });

  it("if a new file has been created by somebody else", async () => {
    const root = testDirectory({ ...before, "z.txt": "somebody's" });
    const was = snapshot(root);
    await expect(applyPlan(planOf(root, operations))).rejects.toMatchObject({ id: "changed-meanwhile" });
    expect(snapshot(root)).toEqual(was);
  });
});

it("applyPlan completes the plan if the signal arrives after the commit point", async () => {
  const root = testDirectory(before);
  const controller = new AbortController();
  const onStep = (step: string) => {
    if (step === "commit") controller.abort();
  };
  await applyPlan(planOf(root, operations), { onStep, signal: controller.signal });
  expect(existsSync(join(root, "z.txt"))).toBe(true);
});

describe("deletions of files", () => {
  const files = { "a/b/gone.txt": "1", "a/c/gone.txt": "2", "d/stays.txt": "3", "d/gone.txt": "4" };
  const all: Operation[] = ["a/b/gone.txt", "a/c/gone.txt", "d/gone.txt"].map((path) => ({ op: "delete", path }));

  it("remove empty directories", async () => {
    const root = testDirectory(files);
    await applyPlan(planOf(root, all));
    expect(snapshot(root)).toEqual({ "d/": "", "d/stays.txt": "644 3" });
  });

  it("are undone with their directories if a later step fails", async () => {
    const root = testDirectory(files);
    const was = snapshot(root);
    const onStep = (step: string, path: string) => {
      if (step === "commit" && path === "d/gone.txt") throw new Error("no");
    };
    await expect(applyPlan(planOf(root, all), { onStep })).rejects.toMatchObject({ id: "write-failed" });
    expect(snapshot(root)).toEqual(was);
  });
});

describe("applyPlan with links", () => {
  it.each([
    [
      "a link to a directory outside",
      "out/new.txt",
      (root: string, other: string) => symlinkSync(other, join(root, "out")),
    ],
    [
      "a link to a file outside",
      "file.txt",
      (root: string, other: string) => symlinkSync(join(other, "theirs.txt"), join(root, "file.txt")),
    ],
    ["a link to nothing", "file.txt", (root: string) => symlinkSync("nothing", join(root, "file.txt"))],
  ])("rejects %s", async (_, path, prepare) => {
    const other = testDirectory({ "theirs.txt": "theirs" });
    const root = testDirectory();
    prepare(root, other);
    const was = [snapshot(root), snapshot(other)];
    const plan = planOf(root, [
      { op: "create", path: "fine.txt", content: "" },
      { op: "update", path, content: "x" },
    ]);
    await expect(applyPlan(plan)).rejects.toThrow(/is a link/);
    expect([snapshot(root), snapshot(other)]).toEqual(was);
  });

  it("writes through a link inside the project, and keeps the link", async () => {
    const root = testDirectory({ "real/file.txt": "old" });
    symlinkSync("real", join(root, "linked"));
    await applyPlan(planOf(root, [{ op: "update", path: "linked/file.txt", content: "new" }]));
    expect(snapshot(root)).toMatchObject({ linked: "-> real", "real/file.txt": "644 new" });
  });

  it.each(["../x", "/etc/x", "a/../../x", "", "a//b", "./x"])("rejects the path %j", async (path) => {
    await expect(applyPlan(planOf(testDirectory(), [{ op: "create", path, content: "" }]))).rejects.toMatchObject({
      id: "outside-project",
    });
  });

  it("rejects a directory in place of a file, and a file in place of a directory", async () => {
    const root = testDirectory({ file: "" });
    mkdirSync(join(root, "directory"));
    await expect(applyPlan(planOf(root, [{ op: "create", path: "directory", content: "" }]))).rejects.toMatchObject({
      id: "not-a-file",
    });
    await expect(applyPlan(planOf(root, [{ op: "create", path: "file/x", content: "" }]))).rejects.toMatchObject({
      id: "not-a-directory",
    });
  });
});
