import type { CategoryHelp, FieldHelp, MarkerHelp } from "./categories.ts";
import { argumentSyntax, syntaxOf } from "./syntax.ts";

/** Longer syntax doesn't widen the column. */
const WIDEST = 72;

/** Formats help as text: at level 1 a line per marker, at level 2 also its arguments, at level 3 all details. */
export function helpText(categories: readonly CategoryHelp[], level: 1 | 2 | 3): string {
  return categories
    .filter(({ category, markers }) => category !== "" && markers.length > 0)
    .map(({ category, markers }) => {
      const body = level === 1 ? table(markers.map(summaryRow)) : markers.map((marker) => details(marker, level));
      return `${category}\n\n${body.join(level === 1 ? "\n" : "\n\n")}\n`;
    })
    .join("\n\n");
}

function summaryRow(marker: MarkerHelp): string[] {
  return [syntaxOf(marker), marker.target, summaryOf(marker)];
}

function summaryOf({ summary, deprecatedInFavorOf }: MarkerHelp): string {
  if (deprecatedInFavorOf === undefined) return summary;
  return deprecatedInFavorOf === "" ? `(deprecated) ${summary}` : `(use ${deprecatedInFavorOf}) ${summary}`;
}

function details(marker: MarkerHelp, level: 2 | 3): string {
  const { name, target, fields = [] } = marker;
  const lines = [`+${name} ${target}`];
  const [only] = fields;
  if (only?.name === "") lines.push(indent(`${argumentSyntax(only)}  ${summaryOf(marker)}`, 1));
  else lines.push(indent(summaryOf(marker), 1));
  if (level === 3 && marker.details !== undefined) lines.push(indent(marker.details, 1));
  if (fields.length === 0 || only?.name === "") return lines.join("\n");
  if (level === 2) lines.push(...table(fields.map((field) => [argumentSyntax(field), field.summary])).map(byOne));
  else lines.push("", ...fields.flatMap(longField));
  return lines.join("\n");
}

function longField(field: FieldHelp): string[] {
  const about = field.details === undefined ? [] : [indent(field.details, 2)];
  return [indent(argumentSyntax(field), 1), indent(field.summary, 2), ...about];
}

const byOne = (text: string) => indent(text, 1);

function indent(text: string, levels: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(4 * levels));
}

/** Aligns columns; the last one has no padding. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, { length }] of row.entries()) {
      if (length <= WIDEST) widths[column] = Math.max(widths[column] ?? 0, length);
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
