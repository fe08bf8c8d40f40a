import type { Recording } from "./recording.ts";
import type { Line, Style } from "./screen.ts";

/** Returns a recording in the format asciicast v2: a header, and per frame the control sequences for the changed lines. */
export function asciicast({ columns, rows, frames }: Recording, title: string): string {
  const header = { version: 2, width: columns, height: rows, title, env: { TERM: "xterm-256color" } };
  const lines = [JSON.stringify(header)];
  let before: readonly Line[] = [];
  for (const { time, lines: now } of frames) {
    const changed = now.flatMap((line, row) =>
      JSON.stringify(line) === JSON.stringify(before[row] ?? []) ? [] : [`\u001b[${row + 1};1H${ansi(line)}\u001b[K`],
    );
    const start = before.length === 0 ? "\u001b[?25l\u001b[2J" : "";
    lines.push(JSON.stringify([Math.round(time) / 1000, "o", start + changed.join("")]));
    before = now;
  }
  return `${lines.join("\n")}\n`;
}

function ansi(line: Line): string {
  return line.map(({ text, style }) => `\u001b[${codes(style)}m${text}\u001b[0m`).join("");
}

function codes({ foreground, background, bold, dim }: Style): string {
  return [
    ...(bold ? ["1"] : []),
    ...(dim ? ["2"] : []),
    ...color(foreground, 38),
    ...color(background, 48),
    // Without any of these, the style is the default.
    ...(bold || dim || foreground !== undefined || background !== undefined ? [] : ["0"]),
  ].join(";");
}

function color(value: number | string | undefined, code: 38 | 48): string[] {
  if (value === undefined) return [];
  if (typeof value === "number") return [`${code};5;${value}`];
  const [red, green, blue] = [1, 3, 5].map((index) => Number.parseInt(value.slice(index, index + 2), 16));
  return [`${code};2;${red};${green};${blue}`];
}
