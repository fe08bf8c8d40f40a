// The fast reader must return the same as the complete one, or pass the file to it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../../scripts/test-support/random.ts";
import type { SourceFile, SourceReader } from "../model.ts";
import { createTsMorphReader } from "../ts-morph/reader.ts";
import { createOxcReader } from "./reader.ts";

const complete = createTsMorphReader();
const passedOn: SourceFile = { path: "", declarations: [], reExports: [], loose: [], diagnostics: [] };
let reader: SourceReader | undefined;
beforeAll(async () => {
  reader = await createOxcReader({ parse: () => passedOn });
});

/** Returns the result of the fast reader; undefined if it passes the text to the complete one. */
function parsedByFastReader(path: string, text: string): SourceFile | undefined {
  const file = reader?.parse(path, text);
  return file === passedOn ? undefined : file;
}

const root = join(import.meta.dirname, "../../../..");

/** Returns all TypeScript files in a folder. */
function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
    .map((path) => join(root, folder, path));
}

const statements = readFileSync(join(import.meta.dirname, "testdata/statements.txt"), "utf8").split(/^----\n/m);

it("the fast reader returns the same as the complete one for all files of projects", () => {
  const files = ["examples", "testdata", "bench/testdata"].flatMap(filesUnder);
  expect(files.length).toBeGreaterThan(5);
  for (const path of files) {
    const text = readFileSync(path, "utf8");
    expect(parsedByFastReader(path, text), path).toEqual(complete.parse(path, text));
  }
});

it("the fast reader returns the same as the complete one for the sources of this package", () => {
  const files = filesUnder("src").flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const fast = parsedByFastReader(path, text);
    return fast ? [{ path, text, fast }] : [];
  });
  expect(files.length).toBeGreaterThan(100);
  for (const { path, text, fast } of files) expect(fast, path).toEqual(complete.parse(path, text));
});

it.each(statements)("the fast reader reads %j", (text) => {
  expect(complete.parse("/a.ts", text).diagnostics).toEqual([]);
  expect(parsedByFastReader("/a.ts", text)).toEqual(complete.parse("/a.ts", text));
});

it.each(["\n", "\r\n", "\r", "\u2028"])("the fast reader counts lines that end with %j", (end) => {
  const text = "// a\n/** b\n c */\ninterface A {\n  é: '𝒳'; // d\n  // e\n  b: string }\n".replaceAll("\n", end);
  expect(parsedByFastReader("/a.ts", text)).toEqual(complete.parse("/a.ts", text));
});

describe("the fast reader passes to the complete one", () => {
  it.each([
    ["a syntax error", "interface A {"],
    ["an error only in TypeScript: a keyword and its name on two lines", "export type\nA = string;"],
    ["an error only in TypeScript: a function without a name", "declare function (): void;"],
    ["an error only in TypeScript: an interface without a name", "export default interface\n{ a: string }"],
    ["an error only in TypeScript: await as a decorator", "@await export class A { a: string }"],
    ["an error only in TypeScript: a decorated interface", "export @a interface A {}"],
    ["an error only in TypeScript: a reserved word as a type", "type A = B<var>;"],
    ["an error only in TypeScript: a reserved word as a type in a call", "const a = b.c<in>();"],
    [
      "an error only in TypeScript: a reserved word as the key of an index signature",
      "type A = { [default: string]: a };",
    ],
    ["an error only in TypeScript: a reserved word as the name of a tuple element", "type A = [const: string];"],
    [
      "an error only in TypeScript: a reserved word as a base class or interface",
      "export class A<T> implements export { a: string }",
    ],
    ["an error only in TypeScript: a readonly accessor", "type A = { readonly get b(): string };"],
    ["an error only in TypeScript: a definite assignment with ! on the next line", "class A { a // b\n!: string }"],
    ["an error only in TypeScript: an octal number", "type A = 01;"],
    ["an error only in TypeScript: infer as a type argument", "const a = b.c<infer>(1);"],
    ["an error only in TypeScript: an optional private member", "const a = b?.#c(1);"],
    ["a word that TypeScript reads as a modifier of the next statement", "static\nexport type A = string;"],
    ["an error only in TypeScript: a predicate as a type", "type A = asserts null;"],
    ["an error only in TypeScript: text between the parts of a template", `type A = \`a\${string"s"}\`;`],
    ["a modifier on its own line", "interface A {\n  export\n  a: string;\n}"],
    ["a semicolon in a class, which can have comments", "class A { a: string;\n // +groupName=x\n ; }"],
    ["CommonJS in TypeScript's syntax", 'import a = require("a");\nexport as namespace b;'],
    ["an augmentation of another module", 'declare module "./a.ts" { interface A { a: string } }'],
    ["a global declaration", "declare global { interface A { a: string } }"],
    ["a character that only some parsers read as whitespace", "interface A {}\u200b\n// a\ninterface B {}"],
  ])("%s", (_, text) => {
    expect(parsedByFastReader("/a.ts", text)).toBeUndefined();
  });
});

// KUBEWRIGHT_FUZZ=100 multiplies the rounds by 100. The seed is fixed, to make failures reproducible.
const rounds = 1500 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);

const token = /\/\*[\s\S]*?\*\/|\/\/.*|[A-Za-z_$][\w$]*|"[^"\n]*"|'[^'\n]*'|\d+|\s+|=>|\.\.\.|\?\.|[^\s\w]/g;
const inserted =
  "interface class type enum export default import from as const = { } ( ) [ ] < > ; , : ? ! | & ... => @a readonly static " +
  "private abstract declare namespace module global keyof typeof infer extends implements this new get set async await * " +
  "#p 1n - satisfies asserts is in function let return void undefined null never override ?. export= yield protected";

it("the fast reader returns the complete one's result for broken statements, or passes them on", () => {
  const next = seededRandom(20);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const words = [...inserted.split(" "), "\n", "// c\n", "/** d */", "/* e */", "\u00a0"];
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const tokens = pick(statements).match(token) ?? [];
    const at = Math.floor(next() * tokens.length);
    const kind = next();
    tokens.splice(at, kind < 0.5 ? 0 : 1, ...(kind < 0.7 ? [pick(words)] : kind < 0.8 ? [pick(tokens)] : []));
    const text = tokens.join("");
    const fast = parsedByFastReader("/a.ts", text);
    if (fast && JSON.stringify(fast) !== JSON.stringify(complete.parse("/a.ts", text))) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});
