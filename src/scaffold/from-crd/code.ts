import { propertyName } from "../../text/typescript.ts";

/** The width that scaffolded code is formatted for. */
const lineWidth = 120;

/** A field of an interface, not indented, with the comment above it. */
export function fieldLines(
  name: string,
  { type, optional, comment }: { type: string; optional: boolean; comment: readonly string[] },
): string[] {
  return [...comment, ...typed(`${propertyName(name)}${optional ? "?" : ""}:`, type, lineWidth - 2)];
}

/** A declaration of a type's name. */
export function declaration(head: string, type: string): string[] {
  return typed(`${head} =`, type, lineWidth);
}

/** A type behind what it is the type of, broken as the formatter breaks it when one line is too short. */
function typed(head: string, type: string, width: number): string[] {
  const line = `${head} ${type};`;
  if (line.length <= width) return [line];
  const map = /^Record<string, (.+)>( \| null)?$/.exec(type);
  if (map !== null && map[2] === undefined) return [`${head} Record<`, "  string,", `  ${map[1]}`, ">;"];
  // Texts are skipped as a whole: what is in their quotes isn't code.
  const members = (type.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g) ?? []).map((member) => member.trim());
  if (members.length === 1 || type.endsWith("]") || type.endsWith(">")) return [line];
  return [head, ...members.map((member, index) => `  | ${member}${index === members.length - 1 ? ";" : ""}`)];
}
