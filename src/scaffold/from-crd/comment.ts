import { describingComment } from "../../text/typescript.ts";

/**
 * A description as the comment that gives it back. The generator drops lines that begin with `+`, and `TODO` lines and all
 * behind `---`; a text with such lines comes back with a space or a backslash in front of them.
 *
 * @returns the lines, without indentation; none for no description
 */
export function descriptionLines(description: string | undefined): string[] {
  const text = (description ?? "").replace(/[\u2028\u2029]/g, "\n").split(/\r\n|\r|\n/);
  const lines = text.map((line) => guarded(line.trimEnd()));
  return lines.every((line) => line === "") ? [] : describingComment(lines);
}

function guarded(line: string): string {
  if (line.trimStart().startsWith("+")) return line.replace("+", "\\+");
  return line.startsWith("TODO") || line.startsWith("---") ? ` ${line}` : line;
}
