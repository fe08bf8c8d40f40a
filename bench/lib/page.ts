// Updates the page of results, and the charts in a folder with the page's name. Replaces everything between the comments
// `<!-- results: NAME -->` and `<!-- end of results: NAME -->`.
import { ratioChart, ratioChartText } from "./chart.ts";
import type { Results, Table } from "./results.ts";

/** A chart as a file. */
export interface ChartFile {
  /** Relative to the page. */
  readonly path: string;
  readonly text: string;
  /** The text alternative. */
  readonly alt: string;
}

/** When, where and how a part was measured. */
export interface Circumstances {
  readonly date: string;
  /** The machine. */
  readonly facts: string;
  /** Whether the run was too short for real numbers. */
  readonly quick: boolean;
  /** The reason if the results are incomplete. */
  readonly cut?: string;
  readonly files?: readonly ChartFile[];
}

/**
 * Returns the page with the results of a part.
 *
 * @throws Error if the page has no place for them
 */
export function withResults(page: string, name: string, text: string): string {
  const start = `<!-- results: ${name} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(`<!-- end of results: ${name} -->`);
  if (from < 0 || to < from) throw new Error(`the page has no place for the results of ${name}: ${start}`);
  return `${page.slice(0, from + start.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** Returns a part's charts as files, by their paths relative to the page `NAME.md`. */
export function chartFiles(pageName: string, part: string, { charts }: Pick<Results, "charts">): ChartFile[] {
  return charts.map((chart, index) => ({
    path: `${pageName}/${part}${index === 0 ? "" : `-${index + 1}`}.svg`,
    text: ratioChart(chart),
    alt: ratioChartText(chart),
  }));
}

/** Formats results as Markdown. */
export function render(
  { tables, absent, missed }: Pick<Results, "tables" | "absent" | "missed">,
  { date, facts, quick, cut, files = [] }: Circumstances,
): string {
  const short = quick ? " A short run: what it shows is that it works." : "";
  return [
    `Measured on ${date}: ${facts}.${short}`,
    ...(cut === undefined ? [] : [`**Not all of it was measured**: ${cut}.`]),
    ...absent.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
    ...tables.filter(({ rows }) => rows.length > 0).map(markdownTable),
    ...files.map(({ path, alt }) => `![${alt.replace(/[`[\]]/g, "")}.](${path})`),
    ...(missed.length === 0 ? [] : [["Limits that were missed:", "", ...missed.map((text) => `- ${text}`)].join("\n")]),
  ].join("\n\n");
}

function markdownTable({ columns, rows }: Table): string {
  // Numbers are aligned to the right.
  const aligned = columns.map((_, column) =>
    rows.every((row) => /^(–|[-\d.].*)?$/.test(row[column] ?? "")) ? "---:" : "---",
  );
  return [columns, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
