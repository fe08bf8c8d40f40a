import { afterAll, afterEach } from "vitest";

/** Prints the tests of a file at the end, with their results and durations. */
export function printTable(title: string): void {
  const rows: string[][] = [];
  afterEach(({ task }) => {
    const seconds = (Date.now() - (task.result?.startTime ?? Date.now())) / 1000;
    rows.push([task.name, task.result?.state === "pass" ? "yes" : "NO", `${seconds.toFixed(1)} s`]);
  });
  afterAll(() => {
    process.stdout.write(`\n${[title, "", ...table(["Check", "Holds", "Time"], rows)].join("\n")}\n\n`);
  });
}

/** Formats a Markdown table with aligned columns. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(...[name, ...rows.map((row) => row[column] ?? "")].map(length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - length(cell))).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

const length = (text: string) => [...text].length;
