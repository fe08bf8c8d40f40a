import type { Recording } from "./recording.ts";
import type { Line, Style } from "./screen.ts";

const cell = { width: 8.4, height: 19 };
const margin = { x: 16, top: 44, bottom: 14 };
/** Milliseconds that the last frame stays. */
const lastTime = 4000;

const palette: Readonly<Record<number, string>> = {
  0: "#0f1419",
  1: "#ff7b72",
  2: "#7ee2a8",
  3: "#f2cc60",
  4: "#79b8ff",
  5: "#d2a8ff",
  6: "#76e3ea",
  7: "#e6edf3",
  8: "#7d8590",
};
const background = "#0f1419";
const plain = "#d5dce4";

/**
 * Returns a recording as an animated SVG, which needs no script. Equal lines are contained once. With reduced motion, it
 * shows the last frame.
 *
 * @param recording - the recording
 * @param title - for screen readers, and above the terminal
 */
export function svg({ columns, rows, frames }: Recording, title: string): string {
  const width = round(columns * cell.width + 2 * margin.x);
  const inner = rows * cell.height;
  const height = inner + margin.top + margin.bottom;
  const indexes = new Map<string, number>();
  const definitions: string[] = [];
  const idOf = (line: Line): number => {
    const key = JSON.stringify(line);
    const id = indexes.get(key) ?? indexes.size;
    if (!indexes.has(key)) {
      indexes.set(key, id);
      definitions.push(`<g id="l${id}">${lineMarkup(line)}</g>`);
    }
    return id;
  };
  const groups = frames.map(({ lines }, index) => {
    const uses = lines.flatMap((line, row) =>
      line.length === 0 ? [] : [`<use href="#l${idOf(line)}" y="${row * cell.height}"/>`],
    );
    return `<g transform="translate(0 ${index * inner})">${uses.join("")}</g>`;
  });
  const total = (frames.at(-1)?.time ?? 0) + lastTime;
  const steps = frames.map(
    ({ time }, index) => `${round((time / total) * 100, 3)}%{transform:translateY(${-index * inner}px)}`,
  );
  const last = -(frames.length - 1) * inner;
  const style = [
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:" +
      `${plain}}`,
    ".t{fill:#9aa4af;font-size:13px}",
    ".b{font-weight:600}.d{opacity:.62}",
    ...Object.entries(palette).map(([number, color]) => `.c${number}{fill:${color}}`),
    `.film{animation:film ${round(total / 1000, 2)}s step-end infinite}`,
    `@keyframes film{${steps.join("")}}`,
    `@media(prefers-reduced-motion:reduce){.film{animation:none;transform:translateY(${last}px)}}`,
  ].join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title><style>${style}</style>`,
    `<defs>${definitions.join("\n")}</defs>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${background}"/>`,
    '<circle cx="22" cy="21" r="5.5" fill="#ff6159"/><circle cx="41" cy="21" r="5.5" fill="#ffbd2e"/><circle cx="60" cy="21" r="5.5" fill="#28c941"/>',
    `<text class="t" x="${width / 2}" y="26" text-anchor="middle">${escaped(title)}</text>`,
    `<svg x="${margin.x}" y="${margin.top}" width="${width - 2 * margin.x}" height="${inner}"><g class="film">`,
    groups.join("\n"),
    "</g></svg></svg>\n",
  ].join("\n");
}

function lineMarkup(line: Line): string {
  let column = 0;
  const boxes: string[] = [];
  const texts: string[] = [];
  for (const { text, style } of line) {
    const { length } = [...text];
    const x = round(column * cell.width);
    const size = round(length * cell.width);
    if (style.background !== undefined) {
      boxes.push(`<rect x="${x}" width="${size}" height="${cell.height}" fill="${colorOf(style.background)}"/>`);
    }
    column += length;
    if (text.trim() === "") continue;
    texts.push(`<text x="${x}" y="14"${classes(style)} textLength="${size}">${escaped(text)}</text>`);
  }
  return boxes.join("") + texts.join("");
}

function classes({ foreground, bold, dim }: Style): string {
  const names = [
    ...(typeof foreground === "number" ? [`c${foreground}`] : []),
    ...(bold ? ["b"] : []),
    ...(dim ? ["d"] : []),
  ];
  const fill = typeof foreground === "string" ? ` style="fill:${foreground}"` : "";
  return (names.length > 0 ? ` class="${names.join(" ")}"` : "") + fill;
}

function colorOf(color: number | string): string {
  return typeof color === "string" ? color : (palette[color] ?? plain);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
