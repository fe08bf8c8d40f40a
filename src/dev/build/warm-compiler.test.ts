import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { variants } from "../../../scripts/test-support/thorough.ts";
import { projectTools } from "../../scaffold/parts/versions.ts";
import { TypeCheck, typesFile } from "./type-check.ts";
import { WarmCompiler } from "./warm-compiler.ts";

const typescript = dirname(createRequire(import.meta.url).resolve("typescript-native/package.json"));
const native = `@typescript/typescript-${process.platform}-${process.arch}`;
const settings = (options: object = {}) =>
  JSON.stringify({
    compilerOptions: { module: "nodenext", target: "es2023", strict: true, types: [], noEmit: true, ...options },
    include: ["src"],
    extends: "./base.json",
  });
const good: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": settings(),
  "base.json": "{}",
  "src/main.ts":
    'import { size } from "./size.js";\nimport { width } from "lib";\nexport const sum: number = size + width;\n',
  "src/size.ts": "const one = 1;\nexport const size: number = 1;\n",
  "node_modules/lib/package.json":
    '{ "name": "lib", "exports": "./index.js", "types": "./index.d.ts", "type": "module" }',
  "node_modules/lib/index.js": "export const width = 1;\n",
  "node_modules/lib/index.d.ts": "export declare const width: number;\n",
};

let root: string;
let types: TypeCheck | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-warm-")));
  for (const [name, text] of Object.entries(good)) write(name, text);
});
afterEach(async () => {
  await types?.close();
  types = undefined;
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** Installs the compiler that scaffolded projects have. */
function install(): void {
  mkdirSync(join(root, "node_modules/@typescript"));
  symlinkSync(typescript, join(root, "node_modules/typescript"), "junction");
  const program = dirname(createRequire(realpathSync(typescript)).resolve(`${native}/package.json`));
  symlinkSync(program, join(root, "node_modules", native), "junction");
}

/** Installs a program that notes its calls, has no API, and reports an error. */
function installFake(version: string): () => string[] {
  write("node_modules/typescript/package.json", JSON.stringify({ version }));
  write(`node_modules/${native}/package.json`, "{}");
  const log = join(root, "calls");
  write(
    `node_modules/${native}/lib/tsc`,
    `#!/bin/sh\necho "$1" >> ${log}\n[ "$1" = --api ] && exit 1\necho "src/a.ts(1,1): error TS1: wrong"\nexit 2\n`,
  );
  chmodSync(join(root, `node_modules/${native}/lib/tsc`), 0o755);
  return () => readFileSync(log, "utf8").trim().split("\n");
}

async function check(checker: TypeCheck): Promise<string[] | undefined> {
  const result = await checker.run(async () => [join(root, "src/main.ts")], new AbortController().signal);
  return result?.problems.map(({ file = "", id = "" }) => `${file} ${id}`);
}

function warm(): TypeCheck {
  types ??= new TypeCheck({ root, cache: root, env: process.env });
  return types;
}

describe.skipIf(process.platform === "win32")("the warm compiler", () => {
  fullTest("checks projects without errors, so that the command doesn't run", async () => {
    install();
    for (let count = 1; count <= 3; count++) {
      write("src/size.ts", `export const size: number = ${count};\n`);
      expect(await check(warm())).toEqual([]);
    }
    expect(existsSync(join(root, typesFile))).toBe(false);
    write("src/size.ts", 'export const size: number = "1";\n');
    expect(await check(warm())).toEqual(["src/size.ts TS2322"]);
    expect(existsSync(join(root, typesFile))).toBe(true);
  });

  it("finds the errors that changes cause, and that they are fixed", async () => {
    install();
    const changes: readonly [name: string, text: string][] = [
      ["src/size.ts", "export const other: number = 1;\n"],
      ["src/new.ts", "export const added: string = 1;\n"],
      ["node_modules/lib/index.d.ts", "export declare const width: string;\n"],
      ["src/size.ts", 'export const size: number = "1";\n'],
      ["src/size.ts", "export const size: number = ;\n"],
      ["src/global.d.ts", "declare const answer: Missing;\n"],
      ["tsconfig.json", settings({ types: ["missing"] })],
      ["tsconfig.json", settings({ strict: 7 })],
      ["base.json", '{ "compilerOptions": { "noUnusedLocals": true } }'],
    ];
    const program = join(root, "node_modules", native, "lib/tsc");
    const compiler = new WarmCompiler(program, join(root, "tsconfig.json"), { cwd: root, env: process.env });
    try {
      expect(await compiler.hasErrors()).toBe(false);
      for (const [name, text] of variants(changes, 2)) {
        write(name, text);
        expect(await compiler.hasErrors(), `${name}: ${text}`).toBe(true);
        if (good[name] === undefined) rmSync(join(root, name));
        else write(name, good[name]);
        expect(await compiler.hasErrors(), `${name} without ${text}`).toBe(false);
      }
      rmSync(join(root, "src/size.ts"));
      expect(await compiler.hasErrors()).toBe(true);
      write("src/size.ts", good["src/size.ts"] ?? "");
      expect(await compiler.hasErrors()).toBe(false);
    } finally {
      compiler.close();
    }
    await expect(compiler.hasErrors()).rejects.toThrow("the compiler was stopped");
  });

  fullTest(
    "finds the errors that a change of package.json causes, once it has forgotten what it has read",
    async () => {
      install();
      expect(await check(warm())).toEqual([]);
      write("node_modules/lib/package.json", '{ "name": "lib", "exports": {}, "type": "module" }');
      warm().forget();
      expect(await check(warm())).toEqual(["src/main.ts TS2307"]);
      warm().forget();
      write("node_modules/lib/package.json", good["node_modules/lib/package.json"] ?? "");
      expect(await check(warm())).toEqual([]);
    },
  );

  fullTest("finds errors of declarations, if the project has any", async () => {
    install();
    write("tsconfig.json", settings({ declaration: true, isolatedDeclarations: true }));
    write("src/size.ts", "export const size = Number(1);\n");
    expect(await check(warm())).toEqual(["src/size.ts TS9010"]);
  });

  it("is replaced by the command for the rest of the session if it fails", async () => {
    const calls = installFake(projectTools.typescript);
    expect(await check(warm())).toEqual(["src/a.ts TS1"]);
    expect(await check(warm())).toEqual(["src/a.ts TS1"]);
    expect(calls()).toEqual(["--api", "--noEmit", "--noEmit"]);
  });

  it("isn't used with another version, whose API may report less", async () => {
    const calls = installFake("7.99.0");
    expect(await check(warm())).toEqual(["src/a.ts TS1"]);
    expect(calls()).toEqual(["--noEmit"]);
  });
});
