// The reader must return a model for any text, with the syntax errors that TypeScript finds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { seededRandom } from "../../../../scripts/test-support/random.ts";
import { createReader } from "./reader.ts";

const { parse } = createReader();
const statements = readFileSync(join(import.meta.dirname, "testdata/statements.txt"), "utf8").split(/^----\n/m);

it.each(statements)("valid syntax has no errors: %j", (text) => {
  expect(parse("/a.ts", text).diagnostics).toEqual([]);
});

it("an index signature without a type has the type any", () => {
  const [declaration] = parse("/a.ts", "interface A { [key: string] }").declarations;
  expect(declaration).toMatchObject({ index: { value: { kind: "keyword", name: "any" } } });
});

// KUBEWRIGHT_FUZZ=100 multiplies the rounds by 100. The seed is fixed, to make failures reproducible.
const rounds = 500 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);

const token = /\/\*[\s\S]*?\*\/|\/\/.*|[A-Za-z_$][\w$]*|"[^"\n]*"|'[^'\n]*'|\d+|\s+|=>|\.\.\.|\?\.|[^\s\w]/g;
const inserted =
  "interface class type enum export default import from as const = { } ( ) [ ] < > ; , : ? ! | & ... => @a readonly static " +
  "private abstract declare namespace module global keyof typeof infer extends implements this new get set async await * " +
  "#p 1n - satisfies asserts is in function let return void undefined null never override ?. export= yield protected";

it("broken statements result in a model, most of them with errors in the file", () => {
  const next = seededRandom(20);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const words = [...inserted.split(" "), "\n", "// c\n", "/** d */", "/* e */", "\u00a0"];
  let broken = 0;
  for (let round = 0; round < rounds; round++) {
    const tokens = pick(statements).match(token) ?? [];
    const at = Math.floor(next() * tokens.length);
    const kind = next();
    tokens.splice(at, kind < 0.5 ? 0 : 1, ...(kind < 0.7 ? [pick(words)] : kind < 0.8 ? [pick(tokens)] : []));
    const text = tokens.join("");
    const lines = text.split("\n").length;
    const { diagnostics } = parse("/a.ts", text);
    if (diagnostics.length > 0) broken++;
    expect(
      diagnostics.every(({ line }) => line >= 1 && line <= lines),
      text,
    ).toBe(true);
  }
  expect(broken).toBeGreaterThan(rounds / 3);
});
