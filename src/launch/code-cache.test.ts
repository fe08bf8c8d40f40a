import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createCodeCache } from "./code-cache.ts";

const base = mkdtempSync(join(tmpdir(), "kubewright-code-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
const fresh = () => join(base, String(count++), "code", "installation");
const path = join(base, "chunk.cjs");
const numbers = Array.from({ length: 50 }, (_, at) => at);
const functions = numbers.map((at) => `function f${at}() { return value + ${at}; }`).join("\n");
/** V8 compiles the functions when they are called, and doesn't keep those that nobody names. */
const text = `(function (value) { ${functions} return [${numbers.map((at) => `f${at}`)}].reduce((sum, f) => sum + f(), 0); })`;

/** Compiles, runs and stores; tells whether the code came from the cache, and what it gave. */
function run(
  directory: string | undefined,
  { source = text, mtime = 1, measure = true } = {},
): { cached: boolean; result: number } {
  const cache = createCodeCache(directory, () => measure);
  const script = cache.compile(path, source, mtime);
  const result = (script.runInThisContext() as (value: number) => number)(1);
  cache.keep();
  return { cached: script.cachedDataRejected === false, result };
}
const entryIn = (directory: string) => join(directory, "chunk.cjs.bin");

it("takes the code that an earlier run compiled", () => {
  const directory = fresh();
  expect(run(directory)).toEqual({ cached: false, result: 1275 });
  expect(run(directory)).toEqual({ cached: true, result: 1275 });
});

it("stores the functions that have run, not only the outermost", () => {
  const [outer, whole] = [fresh(), fresh()];
  const cache = createCodeCache(outer);
  // A text of its own: V8 would share what earlier tests compiled.
  const source = `${text} /* once */`;
  cache.compile(path, source, 1);
  cache.keep();
  run(whole, { source });
  expect(statSync(entryIn(whole)).size).toBeGreaterThan(statSync(entryIn(outer)).size);
});

it("leaves what it has alone while nothing is added", () => {
  const directory = fresh();
  run(directory);
  utimesSync(entryIn(directory), 1, 1);
  run(directory);
  expect(statSync(entryIn(directory)).mtimeMs).toBe(1000);
});

it("adds to it after a run with more code, if it measures that", () => {
  const directory = fresh();
  run(directory, { measure: false });
  const bytes = readFileSync(entryIn(directory));
  bytes.writeUInt32LE(1, 16);
  writeFileSync(entryIn(directory), bytes);
  utimesSync(entryIn(directory), 1, 1);
  expect(run(directory, { measure: false }).cached).toBe(true);
  expect(statSync(entryIn(directory)).mtimeMs).toBe(1000);
  expect(run(directory).cached).toBe(true);
  expect(statSync(entryIn(directory)).mtimeMs).toBeGreaterThan(1000);
});

describe("is not trusted when", () => {
  it("the source changed to another of the same length", () => {
    const directory = fresh();
    run(directory);
    expect(run(directory, { source: text.replace("value + 7", "value + 9"), mtime: 2 })).toEqual({
      cached: false,
      result: 1277,
    });
  });

  it("the source has another length at the same time", () => {
    const directory = fresh();
    run(directory);
    expect(run(directory, { source: text.replace("value + 7", "value + 70") })).toEqual({
      cached: false,
      result: 1338,
    });
  });

  it.each<[string, (entry: string) => void]>([
    ["it is empty", (entry) => truncateSync(entry, 0)],
    ["its head is cut off", (entry) => truncateSync(entry, 30)],
    ["its end is missing", (entry) => truncateSync(entry, statSync(entry).size - 64)],
    ["a block was lost", (entry) => writeFileSync(entry, readFileSync(entry).fill(0, 600, 1600))],
    ["it is noise", (entry) => writeFileSync(entry, Buffer.alloc(5000, "noise"))],
    ["it has another format", (entry) => writeFileSync(entry, readFileSync(entry).fill(9, 0, 4))],
    [
      "it is a directory",
      (entry) => {
        rmSync(entry);
        mkdirSync(entry);
      },
    ],
  ])("%s", (_, damage) => {
    const directory = fresh();
    run(directory);
    damage(entryIn(directory));
    expect(run(directory)).toEqual({ cached: false, result: 1275 });
  });

  it("somebody else has written it", () => {
    const directory = fresh();
    run(directory);
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(12345);
    expect(run(directory).cached).toBe(false);
    getuid.mockRestore();
  });
});

describe("does no harm when", () => {
  it("there is no place for it", () => {
    expect(run(undefined)).toEqual({ cached: false, result: 1275 });
  });

  it("its place is a file", () => {
    const directory = fresh();
    mkdirSync(join(directory, ".."), { recursive: true });
    writeFileSync(directory, "");
    expect(run(directory)).toEqual({ cached: false, result: 1275 });
  });
});

it("is for its user's eyes only", () => {
  const directory = fresh();
  run(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(entryIn(directory)).mode & 0o777).toBe(0o600);
});

it("leaves no unfinished files", () => {
  const directory = fresh();
  run(directory);
  expect(readdirSync(directory)).toEqual(["chunk.cjs.bin"]);
});

it("drops what installations left that nobody has added to for a month", () => {
  const directory = fresh();
  const [old, recent] = ["old", "recent"].map((name) => join(directory, "..", name)) as [string, string];
  for (const each of [old, recent]) mkdirSync(each, { recursive: true });
  const then = Date.now() / 1000 - 31 * 24 * 3600;
  utimesSync(old, then, then);
  run(directory);
  expect(readdirSync(join(directory, "..")).sort()).toEqual(["installation", "recent"]);
});
