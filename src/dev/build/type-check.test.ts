import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { variants } from "../../../scripts/test-support/thorough.ts";
import { TypeCheck } from "./type-check.ts";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const settings = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    strict: true,
    types: [],
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ["src", "test", "types"],
};
const good: Readonly<Record<string, string>> = {
  "tsconfig.json": JSON.stringify(settings),
  "package.json": '{ "type": "module" }',
  "src/main.ts":
    'import { used } from "./used.ts";\nimport type { Shape } from "./shape.ts";\nexport const x: Shape = used;\n',
  "src/used.ts": "export const used = { size: 1 };\n",
  "src/shape.ts": 'export type Shape = import("./deep.ts").Deep;\n',
  "src/deep.ts": "export interface Deep {\n  size: number;\n}\n",
  "src/game.simulation.ts": 'import { used } from "./used.ts";\nexport const y = used;\n',
  "test/used.test.ts": 'import { used } from "../src/used.ts";\nimport "./helper.ts";\nexport const y = used;\n',
  "test/helper.ts": "export const z = 1;\n",
  "types/global.d.ts": "declare const answer: number;\n",
  "types/module.d.ts": 'declare module "untyped" {\n  export const z: number;\n}\n',
};
const wrong = 'export const wrong: number = "text";\n';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-types-")));
  symlinkSync(modules, join(root, "node_modules"), "junction");
  mkdirSync(join(root, "cache"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
};
beforeEach(() => write(good));

/** Checks with these changes: the entries are what a bundle contains, without imports of types. */
async function check(changes: Readonly<Record<string, string>>) {
  write(changes);
  const types = new TypeCheck({ root, cache: join(root, "cache"), env: process.env });
  const entries = async () => ["src/main.ts", "src/used.ts"].map((file) => join(root, file));
  const problems = await types.run(entries, new AbortController().signal);
  return { isBlocking: problems?.isBlocking, files: problems?.problems.map(({ file = "", id }) => `${file} ${id}`) };
}

describe("type errors in files that main.ts doesn't reach", () => {
  it.each(variants(["test/used.test.ts", "test/helper.ts", "src/game.simulation.ts"], 1))(
    "block nothing: %s",
    async (file) => {
      expect(await check({ [file]: `${good[file]}${wrong}` })).toEqual({
        isBlocking: false,
        files: [`${file} TS2322`],
      });
    },
  );

  fullTest("block nothing if the type that has changed is in a file that it reaches", async () => {
    const changed = { "src/used.ts": "export const used = { size: 1, other: 2 };\n" };
    const test = 'import { used } from "../src/used.ts";\nexport const y: string = used.other;\n';
    expect(await check({ ...changed, "test/used.test.ts": test })).toMatchObject({ isBlocking: false });
  });

  fullTest("block nothing if they are syntax errors, which hide the type errors of all other files", async () => {
    const syntax = { "test/used.test.ts": "const ((;\n" };
    expect(await check(syntax)).toEqual({ isBlocking: false, files: ["test/used.test.ts TS1134"] });
    expect(await check({ ...syntax, "src/shape.ts": `${good["src/shape.ts"]}${wrong}` })).toEqual({
      isBlocking: true,
      files: ["src/shape.ts TS2322", "test/used.test.ts TS1134"],
    });
  });
});

describe("type errors block a start", () => {
  it.each(variants(["src/deep.ts", "src/main.ts", "src/used.ts", "src/shape.ts"], 1))(
    "in files that main.ts reaches, also for types only: %s",
    async (file) => {
      const changes = { [file]: `${good[file]}${wrong}`, "test/helper.ts": wrong };
      // Those that block are first.
      expect(await check(changes)).toEqual({ isBlocking: true, files: [`${file} TS2322`, "test/helper.ts TS2322"] });
    },
  );

  const forAllFiles: readonly (readonly [file: string, text: string])[] = [
    ["types/global.d.ts", "declare const answer: Missing;\n"],
    ["types/module.d.ts", 'declare module "untyped" {\n  export const z: Missing;\n}\n'],
    ["tsconfig.json", JSON.stringify({ ...settings, compilerOptions: { ...settings.compilerOptions, strict: 7 } })],
    ["tsconfig.json", JSON.stringify({ ...settings, include: ["none"] })],
  ];
  it.each(variants(forAllFiles, 1))("if they concern all files: %s", async (file, text) => {
    expect(await check({ [file]: text })).toMatchObject({ isBlocking: true });
  });
});
