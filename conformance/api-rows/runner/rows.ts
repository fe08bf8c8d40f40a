// The recorded rows of each minor version: the given ones, and the neighbors, which test related rules. Each area is a
// compressed file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import type { Row, Step } from "./row.ts";

/** A minor version of Kubernetes whose answers were recorded. */
export type Version = "1.36" | "1.37";

/** The versions with rows, the newest first. */
export const versions: readonly Version[] = ["1.37", "1.36"];

const given = new URL("../testdata/", import.meta.url);
const neighbors = new URL("../neighbours/testdata/", import.meta.url);
const extension = ".json.gz";

/** Returns the version of this name; throws an error if it has no rows. */
export function versionOf(name: string): Version {
  const version = versions.find((version) => version === name);
  if (version === undefined) throw new Error(`no rows of Kubernetes ${name}: it must be ${versions.join(" or ")}`);
  return version;
}

/** Returns all rows of a version in the order of their areas, beginning with the given ones. */
export function readRows(version: Version): Row[] {
  return [...readDirectory(new URL(`${version}/`, given)), ...readNeighbors(version)];
}

/** Returns the neighbors only. Their `expected` is missing until they are recorded. */
export function readNeighbors(version: Version): Row[] {
  return readDirectory(new URL(`${version}/`, neighbors));
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

/** Writes the neighbors of a version, one file per area. */
export function writeNeighbors(version: Version, rows: readonly Row[]): void {
  for (const [area, own] of groupByArea(rows)) {
    const text = `[\n${own.map(lineOf).join(",\n")}\n]\n`;
    const compressed = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
    writeFileSync(new URL(`${version}/${area}${extension}`, neighbors), compressed);
  }
}

/** Adds rows to the neighbors, or replaces those of the same names. Each line is a row in JSON, as {@link lineOf} returns it. */
export function addNeighbors(version: Version, lines: string): void {
  const added = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Row => {
      const row: Omit<Row, "area"> = JSON.parse(line);
      return { ...row, area: row.name.split("/")[0] ?? "" };
    });
  const byName = new Map([...readNeighbors(version), ...added].map((row) => [row.name, row]));
  writeNeighbors(version, [...byName.values()]);
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
