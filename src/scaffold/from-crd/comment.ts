import { describingComment } from "../../text/typescript.ts";

/**
 * Returns the comment from which the generator recreates a description. The generator drops lines that begin with `+` or
 * `TODO`, and everything after `---`, so such lines get a space or a backslash in front.
 *
 * @returns the lines, without indentation; none without a description
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
