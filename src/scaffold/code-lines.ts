/** The width that scaffolded code is formatted for. */
const lineWidth = 120;

/** An import of names from a module, broken as the formatter breaks it when one line is too short. */
export function importLine(names: readonly string[], module: string, keyword = "import"): string {
  const line = `${keyword} { ${names.join(", ")} } from "${module}";`;
  // A single name stays where it is, however long the line.
  return names.length === 1
    ? line
    : fitting(line, [`${keyword} {`, ...names.map((name) => `  ${name},`), `} from "${module}";`]);
}

/**
 * A chain of calls, on one line where it fits.
 *
 * @param indent the blanks in front of its statement
 * @param before what stands between them and the chain, such as `await `
 * @param links the beginning and each call with its dot
 * @param after what follows on the line of the last call
 */
export function fittingChain(indent: string, before: string, links: readonly string[], after = ";"): string {
  if (`${indent}${before}${links.join("")}${after}`.length <= lineWidth) return links.join("");
  const [head = "", ...calls] = links;
  const broken = calls.map((call) => {
    const line = `${indent}  ${call}`;
    const [, name = "", argument = ""] = /^(\.\w+)\((.+)\)$/s.exec(call) ?? [];
    return fitting(
      line,
      argument === "" ? [line] : [`${indent}  ${name}(`, `${indent}    ${argument},`, `${indent}  )`],
    );
  });
  return [head, ...broken].join("\n");
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

/** The first line of a class that implements an interface, or as many as the formatter makes of it. */
export function classHead(name: string, implemented: string): string {
  return fitting(`export class ${name} implements ${implemented} {`, [
    `export class ${name}`,
    `  implements ${implemented}`,
    "{",
  ]);
}

/** The head of a function or method: its parameters stand on lines of their own where one line is too short. */
export function functionHead(start: string, parameters: readonly string[], type: string, indent = ""): string {
  return fitting(`${indent}${start}(${parameters.join(", ")}): ${type} {`, [
    `${indent}${start}(`,
    ...parameters.map((parameter) => `${indent}  ${parameter},`),
    `${indent}): ${type} {`,
  ]);
}

/** A statement that awaits a call with one argument. */
export function awaitCall(name: string, argument: string, indent = ""): string[] {
  const broken = [`await ${name}(`, `  ${argument},`, ");"];
  return `${indent}await ${name}(${argument});`.length <= lineWidth ? [`await ${name}(${argument});`] : broken;
}

/** The beginning of an exported object with a type. */
export function objectHead(name: string, generic: string, types: readonly string[]): string {
  const start = `export const ${name}: ${generic}<`;
  return fitting(`${start}${types.join(", ")}> = {`, [
    start,
    ...types.map((type, index) => `  ${type}${index < types.length - 1 ? "," : ""}`),
    "> = {",
  ]);
}

/** A constant with a text. */
export function stringConstant(name: string, value: string, indent: string): string {
  const start = `${indent}const ${name} =`;
  return fitting(`${start} "${value}";`, [start, `${indent}  "${value}";`]);
}
