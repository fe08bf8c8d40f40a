// Data and pictures that each clone of the repository contains stay small.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const checkout = join(import.meta.dirname, "..");

/** Returns the size of the files with an extension in a folder and its subfolders, in bytes. */
function sizeOf(folder: string, extension: string): number {
  const files = readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(extension) && !path.includes("node_modules"))
    .map((path) => statSync(join(checkout, folder, path)).size);
  expect(files.length).toBeGreaterThan(0);
  return files.reduce((sum, size) => sum + size, 0);
}

const megabyte = 1_000_000;

it.each([
  ["docs/public", ".png", 1 * megabyte],
  ["conformance/api-rows", ".json.gz", 2 * megabyte],
])("the files of %s that end with %s have at most %i bytes", (folder, extension, most) => {
  expect(sizeOf(folder, extension)).toBeLessThanOrEqual(most);
});
