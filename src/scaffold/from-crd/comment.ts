import { describingComment, describingText } from "../../text/typescript.ts";

/** Whether a line begins or ends fenced code, in which `TODO` and `---` have no effect. */
const fence = /^(?:```|~~~)/;

/**
 * Returns the comment from which the generator recreates a description. The generator drops lines that begin with `+` or
 * `TODO`, and everything after `---`, so such lines get a space or a backslash in front.
 *
 * @returns the lines, without indentation; none without a description
 */
export function descriptionLines(description: string | undefined): string[] {
  const lines = guardedLines(description);
  return lines.every((line) => line === "") ? [] : describingComment(lines);
}

/**
 * Whether the comment of a description has the same text, without whitespace at the ends of lines.
 *
 * @param described returns the description that the generator reads from the lines of a comment
 */
export function keepsDescription(
  description: string | undefined,
  described: (lines: readonly string[]) => string,
): boolean {
  const read = described(describingText(guardedLines(description)).map((line) => ` ${line}`));
  return read === linesOf(description).join("\n").trimEnd();
}

function linesOf(description = ""): string[] {
  return description.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
}

function guardedLines(description: string | undefined): string[] {
  let fenced = false;
  return linesOf(description?.replace(/[\u2028\u2029]/g, "\n")).map((line) => {
    if (fence.test(line)) fenced = !fenced;
    if (line.trimStart().startsWith("+")) return line.replace("+", "\\+");
    return !fenced && (line.startsWith("TODO") || line.startsWith("---")) ? ` ${line}` : line;
  });
}
