import { relative } from "node:path";
import { expect, test } from "vitest";
import { renderText } from "../diagnostics/index.ts";
import { generate } from "./generate.ts";
import { project } from "./test-support/project.ts";
import { requestOf } from "./test-support/request.ts";

type Files = Readonly<Record<string, string>>;

const head = '// +groupName=example.com\nimport type { Int32, KubernetesObject } from "@kubewright/runtime/api";\n';
const kind = "export interface Thing extends KubernetesObject { spec?: Spec }\n";

const repeat = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const many = (count: number, text: (index: number) => string, between = "\n") => repeat(count, text).join(between);
const spec = (fields: string) => `export interface Spec {\n${fields}\n}\n`;

const rule = (text: string) => `// +kubebuilder:validation:XValidation:rule="${text}"\n`;

/** APIs that grow in one direction each: the text of one file, or all files. */
const shapes: Readonly<Record<string, (count: number) => string | Files>> = {
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
  "types from the type checker": (count) =>
    many(count, (n) => `interface Part${n} { part${n}: string }\ntype Made${n} = Renamed<Part${n}>;\n`) +
    `type Renamed<T> = { [K in keyof T as \`x\${string & K}\`]: T[K] };\n` +
    spec(many(count, (n) => `  made${n}?: Made${n};`)),
  "names exported by as many `export *`": (count) => ({
    ...Object.fromEntries(repeat(count, (n) => [`lib/part${n}.ts`, `export interface Part${n} { a: string }\n`])),
    "lib/index.ts": many(count, (n) => `export * from "./part${n}.ts";`),
    "api/v1/types.ts": `${head}import type { ${many(count, (n) => `Part${n}`, ", ")} } from "../../lib/index.ts";
${spec(many(count, (n) => `  part${n}?: Part${n};`))}${kind}`,
  }),
  "CEL rules of one type": (count) => many(count, (n) => rule(`self.a != 'x${n}'`), "") + spec("  a?: string;"),
  "CEL rules with findings": (count) => many(count, (n) => rule(`self.b${n} != 'x'`), "") + spec("  a?: string;"),
  "parents with CEL rules": (count) =>
    many(count, (n) => `${rule(`self.a${n} != 'x'`)}export interface Base${n} { a${n}?: string }\n`) +
    `export interface Spec extends ${many(count, (n) => `Base${n}`, ", ")} {}\n`,
  "immutable fields": (count) => spec(many(count, (n) => `  // +k8s:immutable\n  field${n}?: string;`)),
  "columns with findings": (count) =>
    spec("  a?: string;") +
    many(count, (n) => `// +kubebuilder:printcolumn:name="C${n}",type=string,JSONPath=".spec.b${n}"`) +
    "\n",
  "indexed types": (count) =>
    `export interface Part { ${many(count, (n) => `a${n}: string;`)} }\n` +
    spec(many(count, (n) => `  a${n}?: Part["a${n}"];`)),
  "RBAC markers that are merged into one rule": (count) =>
    `${many(count, (n) => `// +kubebuilder:rbac:groups=g,resources=r${n},verbs=get`)}\n\n${spec("  a?: string;")}`,
  findings: (count) => spec(many(count, (n) => `  // +kubebuilder:validation:MinLengh=1\n  field${n}?: string;`)),
};

/** Returns the CPU time in seconds, which other processes affect little. */
async function cost(api: string | Files): Promise<number> {
  const files = typeof api === "string" ? { "api/v1/types.ts": head + api + kind } : api;
  const cwd = project(files);
  const readSource = (path: string) => files[relative(cwd, path)];
  const request = requestOf(cwd, ["crd", "rbac:roleName=role", "paths=./api/...", "output:dir=out"]);
  const start = process.cpuUsage();
  const { diagnostics, plan } = await generate(request);
  const text = renderText(diagnostics, { cwd, readSource });
  expect(plan.writes.length + text.length).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

test.each(Object.keys(shapes))("generate takes at most linear time for the number of %s", async (name) => {
  const shape = shapes[name]!;
  await cost(shape(500));
  const small = Math.min(await cost(shape(500)), await cost(shape(500)));
  const large = await cost(shape(5000));
  // Ten times the size: quadratic time would be a hundred times as much. Below 50 ms, other costs dominate.
  expect(large / Math.max(small, 0.05)).toBeLessThan(30);
});
