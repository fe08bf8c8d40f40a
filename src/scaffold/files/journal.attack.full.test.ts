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
import { applyAndDie } from "../test-support/killed.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import type { ApplyStep } from "./apply.ts";
import { undoInterrupted, wasInterrupted } from "./journal.ts";
import type { Operation } from "./operation.ts";

const operations: readonly Operation[] = [
  { op: "create", path: "a/deep/new.txt", content: "new" },
  { op: "delete", path: "gone/gone.txt" },
  { op: "update", path: "old.txt", content: "changed" },
  { op: "create", path: "z.txt", content: "z" },
];
const before = { "gone/gone.txt": "gone", "old.txt": "old", "mine.txt": "mine" };

/** This user's state directory, outside of each project. */
let state: string;
beforeEach(() => {
  state = testDirectory();
  vi.stubEnv("XDG_STATE_HOME", state);
  return () => vi.unstubAllEnvs();
});
const journals = () => (existsSync(join(state, "kubewright")) ? readdirSync(join(state, "kubewright/journals")) : []);

/** Creates a tree in which a process was killed before a step. */
function killedAt(step: ApplyStep, path: string) {
  const root = testDirectory(before);
  const was = snapshot(root);
  applyAndDie(root, operations, { step, path });
  const [staging = "", ...more] = readdirSync(root).filter((name) => name.endsWith(".tmp"));
  expect([staging, more]).toEqual([expect.stringMatching(/^\.kubewright-/), []]);
  return { root, was, staging: join(root, staging) };
}

describe("a process that was killed while it wrote files", () => {
  it.each(operations.map(({ path }) => path))(
    "is undone without changes to files if it was killed while it staged %s",
    (path) => {
      const { root, was } = killedAt("stage", path);
      expect(wasInterrupted(root)).toBe(false);
      expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
      expect(snapshot(root)).toEqual(was);
      expect(journals()).toEqual([]);
    },
  );

  it.each([...operations.map(({ path }) => ["commit", path] as const), ["clear", "."] as const])(
    "is undone by the next run if it was killed before %s %s",
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

  it("isn't undone in files that the user has changed since", () => {
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

  it("is undone in a project that was moved, too", () => {
    const { root, was } = killedAt("clear", ".");
    const moved = `${testDirectory()}/moved`;
    renameSync(root, moved);
    expect(wasInterrupted(moved)).toBe(true);
    undoInterrupted(moved);
    expect(snapshot(moved)).toEqual(was);
  });

  it("is undone with the mode of the files", () => {
    const root = testDirectory(before);
    chmodSync(join(root, "old.txt"), 0o750);
    applyAndDie(root, operations, { step: "clear", path: "." });
    undoInterrupted(root);
    expect(statSync(join(root, "old.txt")).mode & 0o777).toBe(0o750);
  });
});

describe("a checkout that contains a journal", () => {
  const name = ".kubewright-01234567-89ab-cdef-0123-456789abcdef.tmp";
  /** Creates a checkout next to files of the user. */
  function checkoutBesideFiles(files: Readonly<Record<string, string>>) {
    const home = testDirectory({ "secret.txt": "secret", "mine/keep.txt": "keep" });
    for (const [path, text] of Object.entries({ "checkout/PROJECT": "", ...files })) {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    return { home, root: join(home, "checkout") };
  }

  it.each([
    ["a backup in a parent directory", { path: "loot.txt", backup: "../../secret.txt" }],
    ["a backup at an absolute path", { path: "loot.txt", backup: "/etc/passwd" }],
    ["a path in a parent directory", { path: "../secret.txt", backup: "0.old" }],
    [
      "a path of a created file, which would be removed",
      { path: "PROJECT", written: "e3b0c44298fc1c149afbf4c8996fb924" },
    ],
    ["a path in .git", { path: ".git/hooks/pre-commit", backup: "0.old" }],
    ["a directory in a parent directory", { path: "x", directories: ["../mine"] }],
  ])(
    "stays unchanged in spite of a journal with %s",
    (_, { directories = [], ...entry }: { path: string; directories?: string[] }) => {
      const journal = JSON.stringify({ entries: [entry], directories });
      const { home, root } = checkoutBesideFiles({
        [`checkout/${name}/journal.json`]: journal,
        [`checkout/${name}/0.old`]: "evil",
      });
      const was = snapshot(home);
      expect(wasInterrupted(root)).toBe(false);
      expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
      expect(snapshot(home)).toEqual(was);
    },
  );

  it("stays unchanged in spite of a link with the name of a staging directory", () => {
    const { home, root } = checkoutBesideFiles({});
    symlinkSync("../mine", join(root, name));
    const was = snapshot(home);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    expect(snapshot(home)).toEqual(was);
  });

  it("stays unchanged in spite of a state directory inside it", () => {
    const id = name.slice(".kubewright-".length, -".tmp".length);
    const journal = JSON.stringify({ entries: [{ path: "PROJECT", written: "e3b0" }], directories: [] });
    const { root } = checkoutBesideFiles({ [`checkout/${name}/0.old`]: "evil" });
    mkdirSync(join(root, ".state/kubewright/journals"), { recursive: true, mode: 0o700 });
    writeFileSync(join(root, ".state/kubewright/journals", `${id}.json`), journal);
    vi.stubEnv("XDG_STATE_HOME", join(root, ".state"));
    expect(wasInterrupted(root)).toBe(false);
  });

  it("stays unchanged if others can write to the state directory", () => {
    const { root } = killedAt("clear", ".");
    chmodSync(join(state, "kubewright/journals"), 0o777);
    expect(wasInterrupted(root)).toBe(false);
    expect(undoInterrupted(root)).toEqual({ restored: [], kept: [] });
    chmodSync(join(state, "kubewright/journals"), 0o700);
    expect(wasInterrupted(root)).toBe(true);
  });
});

describe("a staging directory that was changed after a kill", () => {
  const changes: readonly (readonly [string, (staging: string, outside: string) => void])[] = [
    ["has other content", (staging) => writeFileSync(join(staging, "2.old"), "evil")],
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
  it.each(changes)("isn't used to restore a copy that %s", (_, change) => {
    const { root, staging } = killedAt("clear", ".");
    const outside = testDirectory({ "old.txt": "old", "other.txt": "other" });
    change(staging, outside);
    const was = snapshot(outside);
    expect(undoInterrupted(root).kept).toEqual(["old.txt"]);
    expect(readFileSync(join(root, "old.txt"), "utf8")).toBe("changed");
    expect(snapshot(outside)).toEqual(was);
  });

  it("isn't used to move a hard link to an outside file", () => {
    const { root, staging } = killedAt("clear", ".");
    const outside = testDirectory({ "old.txt": "old" });
    rmSync(join(staging, "2.old"));
    linkSync(join(outside, "old.txt"), join(staging, "2.old"));
    undoInterrupted(root);
    writeFileSync(join(root, "old.txt"), "my work");
    expect(readFileSync(join(outside, "old.txt"), "utf8")).toBe("old");
  });

  it.each(["gone", "a"])("isn't used to write through a link that replaced %s/", (directory) => {
    const { root } = killedAt("clear", ".");
    const outside = testDirectory({ "deep/new.txt": "new" });
    rmSync(join(root, directory), { recursive: true, force: true });
    symlinkSync(outside, join(root, directory));
    const was = snapshot(outside);
    expect(undoInterrupted(root).kept).toHaveLength(1);
    expect(snapshot(outside)).toEqual(was);
  });

  it("isn't used in another checkout without its journal", () => {
    const { root, staging } = killedAt("clear", ".");
    const clone = testDirectory();
    cpSync(root, clone, { recursive: true });
    vi.stubEnv("XDG_STATE_HOME", testDirectory());
    expect(wasInterrupted(clone)).toBe(false);
    expect(undoInterrupted(clone)).toEqual({ restored: [], kept: [] });
    expect(existsSync(join(clone, staging.slice(root.length)))).toBe(true);
  });
});
