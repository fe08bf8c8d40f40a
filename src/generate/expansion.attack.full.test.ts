import { describe, expect, it } from "vitest";
import { bytesPerSchema } from "./schema/budget.ts";
import { generateApi, many } from "./test-support/hostile.ts";

const doubled = (first: string, next: (before: string, index: number) => string) =>
  `${first}\n${many(30, (n) => next(`A${n}`, n))}\nexport interface Spec { v: A30 }`;
const base = "interface A0 { x: string }";

/** Types with thirty lines, each of which doubles the size of the one before. */
const shapes: Readonly<Record<string, string>> = {
  interfaces: doubled(base, (a, n) => `interface A${n + 1} { a: ${a}; b: ${a} }`),
  "inline objects": doubled(base, (a, n) => `type A${n + 1} = { a: ${a}; b: ${a} };`),
  "generic types": doubled(
    "interface B<T, U> { a: T; b: U }\ntype A0 = string;",
    (a, n) => `type A${n + 1} = B<${a}, ${a}>;`,
  ),
  "arguments of generic types": `type D0<T> = { a: T; b: T };\n${many(30, (n) => `type D${n + 1}<T> = D${n}<{ a: T; b: T }>;`)}
export interface Spec { v: D30<string> }`,
  parents: `${base}\n${many(
    30,
    (n) => `interface B${n} extends A${n} { b${n}: string }
interface C${n} extends A${n} { c${n}: string }
interface A${n + 1} extends B${n}, C${n} {}`,
  )}\nexport interface Spec extends A30 {}`,
  intersections: doubled("type A0 = { x: string };", (a, n) => `type A${n + 1} = ${a} & ${a};`),
  "unions of literals": doubled("type A0 = 'x' | 'y';", (a, n) => `type A${n + 1} = ${a} | ${a};`),
  "unions of objects": doubled("type A0 = { k: 'x' } | { k: 'y' };", (a, n) => `type A${n + 1} = ${a} | ${a};`),
  templates: doubled("type A0 = 'x' | 'y';", (a, n) => `type A${n + 1} = \`\${${a}}\${A0}\`;`),
  "long templates": doubled("type A0 = 'x';", (a, n) => `type A${n + 1} = \`\${${a}}\${${a}}\`;`),
  "templates of digits": `type D = ${many(10, (n) => `"${n}"`, " | ")};\nexport interface Spec { v: \`${`\${D}`.repeat(12)}\` }`,
  "mapped types": doubled(base, (a, n) => `type A${n + 1} = { [K in "a" | "b"]: ${a} };`),
  "utility types": doubled(base, (a, n) => `interface A${n + 1} { a: Partial<${a}>; b: Pick<${a}, keyof ${a}> }`),
  records: doubled(base, (a, n) => `type A${n + 1} = Record<"a" | "b", ${a}>;`),
  "cyclic names": "type A = B | C; type B = A | C; type C = A | B;\nexport interface Spec { v: A }",
};

describe("types that grow exponentially", () => {
  it.each(Object.keys(shapes))("cause one error with %s", async (name) => {
    const { diagnostics, written, seconds } = await generateApi(shapes[name]!);
    const [diagnostic] = diagnostics.filter(({ id }) => id === "schema-too-large");
    expect(diagnostic?.message).toMatch(/^the schema of Thing is too large: /);
    expect(diagnostic?.line).toBeGreaterThan(1);
    expect(diagnostic?.hint).toContain("Schemaless");
    expect(written).toBe("");
    expect(seconds).toBeLessThan(10);
  });

  it("end with an error for conditional types and tuples, whatever the type checker returns", async () => {
    const tuples = doubled("type A0 = [string, string];", (a, n) => `type A${n + 1} = [...${a}, ...${a}];`);
    const anonymous = `type D<N extends unknown[], T> = N["length"] extends 25 ? T : D<[...N, 0], { a: T; b: T }>;
export interface Spec { v: D<[], string> }`;
    for (const text of [tuples, anonymous]) {
      const { ids, seconds } = await generateApi(text);
      expect(ids.some((id) => id === "unsupported-type" || id === "schema-too-large")).toBe(true);
      expect(seconds).toBeLessThan(20);
    }
  });

  it("cause no error for other kinds", async () => {
    const { diagnostics } = await generateApi(
      `${shapes.intersections}\nexport interface Other extends KubernetesObject { spec?: { a?: A2 } }`,
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  });

  it("are accepted with a schema just below the limit", async () => {
    // Without references, each level has twice the size of the one below it and some bytes more.
    const text = `interface A0 { x: string }\n${many(14, (n) => `interface A${n + 1} { a: A${n}; b: A${n} }`)}\nexport interface Spec { v: A14 }`;
    const { ids, written } = await generateApi(text);
    expect(ids.filter((id) => id !== "crd-too-big")).toEqual([]);
    expect(written.length).toBeGreaterThan(bytesPerSchema / 2);
  });
});

describe("exponentially growing types in many kinds", () => {
  const large = (kinds: number): string =>
    `interface A0 { x: string }\n${many(14, (n) => `interface A${n + 1} { a: A${n}; b: A${n} }`)}
export interface Spec { v: A14 }\n${many(kinds, (n) => `export interface Kind${n} extends KubernetesObject { spec?: Spec }`)}`;

  it("exceed the limit of the run before they fill the memory", async () => {
    const few = await generateApi(large(50));
    const more = await generateApi(large(400));
    for (const { diagnostics } of [few, more]) {
      expect(diagnostics.find(({ id }) => id === "schema-too-large")?.message).toContain("this run has more than");
    }
    // Kinds beyond the limit are only read.
    expect(more.seconds / few.seconds).toBeLessThan(3);
  });
});
