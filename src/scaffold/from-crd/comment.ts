/**
 * A description as the comment that gives it back. The generator drops lines that begin with `+`, and `TODO` lines and all
 * behind `---`; a text with such lines comes back with a blank or a backslash in front of them.
 *
 * @returns the lines, without indentation; none for no description
 */
export function descriptionLines(description: string | undefined): string[] {
  const text = (description ?? "").replace(/[\u2028\u2029]/g, "\n").split(/\r\n|\r|\n/);
  const lines = text.map((line) => guarded(line.trimEnd()));
  if (lines.every((line) => line === "")) return [];
  // In JSDoc an `@` would begin a tag, and `*/` would end the comment.
  const plain = lines.some((line) => line.includes("*/") || line.trimStart().startsWith("@"));
  if (plain) return lines.map((line) => `// ${line}`.trimEnd());
  const [only = "", ...others] = lines;
  if (others.length === 0) return [`/** ${only} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
}

function guarded(line: string): string {
  if (line.trimStart().startsWith("+")) return line.replace("+", "\\+");
  return line.startsWith("TODO") || line.startsWith("---") ? ` ${line}` : line;
}
