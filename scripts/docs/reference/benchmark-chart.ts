import type { Measurement } from "./benchmark-numbers.ts";

const [width, left, right, top, rowHeight] = [760, 330, 40, 56, 34];

/** Draws the ratios as bars from zero, with a line at 1. Its own background keeps it readable in both themes of the site. */
export function comparisonChart(measurements: readonly Measurement[]): string {
  const height = top + measurements.length * rowHeight + 56;
  const most = Math.ceil(Math.max(2, ...measurements.map(({ ratio }) => ratio)) * 2) / 2;
  const x = (ratio: number): number => round(left + (ratio / most) * (width - left - right));
  const bottom = top + measurements.length * rowHeight;
  const ticks = Array.from({ length: most * 2 + 1 }, (_, index) => index / 2);
  const grid = ticks.map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top - 8}" y2="${bottom}" stroke="${tick === 1 ? "#1b2333" : "#d5dbe8"}" stroke-width="${tick === 1 ? 1.5 : 1}"/>` +
      `<text x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${tick}</text>`,
  );
  const bars = measurements.map(({ name, ratio }, index) => {
    const y = top + index * rowHeight;
    const color = ratio <= 1 ? "#2f5fd0" : "#b4530a";
    return (
      `<text x="${left - 12}" y="${y + 17}" text-anchor="end">${escaped(name)}</text>` +
      `<rect x="${left}" y="${y + 2}" width="${round(x(ratio) - left)}" height="22" rx="3" fill="${color}"/>` +
      `<text x="${round(x(ratio) + 6)}" y="${y + 18}" font-weight="600">${ratio.toFixed(2)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12.5" fill="#1b2333">
<title>Cost of kubewright divided by the cost in Go</title>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>
<text x="${left - 12}" y="28" text-anchor="end" font-weight="600">Measurement</text>
<text x="${left}" y="28" font-weight="600">Cost: kubewright ÷ Go (1 = equal, less is better)</text>
${grid.join("\n")}
${bars.join("\n")}
<text x="${round((left + width - right) / 2)}" y="${bottom + 42}" text-anchor="middle">Ratio of time, memory or CPU time per operation</text>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
