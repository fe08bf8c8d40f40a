import type { Measurement } from "./benchmark-numbers.ts";

// Horizontal positions are percentages, so that the site (pictures.ts) can draw the chart at any width with text of the same
// size. Names are above their bars: next to them, they would take half of a phone's width.
const [width, top, rowHeight, plot] = [720, 56, 46, 88];

/**
 * Draws the ratios as bars from zero, with a line at 1. The file has the colors of the reader's system, and a background,
 * because a page may be dark when the system isn't. The site replaces both by those of its theme.
 */
export function comparisonChart(measurements: readonly Measurement[]): string {
  const bottom = top + measurements.length * rowHeight;
  const height = bottom + 52;
  const most = Math.ceil(Math.max(2, ...measurements.map(({ ratio }) => ratio)) * 2) / 2;
  const x = (ratio: number): string => `${round(1 + (ratio / most) * plot)}%`;
  const ticks = Array.from({ length: most * 2 + 1 }, (_, index) => index / 2);
  const grid = ticks.map(
    (tick) =>
      `<line class="${tick === 1 ? "one" : "tick"}" x1="${x(tick)}" x2="${x(tick)}" y1="${top - 8}" y2="${bottom}"/>` +
      `<text class="scale" x="${x(tick)}" y="${bottom + 18}">${tick}</text>`,
  );
  const bars = measurements.map(({ name, ratio }, index) => {
    const y = top + index * rowHeight;
    return (
      `<text class="name" x="${x(0)}" y="${y + 11}">${escaped(name)}</text>` +
      `<rect class="${ratio <= 1 ? "less" : "more"}" x="${x(0)}" y="${y + 18}" width="${round((ratio / most) * plot)}%" height="18" rx="3"/>` +
      `<text class="value" x="${x(ratio)}" dx="6" y="${y + 32}">${ratio.toFixed(2)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Cost of kubewright divided by the cost in Go</title>
<style>${style}</style>
<rect class="ground" width="100%" height="100%" rx="8"/>
<text class="value" x="${x(0)}" y="20">Measurement</text>
<text class="scale" x="${x(1)}" y="42">1 = equal, less is better</text>
${grid.join("\n")}
${bars.join("\n")}
<text class="scale value" x="${x(most / 2)}" y="${bottom + 40}">Cost: kubewright ÷ Go</text>
</svg>
`;
}

const style = [
  "text{font:12.5px system-ui,sans-serif;fill:#33363d}.value{font-weight:600}.scale{text-anchor:middle}",
  // An outline in the color of the background, where names cross lines.
  ".name{paint-order:stroke;stroke:#f6f6f7;stroke-width:5px}",
  ".ground{fill:#f6f6f7}.tick{stroke:#d5d6da}.one{stroke:#676b74}.less{fill:#2f5fd0}.more{fill:#b4530a}",
  "@media(prefers-color-scheme:dark){text{fill:#dfdfd6}.name{stroke:#202127}.ground{fill:#202127}.tick{stroke:#3c3f44}",
  ".one{stroke:#98989f}.less{fill:#8fb1ff}.more{fill:#f0a35e}}",
].join("");

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
