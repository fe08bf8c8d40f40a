// Draws ratios as bars in a self-contained SVG. Both sides are equal at the middle line, and bars to its left mean that ours
// takes less.

import type { Bar, Chart } from "./results.ts";

const width = 760;
const rowHeight = 22;
const labelsEnd = 400;
const plotEnd = 700;
const head = 34;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const number = (value: number): string => (value < 0.095 ? value.toFixed(3) : value.toFixed(2));

/**
 * Returns the drawing of a chart, whose ratios must be positive. The axis is logarithmic: half as much is as far from 1 as
 * twice as much.
 */
export function ratioChart({ title, bars }: Chart): string {
  const ratios = bars.map(({ ratio }) => ratio);
  const from = Math.min(-1, Math.floor(Math.log2(Math.min(...ratios))));
  const to = Math.max(1, Math.ceil(Math.log2(Math.max(...ratios))));
  const x = (ratio: number): number => labelsEnd + ((Math.log2(ratio) - from) / (to - from)) * (plotEnd - labelsEnd);
  const bottom = head + bars.length * rowHeight;
  const step = Math.ceil((to - from) / 6);
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((power) => power % step === 0);
  const lines = ticks.map((power) => {
    const at = x(2 ** power).toFixed(1);
    const text = power < 0 ? `1/${2 ** -power}` : `${2 ** power}`;
    const kind = power === 0 ? "one" : "tick";
    return `<line class="${kind}" x1="${at}" x2="${at}" y1="${head - 6}" y2="${bottom}"/><text class="scale" x="${at}" y="${head - 12}">${text}</text>`;
  });
  const rows = bars.map(({ name, ratio }, index) => {
    const y = head + index * rowHeight;
    const left = Math.min(x(1), x(ratio));
    const right = Math.max(x(1), x(ratio));
    const bar = `<rect class="${ratio > 1 ? "more" : "less"}" x="${left.toFixed(1)}" y="${y + 4}" width="${Math.max(1, right - left).toFixed(1)}" height="${rowHeight - 8}"/>`;
    const baseline = y + rowHeight / 2 + 4;
    return `<text class="name" x="${labelsEnd - 12}" y="${baseline}">${escaped(name)}</text>${bar}<text x="${plotEnd + 12}" y="${baseline}">${number(ratio)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 14}" viewBox="0 0 ${width} ${bottom + 14}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="100%" height="100%" rx="8"/>`,
    ...lines,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

// The chart has its own background, because a page may be dark when the reader's system isn't.
const style = [
  "text{font:12px system-ui,sans-serif;fill:#33363d}",
  ".name{text-anchor:end}.scale{text-anchor:middle;fill:#676b74}",
  ".ground{fill:#f6f6f7}.tick{stroke:#d5d6da}.one{stroke:#676b74}.less{fill:#2f7d5b}.more{fill:#c05621}",
  "@media(prefers-color-scheme:dark){text{fill:#dfdfd6}.scale{fill:#98989f}.ground{fill:#202127}.tick{stroke:#3c3f44}",
  ".one{stroke:#98989f}.less{fill:#4fb286}.more{fill:#e08a4f}}",
].join("");

/** Returns the chart's text alternative. */
export function ratioChartText({ title, bars }: Chart): string {
  const extreme = (isMore: (bar: Bar, than: Bar) => boolean): string => {
    const { name, ratio } = bars.reduce((extreme, bar) => (isMore(bar, extreme) ? bar : extreme));
    return `${number(ratio)} (${name})`;
  };
  const lowest = extreme((bar, than) => bar.ratio < than.ratio);
  const highest = extreme((bar, than) => bar.ratio > than.ratio);
  const less = bars.filter(({ ratio }) => ratio <= 1).length;
  return `${title}. ${less} of ${bars.length} are at most 1; from ${lowest} to ${highest}. The table above has all numbers`;
}
