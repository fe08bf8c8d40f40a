// The table of results.

/** Whether a line meets its limit; `undefined` if it has no limit, or nothing to compare with. */
export function kept({ ours, ratio, atMost, atLeast, absolute }) {
  const value = absolute ? ours : ratio;
  if (value === undefined || (atMost === undefined && atLeast === undefined)) return undefined;
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

export const heads = ["", "ours", "Go", "ours / Go", "limit", ""];

/** Returns the cells of a line, in the order of {@link heads}. */
export function cells(entry) {
  const { what, unit, digits, ours, theirs, ratio, atMost, atLeast, absolute } = entry;
  const number = (value) => (value === undefined ? "–" : `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`);
  const bound = atMost === undefined ? atLeast !== undefined && `≥ ${atLeast}` : `≤ ${atMost}`;
  const limit = bound ? `${absolute ? "" : "× "}${bound}${absolute && unit ? ` ${unit}` : ""}` : "";
  const verdict = { true: "kept", false: "**missed**", undefined: "" }[kept(entry)];
  return [what, number(ours), number(theirs), ratio === undefined ? "–" : ratio.toFixed(2), limit, verdict];
}

/** Returns chart bars for the lines with a peer, converted so that less is better. */
export function bars(lines) {
  return lines
    .filter(({ ratio }) => ratio !== undefined)
    .map(({ what, ratio, cost }) => ({ name: cost ?? what, ratio: cost === undefined ? ratio : 1 / ratio }));
}

/** Formats the lines as a Markdown table. */
export function table(lines) {
  const rows = [heads, heads.map((_, column) => (column > 0 && column < 5 ? "---:" : "---")), ...lines.map(cells)];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
