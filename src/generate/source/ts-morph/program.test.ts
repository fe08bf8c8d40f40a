import { expect, it } from "vitest";
import { kubernetesTypes } from "../../schema/kubernetes-types.ts";
import { createChecker } from "./checker.ts";
import { createProgram, keepProject, type ProgramInput } from "./program.ts";
import { createReader } from "./reader.ts";
import { createTags } from "./tags.ts";

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const partText = (n: number) => `export interface Part { a${n}: string }
export type Renamed = { [K in keyof Part as \`x\${string & K}\`]: Part[K] };
`;
const parts = new Map(many(200, (n) => [`/part${n}.ts`, partText(n)] as const));

function inputOf(texts: ReadonlyMap<string, string>, paths: () => Iterable<string> = () => texts.keys()) {
  const reader = createReader();
  const file = (path: string) => {
    const text = texts.get(path);
    return text === undefined ? undefined : reader.parse(path, text);
  };
  const missing = { kind: "missing", reason: "" } as const;
  return {
    known: paths,
    file,
    textOf: (path: string) => texts.get(path),
    locate: () => undefined,
    declarations: () => undefined,
    tags: createTags(() => missing),
    resolve: () => missing,
    types: kubernetesTypes,
  } satisfies ProgramInput & Parameters<typeof createChecker>[0];
}

it("the program contains all files that the run has read", () => {
  const program = createProgram(inputOf(parts));
  expect(program.sourceFile("/part0.ts")?.fileName).toBe("/part0.ts");
  const { checker } = program;
  expect(checker).toBeDefined();
  for (const path of parts.keys()) expect(program.sourceFile(path)?.fileName).toBe(path);
  expect(program.checker).toBe(checker);
});

it("a new program contains files that were read later, and reuses the parsed ones", () => {
  const paths = new Set(["/part0.ts"]);
  const program = createProgram(inputOf(parts, () => paths));
  const first = program.sourceFile("/part0.ts");
  const { checker } = program;
  for (const path of parts.keys()) paths.add(path);
  expect(program.sourceFile("/part1.ts")).toBeDefined();
  const grown = program.checker;
  expect(grown).not.toBe(checker);
  expect(program.sourceFile("/part2.ts")).toBeDefined();
  expect(program.sourceFile("/part0.ts")).toBe(first);
  expect(program.checker).toBe(grown);
  expect(program.sourceFile("/none.ts")).toBeUndefined();
});

it("the checker reuses the program: a hundred checks cost little more than the first one", () => {
  const input = inputOf(parts);
  const checker = createChecker(input);
  const ask = (from: number, to: number) => {
    const start = process.cpuUsage();
    for (let n = from; n < to; n++) {
      const alias = input.file(`/part${n}.ts`)?.declarations[1];
      if (alias?.kind !== "alias") throw new Error("no alias");
      const name = `xa${n}`;
      expect(checker.check(alias.type, new Map())).toMatchObject({ expr: { kind: "object", members: [{ name }] } });
    }
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  // The first check creates the program. With a program per check, they would cost at least twenty times as much.
  const first = ask(0, 1);
  expect(ask(1, 101)).toBeLessThan(8 * first);
});

it("runs of a session share parsed files, unless their text or the set of files has changed", () => {
  const open = keepProject();
  const run = (texts: ReadonlyMap<string, string>) => {
    const program = createProgram(inputOf(texts), open);
    return [...texts.keys()].map((path) => program.sourceFile(path));
  };
  const texts = new Map([...parts].slice(0, 3));
  const [first, second, third] = run(texts);
  expect(run(texts)).toEqual([first, second, third]);
  const changed = new Map(texts).set("/part1.ts", `${partText(1)}export interface More {}\n`);
  const edited = run(changed);
  expect([edited[0] === first, edited[1] === second, edited[2] === third]).toEqual([true, false, true]);
  expect(edited[1]?.text).toContain("More");
  const more = run(new Map(changed).set("/part3.ts", partText(3)));
  expect(more).toHaveLength(4);
  expect(more).not.toContain(first);
});
