/** The number of columns to show of a long line. */
const WIDTH = 120;

/** Splits a text into lines, for {@link frameOf}. */
export function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|\r|\n/);
}

/**
 * Returns the line of a diagnostic with a marker below its column, and the surrounding lines. Empty if the file has no such line.
 * Lines and columns count from 1; columns are UTF-16 code units.
 */
export function frameOf(lines: readonly string[], line: number, column: number): string {
  if (line < 1 || line > lines.length) return "";
  const first = Math.max(1, line - 1);
  const last = Math.min(lines.length, line + 1);
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
