// The recorded rows: the given ones, and the neighbors, which test related rules. Each area is a compressed file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import type { Row, Step } from "./row.ts";

const given = new URL("../testdata/", import.meta.url);
const neighbors = new URL("../neighbours/testdata/", import.meta.url);
const extension = ".json.gz";

/** Returns all rows in the order of their areas, beginning with the given ones. */
export function readRows(): Row[] {
  return [...readDirectory(given), ...readNeighbors()];
}

/** Returns the neighbors only. Their `expected` is missing until they are recorded. */
export function readNeighbors(): Row[] {
  return readDirectory(neighbors);
}

function readDirectory(directory: URL): Row[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(extension))
    .sort()
    .flatMap((file) => {
      const rows: Omit<Row, "area">[] = JSON.parse(gunzipSync(readFileSync(new URL(file, directory))).toString());
      return rows.map((row) => ({ ...row, area: file.slice(0, -extension.length) }));
    });
}

/** Writes the neighbors, one file per area. */
export function writeNeighbors(rows: readonly Row[]): void {
  for (const [area, own] of groupByArea(rows)) {
    const text = `[\n${own.map(lineOf).join(",\n")}\n]\n`;
    const compressed = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
    writeFileSync(new URL(`${area}${extension}`, neighbors), compressed);
  }
}

/** Adds rows to the neighbors, or replaces those of the same names. Each line is a row in JSON, as {@link lineOf} returns it. */
export function addNeighbors(lines: string): void {
  const added = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Row => {
      const row: Omit<Row, "area"> = JSON.parse(line);
      return { ...row, area: row.name.split("/")[0] ?? "" };
    });
  const byName = new Map([...readNeighbors(), ...added].map((row) => [row.name, row]));
  writeNeighbors([...byName.values()]);
}

/** Returns a row as one line of JSON. */
export function lineOf({ name, steps, expected }: Row): string {
  return JSON.stringify({ name, steps, expected });
}

/**
 * Returns each twentieth row, and at least one of each area. Rows that need kubectl and rows that mostly wait are left out: they
 * run with all others in `test:full`.
 */
export function sampleRows(rows: readonly Row[]): Row[] {
  const isSlow = (step: Step): boolean => step.kubectl !== undefined || (step.sleep ?? 0) > 200;
  const timedOut = (answer: Row["expected"][number]): boolean =>
    typeof answer === "object" && answer !== null && "timedOut" in answer;
  const quick = rows.filter(({ steps, expected }) => !steps.some(isSlow) && !expected.some(timedOut));
  const areas = new Set<string>();
  return quick.filter(({ area }, index) => {
    const isFirst = !areas.has(area);
    areas.add(area);
    return isFirst || index % 20 === 0;
  });
}

function groupByArea(rows: readonly Row[]): Map<string, Row[]> {
  const areas = new Map<string, Row[]>();
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row]);
  return areas;
}
