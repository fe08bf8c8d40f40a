import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createCodeCache } from "./code-cache.ts";

const base = mkdtempSync(join(tmpdir(), "kubewright-code-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;
const fresh = () => join(base, String(count++), "installation");
const source = join(base, "chunk.cjs");

/** Compiles a text, and stores what was compiled; whether the code came from the cache. */
function run(directory: string, text = "(function () { return 1; })", path = source): boolean {
  const cache = createCodeCache(directory, () => true);
  const script = cache.compile(path, text, 1);
  script.runInThisContext();
  cache.keep();
  return script.cachedDataRejected === false;
}
const entry = (directory: string) => join(directory, "chunk.cjs.bin");

/** Has this process be another user than the one who wrote what is there. */
function becomeOther(): void {
  const getuid = vi.spyOn(process, "getuid").mockReturnValue(12_345);
  onTestFinished(() => getuid.mockRestore());
}

describe("compiled code that somebody else could have written", () => {
  it.each([0o666, 0o620, 0o640, 0o602])("isn't run from a file with mode %o", (mode) => {
    const directory = fresh();
    run(directory);
    expect(run(directory)).toBe(true);
    chmodSync(entry(directory), mode);
    expect(run(directory)).toBe(false);
  });

  it("isn't run from a file of another user", () => {
    const directory = fresh();
    run(directory);
    becomeOther();
    expect(run(directory)).toBe(false);
  });

  it("isn't run from behind a link", () => {
    const directory = fresh();
    run(directory);
    renameSync(entry(directory), join(base, "elsewhere.bin"));
    symlinkSync(join(base, "elsewhere.bin"), entry(directory));
    expect(run(directory)).toBe(false);
  });

  it("isn't run for another file than it was compiled from", () => {
    const directory = fresh();
    const other = join(base, "other", "chunk.cjs");
    run(directory, "(function () { return 2; })", other);
    expect(run(directory)).toBe(false);
  });

  it("isn't stored in a directory that others can write to", () => {
    const directory = fresh();
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o777);
    run(directory);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("isn't stored in a directory of another user", () => {
    const directory = fresh();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    becomeOther();
    run(directory);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("isn't stored behind a link that has the directory's name", () => {
    const directory = fresh();
    const target = join(base, "target");
    mkdirSync(target, { mode: 0o700 });
    mkdirSync(dirname(directory), { recursive: true });
    symlinkSync(target, directory);
    run(directory);
    expect(readdirSync(target)).toEqual([]);
  });

  it("doesn't change a file that has a second name elsewhere", () => {
    const directory = fresh();
    run(directory);
    const second = join(base, "second.bin");
    linkSync(entry(directory), second);
    writeFileSync(second, "mine");
    chmodSync(entry(directory), 0o600);
    run(directory);
    expect(readFileSync(second, "utf8")).toBe("mine");
  });

  it("ends in no endless loop where no directory can be", () => {
    expect(run("/proc/nothing/kubewright/code")).toBe(false);
  });
});
