import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/run.mjs";
import { benchmarkPages } from "./benchmarks.ts";
import { cliReference } from "./cli.ts";
import { diagnosticsReference } from "./diagnostics.ts";
import { errorsReference } from "./errors.ts";
import { makeTargetsReference } from "./make-targets.ts";
import { managerFlagsReference } from "./manager-flags.ts";
import { markersReference } from "./markers.ts";
import { metricsReference } from "./metrics.ts";
import { runtimeIndex } from "./runtime/index-page.ts";
import { areaPages } from "./runtime/pages.ts";

/** The folder of the generated pages. */
export const directory = join(root, "docs/reference");

/**
 * Generates all pages of docs/reference that are generated from code.
 *
 * @returns the texts by path in docs/reference
 */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([
    ...benchmarkPages(),
    ["cli.md", await cliReference()],
    ["diagnostics.md", diagnosticsReference()],
    ["errors.md", errorsReference()],
    ["make-targets.md", makeTargetsReference()],
    ["manager-flags.md", managerFlagsReference()],
    ["markers.md", markersReference()],
    ["metrics.md", await metricsReference()],
    ["runtime.md", await runtimeIndex()],
  ]);
  for (const [page, text] of await areaPages()) pages.set(`runtime/${page}.md`, text);
  return pages;
}

/**
 * Reads the checked-in pages.
 *
 * @param generated - the pages that should exist
 * @returns these pages, and those of areas that no longer exist, by path in docs/reference
 */
export function writtenPages(generated: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const areas = readdirSync(join(directory, "runtime")).map((name) => `runtime/${name}`);
  const paths = new Set([...generated.keys(), ...areas].filter((path) => existsSync(join(directory, path))));
  return new Map([...paths].map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}
