import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
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

/** This user's state, outside of each project. */
let state: string;
beforeEach(() => {
  state = testDirectory();
  vi.stubEnv("XDG_STATE_HOME", state);
  return () => vi.unstubAllEnvs();
});
const journals = () => (existsSync(join(state, "kubewright")) ? readdirSync(join(state, "kubewright/journals")) : []);

/** A tree in which a process was killed before a step. */
function killedAt(step: ApplyStep, path: string) {
  const root = testDirectory(before);
  const was = snapshot(root);
  applyAndDie(root, operations, { step, path });
  const [staging = "", ...more] = readdirSync(root).filter((name) => name.endsWith(".tmp"));
  expect([staging, more]).toEqual([expect.stringMatching(/^\.kubewright-/), []]);
  return { root, was, staging: join(root, staging) };
}

describe("a process that is killed while it writes", () => {
  it.each(operations.map(({ path }) => path))("while %s is made ready leaves what the next run clears away", (path) => {
    const { root, was } = killedAt("stage", path);
    expect(wasInterrupted(root)).toBe(false);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    expect(snapshot(root)).toEqual(was);
    expect(journals()).toEqual([]);
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
      expect(journals()).toEqual([]);
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

  it("leaves a project that is taken back at another place, too", () => {
    const { root, was } = killedAt("clear", ".");
    const moved = `${testDirectory()}/moved`;
    renameSync(root, moved);
    expect(wasInterrupted(moved)).toBe(true);
    undoInterrupted(moved);
    expect(snapshot(moved)).toEqual(was);
  });

  it("gives a file that it puts back the mode that it had", () => {
    const root = testDirectory(before);
    chmodSync(join(root, "old.txt"), 0o750);
    applyAndDie(root, operations, { step: "clear", path: "." });
    undoInterrupted(root);
    expect(statSync(join(root, "old.txt")).mode & 0o777).toBe(0o750);
  });
});

describe("a checkout that brings a journal", () => {
  const name = ".kubewright-01234567-89ab-cdef-0123-456789abcdef.tmp";
  /** A directory with something of the user's beside a checkout. */
  function besideSecret(files: Readonly<Record<string, string>>) {
    const home = testDirectory({ "secret.txt": "secret", "mine/keep.txt": "keep" });
    for (const [path, text] of Object.entries({ "checkout/PROJECT": "", ...files })) {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    return { home, root: join(home, "checkout") };
  }

  it.each([
    ["a backup above", { path: "loot.txt", backup: "../../secret.txt" }],
    ["a backup at an absolute path", { path: "loot.txt", backup: "/etc/passwd" }],
    ["a path above", { path: "../secret.txt", backup: "0.old" }],
    ["a path to create, which would be removed", { path: "PROJECT", written: "e3b0c44298fc1c149afbf4c8996fb924" }],
    ["a path in .git", { path: ".git/hooks/pre-commit", backup: "0.old" }],
    ["a directory above", { path: "x", directories: ["../mine"] }],
  ])("has nothing done by it: %s", (_, { directories = [], ...entry }: { path: string; directories?: string[] }) => {
    const journal = JSON.stringify({ entries: [entry], directories });
    const { home, root } = besideSecret({
      [`checkout/${name}/journal.json`]: journal,
      [`checkout/${name}/0.old`]: "evil",
    });
    const was = snapshot(home);
    expect(wasInterrupted(root)).toBe(false);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    expect(snapshot(home)).toEqual(was);
  });

  it("has no link followed that looks like a staging directory", () => {
    const { home, root } = besideSecret({});
    symlinkSync("../mine", join(root, name));
    const was = snapshot(home);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    expect(snapshot(home)).toEqual(was);
  });

  it("has none read from a state directory inside of itself", () => {
    const id = name.slice(".kubewright-".length, -".tmp".length);
    const journal = JSON.stringify({ entries: [{ path: "PROJECT", written: "e3b0" }], directories: [] });
    const { root } = besideSecret({ [`checkout/${name}/0.old`]: "evil" });
    mkdirSync(join(root, ".state/kubewright/journals"), { recursive: true, mode: 0o700 });
    writeFileSync(join(root, ".state/kubewright/journals", `${id}.json`), journal);
    vi.stubEnv("XDG_STATE_HOME", join(root, ".state"));
    expect(wasInterrupted(root)).toBe(false);
  });

  it("has none read from a directory that others can write to", () => {
    const { root } = killedAt("clear", ".");
    chmodSync(join(state, "kubewright/journals"), 0o777);
    expect(wasInterrupted(root)).toBe(false);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    chmodSync(join(state, "kubewright/journals"), 0o700);
    expect(wasInterrupted(root)).toBe(true);
  });
});

describe("a staging directory that is changed after a kill", () => {
  const changes: readonly (readonly [string, (staging: string, outside: string) => void])[] = [
    ["has another content", (staging) => writeFileSync(join(staging, "2.old"), "evil")],
    [
      "is a link to a file outside",
      (staging, outside) => {
        rmSync(join(staging, "2.old"));
        symlinkSync(join(outside, "old.txt"), join(staging, "2.old"));
      },
    ],
    [
      "is a hard link to another file outside",
      (staging, outside) => {
        rmSync(join(staging, "2.old"));
        linkSync(join(outside, "other.txt"), join(staging, "2.old"));
      },
    ],
    ["is gone", (staging) => rmSync(join(staging, "2.old"))],
  ];
  it.each(changes)("gives nothing back from a copy that %s", (_, change) => {
    const { root, staging } = killedAt("clear", ".");
    const outside = testDirectory({ "old.txt": "old", "other.txt": "other" });
    change(staging, outside);
    const was = snapshot(outside);
    expect(undoInterrupted(root).kept).toEqual(["old.txt"]);
    expect(readFileSync(join(root, "old.txt"), "utf8")).toBe("changed");
    expect(snapshot(outside)).toEqual(was);
  });

  it("doesn't move a hard link away from outside", () => {
    const { root, staging } = killedAt("clear", ".");
    const outside = testDirectory({ "old.txt": "old" });
    rmSync(join(staging, "2.old"));
    linkSync(join(outside, "old.txt"), join(staging, "2.old"));
    undoInterrupted(root);
    writeFileSync(join(root, "old.txt"), "my work");
    expect(readFileSync(join(outside, "old.txt"), "utf8")).toBe("old");
  });

  it.each(["gone", "a"])("has nothing written through a link that took the place of %s/", (directory) => {
    const { root } = killedAt("clear", ".");
    const outside = testDirectory({ "deep/new.txt": "new" });
    rmSync(join(root, directory), { recursive: true, force: true });
    symlinkSync(outside, join(root, directory));
    const was = snapshot(outside);
    expect(undoInterrupted(root).kept).toHaveLength(1);
    expect(snapshot(outside)).toEqual(was);
  });

  it("is worth nothing in another checkout without its journal", () => {
    const { root, staging } = killedAt("clear", ".");
    const clone = testDirectory();
    cpSync(root, clone, { recursive: true });
    vi.stubEnv("XDG_STATE_HOME", testDirectory());
    expect(wasInterrupted(clone)).toBe(false);
    expect(undoInterrupted(clone)).toEqual({ restored: [], kept: [] });
    expect(existsSync(join(clone, staging.slice(root.length)))).toBe(true);
  });
});
