import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { codeFrame } from "./code-frame.ts";
import { TypeCheck, typeProblems } from "./type-check.ts";
import { ProjectWatcher } from "./watcher.ts";

const directories: string[] = [];
const project = (): string => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-dev-"));
  directories.push(root);
  mkdirSync(join(root, "src"));
  return root;
};

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

describe("code frames", () => {
  it("show the line with a mark, and those around it", () => {
    const root = project();
    writeFileSync(join(root, "src/a.ts"), "one\ntwo\nthree\nfour\nfive\n");
    expect(codeFrame(root, "src/a.ts", 3, 2)).toBe("  1 | one\n  2 | two\n> 3 | three\n    |  ^\n  4 | four");
    expect(codeFrame(root, "src/a.ts", 1, 1)).toBe("> 1 | one\n    | ^\n  2 | two");
  });

  it("are left out without a file or line", () => {
    const root = project();
    expect(codeFrame(root, "src/none.ts", 1, 1)).toBeUndefined();
    writeFileSync(join(root, "src/a.ts"), "one");
    expect(codeFrame(root, "src/a.ts", 0, 0)).toBeUndefined();
    expect(codeFrame(root, "src/a.ts", 99, 1)).toBeUndefined();
  });
});

describe("errors of the compiler", () => {
  it("have their position, their ID, and the lines that explain them", () => {
    const output = [
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "  The expected type comes from here.",
      "error TS18003: No inputs were found in config file.",
      "Found 2 errors.",
    ].join("\n");
    expect(typeProblems(output)).toEqual([
      {
        phase: "types",
        message: "Type 'string' is not assignable to type 'number'.\n  The expected type comes from here.",
        file: "src/a.ts",
        line: 3,
        column: 5,
        id: "TS2322",
      },
      { phase: "types", message: "No inputs were found in config file.", id: "TS18003" },
    ]);
  });
});

describe.skipIf(process.platform === "win32")("the compiler", () => {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  };
  const check = async (root: string) => {
    const types = new TypeCheck({ root, cache: root, env: process.env });
    return (await types.run(async () => [], new AbortController().signal))?.problems;
  };
  const compiler = (id: string) => `#!/bin/sh\necho "src/a.ts(1,1): error ${id}: $1"\nexit 2\n`;

  it("is the program of TypeScript 7, or the script tsc of other versions", async () => {
    const root = project();
    const modules = join(root, "node_modules");
    write(join(root, "tsconfig.json"), "{}");
    write(join(modules, ".bin/tsc"), compiler("TS6"));
    expect(await check(root)).toMatchObject([{ id: "TS6", message: "--noEmit" }]);
    write(join(modules, "typescript/package.json"), "{}");
    expect(await check(root)).toMatchObject([{ id: "TS6" }]);
    const program = join(modules, `@typescript/typescript-${process.platform}-${process.arch}`);
    write(join(program, "package.json"), "{}");
    write(join(program, "lib/tsc"), compiler("TS7"));
    expect(await check(root)).toMatchObject([{ id: "TS7", message: "--noEmit" }]);
  });
});

describe("the watcher", () => {
  it("reports changes in batches, and ignores what isn't part of the project", async () => {
    const root = project();
    mkdirSync(join(root, "node_modules/x"), { recursive: true });
    const batches: (readonly string[])[] = [];
    const watcher = new ProjectWatcher(root, (files) => void batches.push(files));
    await watcher.start();
    try {
      for (let index = 0; index < 50; index++) writeFileSync(join(root, `src/file-${index}.ts`), "x");
      for (const name of ["node_modules/x/a.ts", "src/.a.ts.swp", "debug.log", ".kubewright-1.tmp"])
        writeFileSync(join(root, name), "x");
      await expect.poll(() => new Set(batches.flat()).size).toBe(50);
      expect(batches.length).toBeLessThan(10);
      rmSync(join(root, "src/file-0.ts"));
      await expect.poll(() => batches.at(-1)).toEqual(["src/file-0.ts"]);
    } finally {
      await watcher.close();
    }
  });

  fullTest("doesn't report the temporary files of programs that replace a file", async () => {
    const root = project();
    const path = join(root, "src/a.ts");
    writeFileSync(path, "0");
    const reported: string[] = [];
    const watcher = new ProjectWatcher(root, (files) => void reported.push(...files));
    await watcher.start();
    try {
      for (const name of ["src/sedX1", ".#a.ts", "src/#a.ts#", "src/a.ts___jb_tmp___"]) {
        writeFileSync(join(root, name), "1");
        // The system reports both files before the second has its name.
        await new Promise((resolve) => setTimeout(resolve, 5));
        renameSync(join(root, name), path);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      expect(new Set(reported)).toEqual(new Set(["src/a.ts"]));
      // A file that comes back.
      const brief = join(root, "src/b.ts");
      writeFileSync(brief, "1");
      await new Promise((resolve) => setTimeout(resolve, 5));
      rmSync(brief);
      await new Promise((resolve) => setTimeout(resolve, 500));
      writeFileSync(brief, "2");
      await expect.poll(() => reported.at(-1)).toBe("src/b.ts");
      rmSync(brief);
      reported.length = 0;
      await expect.poll(() => reported).toEqual(["src/b.ts"]);
    } finally {
      await watcher.close();
    }
  });

  it("reports a change that follows another one immediately, such as that of a formatter", async () => {
    const root = project();
    const path = join(root, "src/a.ts");
    writeFileSync(path, "0");
    const read: string[] = [];
    const watcher = new ProjectWatcher(root, () => {
      read.push(readFileSync(path, "utf8"));
      if (read.length === 1) setTimeout(() => writeFileSync(path, "second"), 5);
    });
    await watcher.start();
    try {
      writeFileSync(path, "first");
      await expect.poll(() => read.at(-1)).toBe("second");
      expect(read[0]).toBe("first");
    } finally {
      await watcher.close();
    }
  });

  fullTest("reports the end of an installation of packages", async () => {
    const root = project();
    mkdirSync(join(root, "node_modules"));
    const changed: string[] = [];
    const watcher = new ProjectWatcher(root, (files) => void changed.push(...files));
    await watcher.start();
    try {
      writeFileSync(join(root, "node_modules/.package-lock.json"), "{}");
      await expect.poll(() => changed).toEqual(["node_modules/.package-lock.json"]);
      rmSync(join(root, "node_modules"), { recursive: true });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(changed).toHaveLength(1);
      mkdirSync(join(root, "node_modules"));
      writeFileSync(join(root, "node_modules/.package-lock.json"), "{}");
      await expect.poll(() => changed).toHaveLength(2);
      // The same file.
      const away = join(project(), "node_modules");
      renameSync(join(root, "node_modules"), away);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      renameSync(away, join(root, "node_modules"));
      await expect.poll(() => changed).toHaveLength(3);
    } finally {
      await watcher.close();
    }
  });
});
