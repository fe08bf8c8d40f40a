/** The number of columns to show of a long line. */
const WIDTH = 120;

/**
 * Returns the line of a diagnostic with a marker below its column, and the surrounding lines. Empty if the file has no such line.
 * Lines and columns count from 1; columns are UTF-16 code units.
 *
 * @param context the number of lines to show before and after
 */
export function codeFrame(source: string, line: number, column: number, context = 1): string {
  return frameOf(linesOf(source), line, column, context);
}

/** Splits a text into lines, for {@link frameOf}. */
export function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|\r|\n/);
}

/** Same as {@link codeFrame}, but for a text that is split already, for several diagnostics in one file. */
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
      // Keep tabs, so that the marker is below its character for any tab width.
      const before = window(text, shift).slice(0, Math.max(0, column - 1 - shift));
      rows.push(`  ${" ".repeat(gutter)} | ${before.replace(/[^\t]/g, " ")}^`);
    }
  }
  return rows.join("\n");
}

/** Returns the visible part of a line. Control characters, and characters that change the text direction, become dots. */
function window(text: string, shift: number): string {
  const harmless = text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === "\t" ? "\t" : "·",
  );
  return harmless.slice(shift, shift + WIDTH);
}
