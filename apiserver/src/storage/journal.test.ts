import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Journal } from "./journal.ts";

/** The number of files that can still be opened. */
let left = Number.POSITIVE_INFINITY;

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const openSync = (...args: Parameters<typeof fs.openSync>): number => {
    if (left-- <= 0) throw new Error("EMFILE: too many open files");
    return fs.openSync(...args);
  };
  return { ...fs, openSync };
});

test("a journal is appended to after it was rewritten, even if no further file can be opened", () => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  const path = join(directory, "data");
  const record = (key: string, revision: number) => ({ collection: "pods", key, revision, text: "{}" });
  try {
    const journal = new Journal(path, () => {});
    journal.append(record("a", 1));
    left = 1;
    journal.rewrite([record("a", 1), record("é", 2)], 2);
    journal.append(record("b", 3));
    left = Number.POSITIVE_INFINITY;
    journal.close();
    const { revision, objects } = new Journal(path, () => {}).read();
    expect(revision).toBe(3);
    expect(objects.map(({ key }) => key)).toEqual(["a", "é", "b"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
