import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the lines around a position, with a mark below the column; undefined if the file can't be read. */
export function codeFrame(root: string, file: string, line: number, column: number): string | undefined {
  if (line < 1) return undefined;
  let lines: string[];
  try {
    lines = readFileSync(join(root, file), "utf8").split(/\r?\n/);
  } catch {
    return undefined;
  }
  if (line > lines.length) return undefined;
  const [first, last] = [Math.max(1, line - 2), Math.min(lines.length, line + 1)];
  const width = String(last).length;
  const shown: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] ?? "").replaceAll("\t", " ").slice(0, 200);
    shown.push(`${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd());
    if (number === line && column > 0) shown.push(`  ${" ".repeat(width)} | ${" ".repeat(Math.min(column, 200) - 1)}^`);
  }
  return shown.join("\n");
}
