import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { withLock } from "./lock.ts";

const isRoot = process.getuid?.() === 0;

describe("a lock directory that somebody else has created", () => {
  let shared: string;
  let state: string;
  let root: string;
  const name = () => join(shared, `kubewright-locks-${process.getuid?.() ?? "any"}`);
  beforeEach(() => {
    shared = testDirectory();
    state = testDirectory();
    root = testDirectory();
    vi.stubEnv("TMPDIR", shared);
    vi.stubEnv("XDG_STATE_HOME", state);
    return () => vi.unstubAllEnvs();
  });

  const obstacles: readonly (readonly [string, () => void, string])[] = [
    [
      "a link",
      () => {
        mkdirSync(join(shared, "victim"), { mode: 0o700 });
        symlinkSync("victim", name());
      },
      "it is a link",
    ],
    ["a link to nothing", () => symlinkSync("nothing", name()), "it is a link"],
    ["a file", () => writeFileSync(name(), ""), "it isn't a directory"],
    [
      "a directory that others can write to",
      () => {
        mkdirSync(name());
        chmodSync(name(), 0o777);
      },
      "others may use it (mode 777, not 700)",
    ],
    ...(isRoot
      ? [
          [
            "a directory of another user",
            () => {
              mkdirSync(name(), { mode: 0o700 });
              chownSync(name(), 12_345, 12_345);
            },
            "it belongs to another user",
          ] as const,
        ]
      : []),
  ];

  it.each(obstacles)("isn't used, which one line reports: %s", async (_, plant, reason) => {
    plant();
    const was = snapshot(shared);
    const lines: string[] = [];
    let inside: string[] = [];
    const work = async () => {
      inside = readdirSync(join(state, "kubewright/locks"));
      return "done";
    };
    expect(await withLock(root, work, { onRefused: (line) => lines.push(line) })).toBe("done");
    expect(inside.length).toBeGreaterThan(0);
    expect(lines).toEqual([`${name()} isn't used: ${reason}; ${join(state, "kubewright/locks")} is used instead`]);
    expect(snapshot(shared)).toEqual(was);
  });

  it("ends the command with one clear line if no other directory is available", async () => {
    mkdirSync(name());
    chmodSync(name(), 0o777);
    vi.stubEnv("XDG_STATE_HOME", "/proc/nothing");
    await expect(withLock(root, async () => "never")).rejects.toMatchObject({
      id: "no-private-directory",
      message: expect.stringMatching(
        /^no directory is this user's alone: .*locks-\d+ isn't used: others may use it .*\/proc\/nothing/,
      ),
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
  });

  it("doesn't prevent one run from waiting for another", async () => {
    mkdirSync(name());
    chmodSync(name(), 0o777);
    let at = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++at);
      await new Promise((resolve) => setTimeout(resolve, 30));
      at--;
    };
    await Promise.all([withLock(root, work), withLock(root, work), withLock(root, work)]);
    expect(most).toBe(1);
  });
});
