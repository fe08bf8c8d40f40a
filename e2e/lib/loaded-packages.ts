// Determines the packages that a command of the built package loads.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { must } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";

/** Returns the packages whose code a command loads: V8's coverage names each script, and the bundler each package in it. */
export async function loadedPackages(scratch: string, cwd: string, args: readonly string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(scratch, "coverage-"));
  await must(process.execPath, [scaffoldBin, ...args], { cwd, env: { NODE_V8_COVERAGE: coverage } });
  const reports = readdirSync(coverage).map((file) => JSON.parse(readFileSync(join(coverage, file), "utf8")));
  const urls = reports.flatMap(({ result }) => result.map((script: { url: string }) => script.url) as string[]);
  const found = new Set<string>();
  for (const url of urls.filter((url) => url.startsWith("file:"))) {
    const path = fileURLToPath(url);
    const texts = [path, readFileSync(path, "utf8")];
    for (const match of texts.join("\n").matchAll(/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//g))
      found.add(match[1] ?? "");
  }
  return [...found].sort();
}
