/** How many columns of a long line are shown. */
const WIDTH = 120;

/**
 * The line of a finding with a mark below its column, and the lines around it for context. Empty when the file has
 * no such line. Lines and columns count from 1; columns are UTF-16 code units.
 */
export function codeFrame(source: string, line: number, column: number, context = 1): string {
  return frameOf(linesOf(source), line, column, context);
}

/** The lines of a text, for `frameOf`. */
export function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|\r|\n/);
}

/** `codeFrame` of a text that is split already, for many findings in one file. */
export function frameOf(lines: readonly string[], line: number, column: number, context = 1): string {
  if (line < 1 || line > lines.length) return "";
  const first = Math.max(1, line - context);
  const last = Math.min(lines.length, line + context);
  const gutter = String(last).length;
  const shift = Math.max(0, column - Math.floor(WIDTH * 0.75));
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1]!;
    const label = `${number === line ? ">" : " "} ${String(number).padStart(gutter)} |`;
    rows.push(`${label} ${window(text, shift)}`.trimEnd());
    if (number === line && column > 0) {
      // Tabs stay tabs, so that the mark stands below its character whatever a tab's width is.
      const before = window(text, shift).slice(0, Math.max(0, column - 1 - shift));
      rows.push(`  ${" ".repeat(gutter)} | ${before.replace(/[^\t]/g, " ")}^`);
    }
  }
  return rows.join("\n");
}

/** The visible part of a line; what a terminal would obey (escapes, marks that turn the reading around) is a dot. */
function window(text: string, shift: number): string {
  const harmless = text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === "\t" ? "\t" : "·",
  );
  return harmless.slice(shift, shift + WIDTH);
}
