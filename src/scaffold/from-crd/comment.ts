import { describingComment, describingText } from "../../text/typescript.ts";

/** Whether a line begins or ends fenced code, in which `TODO` and `---` have no effect. */
const fence = /^(?:```|~~~)/;

/**
 * Returns the comment from which the generator recreates a description. The generator drops lines that begin with `+` or
 * `TODO`, and everything after `---`, so such lines get a space or a backslash in front.
 *
 * @param isExact whether to keep empty lines at both ends and successive ones. In CRDs of controller-gen, they remain of
 *   dropped lines; the comment has such lines again, because the generator drops these empty lines otherwise
 * @returns the lines, without indentation; none without a description
 */
export function descriptionLines(description: string | undefined, isExact = false): string[] {
  const lines = guardedLines(description, isExact);
  return lines.every((line) => line === "") ? [] : describingComment(lines);
}

/**
 * Whether the comment of a description has the same text, without whitespace at the ends of lines.
 *
 * @param described returns the description that the generator reads from the lines of a comment
 * @param isExact whether empty lines at the end count
 */
export function keepsDescription(
  description: string | undefined,
  described: (lines: readonly string[]) => string,
  isExact = false,
): boolean {
  const read = described(describingText(guardedLines(description, isExact)).map((line) => ` ${line}`));
  const text = linesOf(description).join("\n");
  return read === (isExact && text.trim() !== "" ? text : text.trimEnd());
}

function linesOf(description = ""): string[] {
  return description.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
}

function guardedLines(description: string | undefined, isExact: boolean): string[] {
  let fenced = false;
  const lines = linesOf(description?.replace(/[\u2028\u2029]/g, "\n")).map((line) => {
    if (fence.test(line)) fenced = !fenced;
    if (line.trimStart().startsWith("+")) return line.replace("+", "\\+");
    return !fenced && (line.startsWith("TODO") || line.startsWith("---")) ? ` ${line}` : line;
  });
  return isExact ? withDroppedLines(lines) : lines;
}

/** Adds a line that the generator drops next to each empty line that it would drop otherwise. */
function withDroppedLines(lines: readonly string[]): string[] {
  if (lines.every((line) => line === "")) return [...lines];
  const kept = lines.flatMap((line, index) => (line === "" && !lines[index - 1] ? [dropped, line] : [line]));
  return kept.at(-1) === "" ? [...kept, "---"] : kept;
}

/** controller-gen drops this line after it has merged empty lines. */
const dropped = "TODO: this line keeps an empty line in the description";
