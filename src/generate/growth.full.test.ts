import { expect, test } from "vitest";
import { renderText } from "../diagnostics/index.ts";
import { generate } from "./generate.ts";
import { parseOptions } from "./options/index.ts";
import { project } from "./test-support/project.ts";

const head = '// +groupName=example.com\nimport type { Int32, KubernetesObject } from "@kubewright/runtime/api";\n';
const kind = "export interface Thing extends KubernetesObject { spec?: Spec }\n";

const many = (count: number, text: (index: number) => string, between = "\n") =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
const spec = (fields: string) => `export interface Spec {\n${fields}\n}\n`;

/** APIs that grow in one direction each. */
const shapes: Readonly<Record<string, (count: number) => string>> = {
  types: (count) =>
    many(count, (n) => `export interface Part${n} { /** A name. */ name: string; size?: Int32 }\n`) +
    spec(many(count, (n) => `  part${n}?: Part${n};`)),
  "fields of one type": (count) =>
    spec(many(count, (n) => `  // +kubebuilder:validation:MinLength=1\n  field${n}?: string;`)),
  "uses of one type": (count) =>
    `export interface Part { name: string }\n${spec(many(count, (n) => `  part${n}?: Part;`))}`,
  kinds: (count) =>
    many(count, (n) => `export interface Kind${n} extends KubernetesObject { spec?: Spec }\n`) + spec("  a?: string;"),
  enums: (count) =>
    many(count, (n) => `export type Mode${n} = "A${n}" | "B";\n`) + spec(many(count, (n) => `  mode${n}?: Mode${n};`)),
  "values of one enum": (count) =>
    `export type Mode = ${many(count, (n) => `"Mode${n}"`, " | ")};\n${spec("  mode?: Mode;")}`,
  parents: (count) =>
    many(count, (n) => `export interface Base${n} { base${n}: string }\n`) +
    `export interface Spec extends ${many(count, (n) => `Base${n}`, ", ")} { a?: string }\n`,
  "members of one union": (count) =>
    many(count, (n) => `export interface Choice${n} { type: "Choice${n}"; value${n}?: string }\n`) +
    spec(`  choice?: ${many(count, (n) => `Choice${n}`, " | ")};`),
  "lines of one description": (count) =>
    spec(`  /**\n${many(count * 5, (n) => `   * Line ${n}, with some words.`)}\n   */\n  a?: string;`),
  "questions to the type checker": (count) =>
    many(count, (n) => `interface Part${n} { part${n}: string }\ntype Made${n} = Renamed<Part${n}>;\n`) +
    `type Renamed<T> = { [K in keyof T as \`x\${string & K}\`]: T[K] };\n` +
    spec(many(count, (n) => `  made${n}?: Made${n};`)),
  findings: (count) => spec(many(count, (n) => `  // +kubebuilder:validation:MinLengh=1\n  field${n}?: string;`)),
};

/** Seconds of CPU, which other work on the machine changes little. */
async function cost(text: string): Promise<number> {
  const cwd = project({ "api/v1/types.ts": head + text + kind });
  const { config } = parseOptions(["crd", "paths=./...", "output:dir=out"]);
  const start = process.cpuUsage();
  const request = { cwd, config: config!, unknownMarkers: "error", strict: false, prune: false } as const;
  const { diagnostics, plan } = await generate({ ...request, toolVersion: "v0" });
  const told = renderText(diagnostics, { cwd, readSource: () => text });
  expect(plan.writes.length + told.length).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

test.each(Object.keys(shapes))("time grows with the number of %s and no faster", { timeout: 120_000 }, async (name) => {
  const shape = shapes[name]!;
  await cost(shape(500));
  const small = Math.min(await cost(shape(500)), await cost(shape(500)));
  const large = await cost(shape(5000));
  // Ten times as much: a square would be a hundred times. Below 50 ms other things than the size count.
  expect(large / Math.max(small, 0.05)).toBeLessThan(30);
});
