// Determines the packages that a command of the built package loads.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { must } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";

/** Returns the packages whose code a command loads: V8's coverage names each script, and the bundler each package in it. */
export async function loadedPackages(scratch: string, cwd: string, args: readonly string[]): Promise<string[]> {
  return mentioned(await loadedTexts(scratch, cwd, args), /node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//g);
}

/** Returns our own modules that a command loads, by their path in the repository. */
export async function loadedModules(scratch: string, cwd: string, args: readonly string[]): Promise<string[]> {
  return mentioned(await loadedTexts(scratch, cwd, args), /^\/\/#region (src\/\S+)$/gm);
}

const mentioned = (texts: readonly string[], pattern: RegExp): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort();

/** Returns the paths and texts of the scripts that a command loads. */
async function loadedTexts(scratch: string, cwd: string, args: readonly string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(scratch, "coverage-"));
  await must(process.execPath, [scaffoldBin, ...args], { cwd, env: { NODE_V8_COVERAGE: coverage } });
  const reports = readdirSync(coverage).map((file) => JSON.parse(readFileSync(join(coverage, file), "utf8")));
  const urls = reports.flatMap(({ result }) => result.map((script: { url: string }) => script.url) as string[]);
  const paths = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  return paths.flatMap((path) => [path, readFileSync(path, "utf8")]);
}
