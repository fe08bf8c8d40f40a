import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Journal } from "./journal.ts";

/** Lets `openSync` of Node.js fail after a number of calls, for all modules. */
function limitOpenFiles(count: number): void {
  const { openSync } = fs;
  let left = count;
  fs.openSync = (...args) => {
    if (left-- <= 0) throw new Error("EMFILE: too many open files");
    return openSync(...args);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  });
}

test("a journal is appended to after it was rewritten, even if no further file can be opened", () => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "data");
  const record = (key: string, revision: number) => ({ collection: "pods", key, revision, text: "{}" });
  const journal = new Journal(path, () => {});
  journal.append(record("a", 1));
  limitOpenFiles(1);
  journal.rewrite([record("a", 1), record("é", 2)], 2);
  journal.append(record("b", 3));
  journal.close();
  const lines = fs.readFileSync(path, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    record("a", 1),
    record("é", 2),
    { revision: 2 },
    record("b", 3),
  ]);
});

test("the error of a full disk names the file, which is left unchanged", () => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "data");
  const journal = new Journal(path, () => {});
  const { writeSync } = fs;
  fs.writeSync = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  });
  const record = { collection: "pods", key: "a", revision: 1, text: "{}" };
  expect(() => journal.append(record)).toThrow(expect.objectContaining({ code: "ENOSPC", path }));
  expect(() => journal.rewrite([record], 1)).toThrow(expect.objectContaining({ code: "ENOSPC", path }));
  journal.close();
  expect(fs.readFileSync(path, "utf8")).toBe("");
});
