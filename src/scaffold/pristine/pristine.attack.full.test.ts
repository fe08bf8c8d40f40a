import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../scripts/test-support/processor-time.ts";
import { openTree } from "../files/tree.ts";
import { testDirectory } from "../test-support/tree.ts";
import { formatArchive } from "./archive.ts";
import { pristinePath, pristineTexts, readPristine } from "./pristine.ts";

const MiB = 1024 * 1024;
const oldPath = (path: string) => `.kubewright/pristine/${path}.gz`;

function projectWith(files: Readonly<Record<string, Uint8Array>>) {
  const root = testDirectory();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return openTree(root);
}

describe("an archive of pristine copies", () => {
  it("is rejected if it is too large", () => {
    const tree = projectWith({ [pristinePath]: Buffer.alloc(0) });
    truncateSync(join(tree.root, pristinePath), 3 * 1024 * MiB);
    expect(() => readPristine(tree, "a")).toThrow("it has 3072 MiB, and 64 are allowed");
  });

  it("is rejected if it contains too many files", () => {
    const archive = Array.from({ length: 20_001 }, (_, index) => `-- f${index} --\n`).join("");
    const tree = projectWith({ [pristinePath]: Buffer.from(archive) });
    expect(() => pristineTexts(tree)).toThrow("it contains more than 20000 files");
  });

  it("is read in bounded processor time for any lines", () => {
    for (const line of [
      "\n",
      "\\\n",
      "-- ",
      "-- \n",
      "-- a\n",
      "\\ No newline at end of file\n",
      "0123456789abcdef a\n",
    ]) {
      const text = line.repeat((4 * MiB) / line.length);
      const used = processorTime();
      for (const archive of [text, `-- a --\n${text}`]) {
        const tree = projectWith({ [pristinePath]: Buffer.from(archive) });
        expect(() => pristineTexts(tree), JSON.stringify(line)).toThrow("can't be read");
      }
      expect(used(), JSON.stringify(line)).toBeLessThan(mostProcessorTime);
    }
  });

  it("isn't read through a link that leaves the project", () => {
    const outside = testDirectory({ "pristine.txtar": "-- a --\n" });
    const tree = projectWith({});
    symlinkSync(outside, join(tree.root, ".kubewright"));
    expect(() => pristineTexts(tree)).toThrow(".kubewright is a link that leaves the project");
  });

  it("can contain the names of properties of Object.prototype", () => {
    const archive = formatArchive("", new Map(Object.entries({ ["__proto__"]: "x\n", constructor: "y\n" })));
    const tree = projectWith({ [pristinePath]: Buffer.from(archive) });
    expect([readPristine(tree, "__proto__"), readPristine(tree, "constructor")]).toEqual(["x\n", "y\n"]);
    expect(readPristine(tree, "toString")).toBeUndefined();
  });
});

describe("pristine copies of earlier versions", () => {
  it("are rejected with one line and little memory if they unpack to gigabytes", () => {
    // A gzip file of 1.5 MB that unpacks to 1.5 GB: it consists of many members.
    const member = gzipSync(Buffer.alloc(64 * MiB));
    const bomb = Buffer.concat(Array.from({ length: 24 }, () => member));
    const tree = projectWith({ [oldPath("src/main.ts")]: bomb });
    const before = process.memoryUsage.rss();
    expect(() => readPristine(tree, "src/main.ts")).toThrow(
      ".kubewright/pristine/src/main.ts.gz can't be read: it unpacks to more than 8 MiB",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MiB);
  });

  it("are rejected if their sum is too large", () => {
    const packed = gzipSync(Buffer.alloc(7 * MiB));
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const tree = projectWith(Object.fromEntries(names.map((name) => [oldPath(name), packed])));
    expect(() => pristineTexts(tree)).toThrow(".kubewright can't be read: its files unpack to more than 256 MiB");
  });

  it("are rejected if there are too many", () => {
    const root = testDirectory();
    mkdirSync(join(root, ".kubewright/pristine"), { recursive: true });
    for (let index = 0; index < 20_001; index++) writeFileSync(join(root, `.kubewright/pristine/${index}.gz`), "");
    expect(() => pristineTexts(openTree(root))).toThrow("it has 20001 files, and 20000 are allowed");
  });

  it("are rejected if a compressed file is too large", () => {
    const tree = projectWith({ [oldPath("a")]: Buffer.alloc(0) });
    truncateSync(join(tree.root, oldPath("a")), 3 * 1024 * MiB);
    expect(() => readPristine(tree, "a")).toThrow("it has 3072 MiB, and 64 are allowed");
  });

  it("are ignored if they aren't gzip", () => {
    expect(readPristine(projectWith({ [oldPath("a")]: Buffer.from("not packed") }), "a")).toBeUndefined();
  });
});
