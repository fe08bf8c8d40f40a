// The recorded rows: the given ones, and the neighbours, which test related rules.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const given = new URL("../testdata/", import.meta.url);
const neighbours = new URL("../neighbours/testdata/", import.meta.url);

/** Returns all rows in the order of their areas, beginning with the given ones: `{ name, area, steps, expected }`. */
export function readRows() {
  return [...readDirectory(given), ...readNeighbours()];
}

/** Returns the neighbours only. Their `expected` is missing until they are recorded. */
export function readNeighbours() {
  return readDirectory(neighbours);
}

function readDirectory(directory) {
  return readdirSync(directory)
    .sort()
    .flatMap((file) =>
      JSON.parse(readFileSync(new URL(file, directory), "utf8")).map((row) => ({
        ...row,
        area: file.slice(0, -".json".length),
      })),
    );
}

/** Writes the neighbours, one file per area and one line per row. */
export function writeNeighbours(rows) {
  for (const [area, own] of groupByArea(rows)) {
    const lines = own.map(({ name, steps, expected }) => JSON.stringify({ name, steps, expected }));
    writeFileSync(new URL(`${area}.json`, neighbours), `[\n${lines.join(",\n")}\n]\n`);
  }
}

/**
 * Returns each twentieth row, and at least one of each area. Rows that need kubectl and rows that mostly wait are left out: they
 * run with all others in `test:full`.
 */
export function sampleRows(rows) {
  const isSlow = (step) => step.kubectl !== undefined || step.sleep > 200;
  const quick = rows.filter(({ steps, expected }) => !steps.some(isSlow) && !expected.some((one) => one?.timedOut));
  const areas = new Set();
  return quick.filter(({ area }, index) => {
    const isFirst = !areas.has(area);
    areas.add(area);
    return isFirst || index % 20 === 0;
  });
}

function groupByArea(rows) {
  const areas = new Map();
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row]);
  return areas;
}
