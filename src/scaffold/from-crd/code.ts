import { propertyName } from "../../text/typescript.ts";

/** The width that scaffolded code is formatted for. */
const lineWidth = 120;

/** Returns the lines of an interface field with its comment, not indented. */
export function fieldLines(
  name: string,
  { type, optional, comment }: { type: string; optional: boolean; comment: readonly string[] },
): string[] {
  return [...comment, ...typed(`${propertyName(name)}${optional ? "?" : ""}:`, type, lineWidth - 2)];
}

/** Returns the lines of a type declaration. */
export function declaration(head: string, type: string): string[] {
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
