import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disk, type Files } from "../source/files.ts";
import { project } from "../test-support/project.ts";
import { recordFiles, stillHolds } from "./recording.ts";

it("recordFiles records each kind of read, and stillHolds detects changes", () => {
  const cwd = project({ "a/x.ts": "", "b.txt": "text" });
  const { files, observations } = recordFiles(disk);
  const asked = {
    read: files.read(join(cwd, "b.txt")),
    isFile: files.isFile(join(cwd, "b.txt")),
    findPackages: files.findPackages(["./..."], cwd),
    sourceFiles: files.sourceFiles(join(cwd, "a")),
  } satisfies Partial<Record<keyof Files, unknown>>;
  expect(asked.sourceFiles).toEqual([join(cwd, "a/x.ts")]);
  expect(observations()?.map(({ ask }) => ask)).toEqual(Object.keys(asked));
  expect(observations()?.every((observation) => stillHolds(disk, observation))).toBe(true);
  writeFileSync(join(cwd, "a/y.ts"), "");
  writeFileSync(join(cwd, "b.txt"), "texts");
  expect(observations()?.map((observation) => stillHolds(disk, observation))).toEqual([false, true, true, false]);
});

it("recordFiles returns no observations if a file changes between two reads", () => {
  const cwd = project({ "b.txt": "text" });
  const { files, observations } = recordFiles(disk);
  files.read(join(cwd, "b.txt"));
  writeFileSync(join(cwd, "b.txt"), "texts");
  files.read(join(cwd, "b.txt"));
  expect(observations()).toBeUndefined();
});

it("stillHolds accepts a read that fails again, and rejects an unknown kind of read", () => {
  const cwd = project({});
  const { files, observations } = recordFiles(disk);
  expect(() => files.read(join(cwd, "none"))).toThrow();
  const [observation] = observations() ?? [];
  expect(observation && stillHolds(disk, observation)).toBe(true);
  expect(stillHolds(disk, { ask: "toString" as never, args: [], answer: "" })).toBe(false);
});
