/** The width that scaffolded code is formatted for. */
const lineWidth = 120;

/** An import of names from a module, broken as the formatter breaks it when one line is too short. */
export function importLine(names: readonly string[], module: string): string {
  const line = `import { ${names.join(", ")} } from "${module}";`;
  // A single name stays where it is, however long the line.
  return names.length === 1
    ? line
    : fitting(line, ["import {", ...names.map((name) => `  ${name},`), `} from "${module}";`]);
}

/** The statement that reads the object to reconcile. */
export function readStatement(kind: string): string {
  const read = `this.client.get(${kind}, req)`;
  const start = "    const object = await ignoreNotFound(";
  return fitting(`${start}${read});`, [start, `      ${read},`, "    );"]);
}

/** The statement that sets a controller up, broken as the formatter breaks it when one line is too short. */
export function builderChain(kind: string, name: string): string {
  const start = "await newControllerManagedBy(mgr)";
  return fitting(`    ${start}.for(${kind}).named("${name}").complete(this);`, [
    `    ${start}`,
    `      .for(${kind})`,
    fitting(`      .named("${name}")`, ["      .named(", `        "${name}",`, "      )"]),
    "      .complete(this);",
  ]);
}

/** One line where it fits, else the lines that the formatter would make of it. */
function fitting(line: string, broken: readonly string[]): string {
  return line.length <= lineWidth ? line : broken.join("\n");
}

/** The value that declares a group and version. */
export function groupVersionValue(group: string, version: string): string {
  const start = "export const GroupVersion = groupVersion(";
  return fitting(`${start}"${group}", "${version}");`, [start, `  "${group}",`, `  "${version}",`, ");"]);
}

/** The type of a kind's list. */
export function listType(kind: string): string {
  const start = `export type ${kind}List =`;
  const type = `KubernetesList<${kind}>;`;
  return fitting(`${start} ${type}`, [start, `  ${type}`]);
}

/** The value side of a kind. */
export function kindValue(kind: string): string {
  const start = `export const ${kind} =`;
  const call = `GroupVersion.kind<${kind}>(`;
  const whole = `  ${call}"${kind}");`;
  return fitting(`${start} ${call}"${kind}");`, [start, fitting(whole, [`  ${call}`, `    "${kind}",`, "  );"])]);
}
