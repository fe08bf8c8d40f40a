import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pristineFiles, pristinePath, readPristine } from "./pristine.ts";
import { testDirectory } from "./test-support/tree.ts";
import { openTree } from "./tree.ts";

const MiB = 1024 * 1024;

function projectWith(files: Readonly<Record<string, Uint8Array>>) {
  const root = testDirectory();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return openTree(root);
}

describe("pristine copies that unpack to gigabytes", () => {
  it("are refused with one line, in little memory", () => {
    // 1.5 MB that unpack to 1.5 GB: gzip's members follow one another.
    const member = gzipSync(Buffer.alloc(64 * MiB));
    const bomb = Buffer.concat(Array.from({ length: 24 }, () => member));
    const tree = projectWith({ [pristinePath("src/main.ts")]: bomb });
    const before = process.memoryUsage.rss();
    expect(() => readPristine(tree, "src/main.ts")).toThrow(
      ".kubewright/pristine/src/main.ts.gz can't be read: it unpacks to more than 8 MiB",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MiB);
  });

  it("are refused by their sum", () => {
    const packed = gzipSync(Buffer.alloc(7 * MiB));
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const tree = projectWith(Object.fromEntries(names.map((name) => [pristinePath(name), packed])));
    expect(() => names.map((name) => readPristine(tree, name)?.length)).toThrow(
      ".kubewright can't be read: its files unpack to more than 256 MiB",
    );
  });

  it("are refused by their number", () => {
    const root = testDirectory();
    mkdirSync(join(root, ".kubewright/pristine"), { recursive: true });
    for (let index = 0; index < 20_001; index++) writeFileSync(join(root, `.kubewright/pristine/${index}.gz`), "");
    expect(() => pristineFiles(openTree(root))).toThrow("it has 20001 files, and 20000 are allowed");
  });

  it("aren't read by a file that is too large by itself", () => {
    const tree = projectWith({ [pristinePath("a")]: Buffer.alloc(0) });
    truncateSync(join(tree.root, pristinePath("a")), 3 * 1024 * MiB);
    expect(() => readPristine(tree, "a")).toThrow("it has 3072 MiB, and 64 are allowed");
  });

  it("aren't looked for behind a link that leaves the project", () => {
    const outside = testDirectory({ "pristine/a.gz": "x" });
    const tree = projectWith({});
    symlinkSync(outside, join(tree.root, ".kubewright"));
    expect(() => pristineFiles(tree)).toThrow(".kubewright is a link that leaves the project");
  });

  it("are as good as none if they are no gzip", () => {
    const tree = projectWith({ [pristinePath("a")]: Buffer.from("not packed") });
    expect(readPristine(tree, "a")).toBeUndefined();
  });
});
