import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readPristine, readPristineCopies } from "./pristine.ts";
import { archivePath, formatArchive } from "./pristine-archive.ts";
import { testDirectory } from "./test-support/tree.ts";
import { openTree } from "./tree.ts";

const MiB = 1024 * 1024;

function projectWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const root = testDirectory();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return openTree(root);
}

describe("an archive of pristine copies", () => {
  const archive = formatArchive(new Map([["src/main.ts", "main\n"]]));
  const read = (text: string) => () => readPristineCopies(projectWith({ [archivePath]: text }));

  it.each(["../secret.txt", "/etc/passwd", "a/../../b", "a//b", "./a", "C:/a", "a\\b", " a", "a\u0007", "a\u001b[2J"])(
    "is refused if it has the path %j",
    (path) => {
      expect(read(formatArchive(new Map([[path, "x"]])))).toThrow(
        `${archivePath} can't be read: ${JSON.stringify(path)} isn't a path inside the project`,
      );
    },
  );

  it.each<[string, string, string]>([
    ["a path twice", `${archive}-- src/main.ts --\nmain\n`, "is the result of a merge: src/main.ts is in it twice"],
    [
      "two digests of a path",
      archive.replace(/\n([0-9a-f]{16}) src/, "\n$1 src/main.ts\n0123456789abcdef src"),
      "is the result of a merge: src/main.ts has two digests in it",
    ],
    ["a changed text", archive.replace("main\n", "other\n"), "the text of src/main.ts doesn't match its digest"],
    ["a text without digest", `${archive}-- b --\n`, "the text of b doesn't match its digest"],
    ["a digest without text", archive.replace(/-- src[\s\S]*/, ""), "src/main.ts has a digest, but no text"],
    ["no end", archive.slice(0, -1), "the text of src/main.ts doesn't match its digest"],
    ["nothing", "", "it contains no files"],
    ["conflict markers", archive.replace("main\n", "<<<<<<< HEAD\nmain\n"), "doesn't match its digest"],
  ])("is refused with %s", (_, text, message) => {
    expect(read(text)).toThrow(message);
    expect(read(text)).toThrow(expect.objectContaining({ hint: expect.stringContaining("upgrade --rebase") }));
  });

  it("is read if git has converted its line breaks", () => {
    expect(read(archive.replaceAll("\n", "\r\n"))().get("src/main.ts")).toBe("main\n");
  });

  it("is refused by the number of its files", () => {
    expect(read("-- a --\n".repeat(20_001))).toThrow(`${archivePath} can't be used: it has more than 20000 files`);
  });

  it("is refused by its size", () => {
    const tree = projectWith({ [archivePath]: "" });
    truncateSync(join(tree.root, archivePath), 3 * 1024 * MiB);
    expect(() => readPristineCopies(tree)).toThrow("it has 3072 MiB, and 64 are allowed");
  });

  it("is read in little time and memory, whatever its lines are", () => {
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
      const start = performance.now();
      expect(read(text), JSON.stringify(line)).toThrow(archivePath);
      expect(read(`-- a --\n${text}`), JSON.stringify(line)).toThrow(archivePath);
      expect(performance.now() - start, JSON.stringify(line)).toBeLessThan(20_000);
    }
  }, 120_000);

  it("isn't looked for behind a link that leaves the project", () => {
    const outside = testDirectory({ "pristine.txtar": archive, "pristine/a.gz": "x" });
    const tree = projectWith({});
    symlinkSync(outside, join(tree.root, ".kubewright"));
    expect(() => readPristineCopies(tree)).toThrow(".kubewright is a link that leaves the project");
  });
});

describe("compressed copies of earlier versions that unpack to gigabytes", () => {
  const stored = (path: string) => `.kubewright/pristine/${path}.gz`;

  it("are refused with one line, in little memory", () => {
    // 1.5 MB that unpack to 1.5 GB: gzip's members follow one another.
    const member = gzipSync(Buffer.alloc(64 * MiB));
    const bomb = Buffer.concat(Array.from({ length: 24 }, () => member));
    const tree = projectWith({ [stored("src/main.ts")]: bomb });
    const before = process.memoryUsage.rss();
    expect(() => readPristine(tree, "src/main.ts")).toThrow(
      ".kubewright/pristine/src/main.ts.gz can't be read: it unpacks to more than 8 MiB",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MiB);
  });

  it("are refused by their sum", () => {
    const packed = gzipSync(Buffer.alloc(7 * MiB));
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const tree = projectWith(Object.fromEntries(names.map((name) => [stored(name), packed])));
    expect(() => readPristineCopies(tree)).toThrow(".kubewright can't be read: its files unpack to more than 256 MiB");
  });

  it("are refused by their number", () => {
    const root = testDirectory();
    mkdirSync(join(root, ".kubewright/pristine"), { recursive: true });
    for (let index = 0; index < 20_001; index++) writeFileSync(join(root, stored(String(index))), "");
    expect(() => readPristineCopies(openTree(root))).toThrow(
      ".kubewright/pristine can't be used: it has more than 20000 files",
    );
  });

  it("aren't read by a file that is too large by itself", () => {
    const tree = projectWith({ [stored("a")]: Buffer.alloc(0) });
    truncateSync(join(tree.root, stored("a")), 3 * 1024 * MiB);
    expect(() => readPristine(tree, "a")).toThrow("it has 3072 MiB, and 64 are allowed");
  });

  it("are as good as none if they are no gzip", () => {
    const tree = projectWith({ [stored("a")]: Buffer.from("not packed") });
    expect(readPristine(tree, "a")).toBeUndefined();
  });
});
