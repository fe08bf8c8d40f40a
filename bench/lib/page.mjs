// The page of results, with a folder of charts beside it that bears its name: between the remarks `<!-- results: NAME -->` and `<!-- end of results: NAME -->` everything is replaced.
import { ratioChart, ratioChartText } from "./chart.mjs";

/** The page with the results of a part. Throws where it has no place for them. */
export function withResults(page, name, text) {
  const [start, end] = [`<!-- results: ${name} -->`, `<!-- end of results: ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for the results of ${name}: ${start} … ${end}`);
  return `${page.slice(0, from + start.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** A part's charts as files, by their paths relative to the page `NAME.md`. */
export function chartFiles(pageName, part, { charts }) {
  return charts.map((chart, index) => ({
    path: `${pageName}/${part}${index === 0 ? "" : `-${index + 1}`}.svg`,
    text: ratioChart(chart),
    alt: ratioChartText(chart),
  }));
}

/** Results in Markdown; `files` are its charts, and `cut` is the reason if it isn't complete. */
export function render({ tables, absent, missed }, { date, facts, quick, cut, files = [] }) {
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

function markdownTable({ columns, rows }) {
  // Numbers stand to the right.
  const aligned = columns.map((_, column) =>
    rows.every((row) => /^(–|[-\d.].*)?$/.test(row[column])) ? "---:" : "---",
  );
  return [columns, aligned, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
