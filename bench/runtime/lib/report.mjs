// The table of results.

/** Whether a line keeps its limit; `undefined` where it has none, or nothing to compare with. */
export function kept({ ours, ratio, atMost, atLeast, absolute }) {
  const value = absolute ? ours : ratio;
  if (value === undefined || (atMost === undefined && atLeast === undefined)) return undefined;
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

export const heads = ["", "ours", "Go", "ours / Go", "limit", ""];

/** A line as the cells below {@link heads}. */
export function cells(entry) {
  const { what, unit, digits, ours, theirs, ratio, atMost, atLeast, absolute } = entry;
  const number = (value) => (value === undefined ? "–" : `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`);
  const bound = atMost === undefined ? atLeast !== undefined && `≥ ${atLeast}` : `≤ ${atMost}`;
  const limit = bound ? `${absolute ? "" : "× "}${bound}${absolute && unit ? ` ${unit}` : ""}` : "";
  const verdict = { true: "kept", false: "**missed**", undefined: "" }[kept(entry)];
  return [what, number(ours), number(theirs), ratio === undefined ? "–" : ratio.toFixed(2), limit, verdict];
}

/** The lines that have a peer as bars of a chart, all of them of what is better the less there is. */
export function bars(lines) {
  return lines
    .filter(({ ratio }) => ratio !== undefined)
    .map(({ what, ratio, cost }) => ({ name: cost ?? what, ratio: cost === undefined ? ratio : 1 / ratio }));
}

/** The lines as a table in Markdown. */
export function table(lines) {
  const rows = [heads, heads.map((_, column) => (column > 0 && column < 5 ? "---:" : "---")), ...lines.map(cells)];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
