// Lines of scaffolded code whose length depends on the user's names, with the line breaks of the project's formatter. A
// formatter as a dependency would replace this file, but the smallest (oxfmt) more than doubles the download of this package
// (4.5 to 11 MB), prettier takes 170 ms per command, and Biome 800 ms.

import { propertyName } from "../text/typescript.ts";

/** The width that scaffolded code is formatted for. */
export const lineWidth = 120;

/** Returns an import statement, with the formatter's line breaks if it is too long for one line. */
export function importLine(names: readonly string[], module: string, keyword = "import"): string {
  const line = `${keyword} { ${names.join(", ")} } from "${module}";`;
  // The formatter doesn't break an import of a single name.
  return names.length === 1
    ? line
    : fitting(line, [`${keyword} {`, ...names.map((name) => `  ${name},`), `} from "${module}";`]);
}

/**
 * Returns a chain of calls, on one line if it fits.
 *
 * @param indent the whitespace before the statement
 * @param before the text between `indent` and the chain, such as `await `
 * @param links the beginning of the chain, and each call with its dot
 * @param after the text after the last call
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

/** Returns the line if it fits, otherwise the formatter's lines. */
function fitting(line: string, broken: readonly string[]): string {
  return line.length <= lineWidth ? line : broken.join("\n");
}

/** Returns the type of a kind's list, from the name of the kind's type. */
export function listType(kind: string): string {
  const start = `export type ${kind}List =`;
  const type = `KubernetesList<${kind}>;`;
  return fitting(`${start} ${type}`, [start, `  ${type}`]);
}

/**
 * Returns the value declaration of a kind.
 *
 * @param name the name of the kind's type
 */
export function kindValue(kind: string, name: string): string {
  const start = `export const ${name} =`;
  const call = `GroupVersion.kind<${name}>(`;
  const argument = `"${kind}"`;
  // The formatter keeps a short argument in the call's line, and begins a line with the call.
  const isShort = argument.length <= lineWidth / 4;
  const head = `${start} ${call}`;
  if (!isShort && `${head}${argument});`.length > lineWidth && head.length <= lineWidth) {
    return [head, `  ${argument},`, ");"].join("\n");
  }
  const whole = `  ${call}${argument});`;
  return fitting(`${head}${argument});`, [start, fitting(whole, [`  ${call}`, `    ${argument},`, "  );"])]);
}

/** Returns the first line or lines of a class that implements an interface, formatted. */
export function classHead(name: string, implemented: string): string {
  return fitting(`export class ${name} implements ${implemented} {`, [
    `export class ${name}`,
    `  implements ${implemented}`,
    "{",
  ]);
}

/** Returns the head of a function or method, with one parameter per line if it is too long. */
export function functionHead(start: string, parameters: readonly string[], type: string, indent = ""): string {
  return fitting(`${indent}${start}(${parameters.join(", ")}): ${type} {`, [
    `${indent}${start}(`,
    ...parameters.map((parameter) => `${indent}  ${parameter},`),
    `${indent}): ${type} {`,
  ]);
}

/** Returns a statement that awaits a call with one argument if a condition holds. */
export function guardedCall(condition: string, name: string, argument: string, indent: string): string[] {
  const [head, call] = [`if (${condition})`, `await ${name}(${argument});`];
  const line = `${head} ${call}`;
  if (indent.length + line.length <= lineWidth) return [line];
  const broken = [`  await ${name}(`, `    ${argument},`, "  );"];
  return [head, ...(indent.length + 2 + call.length <= lineWidth ? [`  ${call}`] : broken)];
}

/** Returns the beginning of an exported object with a type. */
export function objectHead(name: string, generic: string, types: readonly string[]): string {
  const start = `export const ${name}: ${generic}<`;
  return fitting(`${start}${types.join(", ")}> = {`, [
    start,
    ...types.map((type, index) => `  ${type}${index < types.length - 1 ? "," : ""}`),
    "> = {",
  ]);
}

/** Returns a constant with a string value. */
export function stringConstant(name: string, value: string, indent: string): string {
  const start = `${indent}const ${name} =`;
  return fitting(`${start} "${value}";`, [start, `${indent}  "${value}";`]);
}

/** Returns the lines of an interface field with its comment, not indented. */
export function fieldLines(
  name: string,
  { type, optional, comment }: { type: string; optional: boolean; comment: readonly string[] },
): string[] {
  return [...comment, ...typed(`${propertyName(name)}${optional ? "?" : ""}:`, type, lineWidth - 2)];
}

/** Returns the lines of an exported interface. */
export function interfaceLines(head: string, members: readonly string[]): string[] {
  if (members.length === 0) return [`export interface ${head} {}`];
  return [`export interface ${head} {`, ...members.map((line) => (line === "" ? "" : `  ${line}`)), "}"];
}

/** Returns the lines of a type declaration. */
export function typeDeclaration(head: string, type: string): string[] {
  return typed(`${head} =`, type, lineWidth);
}

/** Appends a type to its declaration, with the formatter's line breaks if it is too long for one line. */
function typed(head: string, type: string, width: number): string[] {
  const line = `${head} ${type};`;
  if (line.length <= width) return [line];
  const map = /^Record<string, (.+)>( \| null)?$/.exec(type);
  if (map !== null && map[2] === undefined) return [`${head} Record<`, "  string,", `  ${map[1]}`, ">;"];
  // Skip strings as a whole, because `|` in quotes isn't a separator.
  const members = (type.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g) ?? []).map((member) => member.trim());
  if (members.length === 1 || type.endsWith("]") || type.endsWith(">")) return [line];
  return [head, ...members.map((member, index) => `  | ${member}${index === members.length - 1 ? ";" : ""}`)];
}
