// The recorded rows.
import { readdirSync, readFileSync } from "node:fs";

const directory = new URL("../testdata/", import.meta.url);

/** Returns all rows in the order of their areas: `{ name, area, steps, expected }`. */
export function readRows() {
  return readdirSync(directory)
    .sort()
    .flatMap((file) =>
      JSON.parse(readFileSync(new URL(file, directory), "utf8")).map((row) => ({
        ...row,
        area: file.slice(0, -".json".length),
      })),
    );
}

/**
 * Returns each tenth row, and at least one of each area. Rows that need kubectl and rows that mostly wait are left out: they
 * run with all others in `test:full`.
 */
export function sampleRows(rows) {
  const quick = rows.filter(({ steps }) => !steps.some((step) => step.kubectl !== undefined || step.sleep > 200));
  const areas = new Set();
  return quick.filter(({ area }, index) => {
    const isFirst = !areas.has(area);
    areas.add(area);
    return isFirst || index % 10 === 0;
  });
}
