// The table of results.

import type { Bar } from "../../lib/results.ts";

export interface Limits {
  readonly unit?: string;
  /** The limits of the ratio, or with `absolute` of the value. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly absolute?: boolean;
  /** The name of the inverse, if more is better. */
  readonly cost?: string;
}

/** A line of the report: a value of ours and of the peer, if there is one. */
export interface Line extends Limits {
  readonly what: string;
  readonly digits: number;
  readonly ours: number;
  readonly theirs?: number;
  readonly ratio?: number;
}

/** Whether a line meets its limit; `undefined` if it has no limit, or nothing to compare with. */
export function kept({ ours, ratio, atMost, atLeast, absolute }: Line): boolean | undefined {
  const value = absolute ? ours : ratio;
  if (value === undefined || (atMost === undefined && atLeast === undefined)) return undefined;
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

export const heads = ["", "ours", "Go", "ours / Go", "limit", ""];

/** Returns the cells of a line, in the order of {@link heads}. */
export function cells(entry: Line): string[] {
  const { what, unit, digits, ours, theirs, ratio, atMost, atLeast, absolute } = entry;
  const number = (value: number | undefined): string =>
    value === undefined ? "–" : `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`;
  const bound = atMost === undefined ? atLeast !== undefined && `≥ ${atLeast}` : `≤ ${atMost}`;
  const limit = bound ? `${absolute ? "" : "× "}${bound}${absolute && unit ? ` ${unit}` : ""}` : "";
  const isKept = kept(entry);
  const verdict = isKept === undefined ? "" : isKept ? "kept" : "**missed**";
  return [what, number(ours), number(theirs), ratio === undefined ? "–" : ratio.toFixed(2), limit, verdict];
}

/** Returns chart bars for the lines with a peer, converted so that less is better. */
export function bars(lines: readonly Line[]): Bar[] {
  return lines.flatMap(({ what, ratio, cost }) =>
    ratio === undefined ? [] : { name: cost ?? what, ratio: cost === undefined ? ratio : 1 / ratio },
  );
}

/** Formats the lines as a Markdown table. */
export function table(lines: readonly Line[]): string {
  const rows = [heads, heads.map((_, column) => (column > 0 && column < 5 ? "---:" : "---")), ...lines.map(cells)];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
