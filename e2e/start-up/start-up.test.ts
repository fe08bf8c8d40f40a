// Start-up is the product's first impression: what is loaded, and how long it takes beside Node alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { pair } from "../../bench/lib/pair.mjs";
import { must } from "../lib/process.ts";
import { scaffoldBin } from "../lib/scaffold.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-start-up-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The packages whose code a command loads: V8's coverage names each script, the bundler each package in it. */
async function loadedPackages(...args: string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(scratch, "coverage-"));
  await must(process.execPath, [scaffoldBin, ...args], { cwd: scratch, env: { NODE_V8_COVERAGE: coverage } });
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

describe("start-up", () => {
  it("of scaffold version loads Node's own modules only", async () => {
    expect(await loadedPackages("version")).toEqual([]);
  });

  it.each(["--help", "help", "create api --help", "generate --help"])(
    "of scaffold %s loads no compiler, no templates, no prompts",
    async (line) => {
      const loaded = await loadedPackages(...line.split(" "));
      const heavy = /^(ts-morph|@ts-morph|typescript|oxc-parser|@oxc-parser|handlebars|inquirer|@inquirer|execa|ajv)/;
      expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
    },
  );

  it("is told by what is loaded: the command line parser is found where it is needed", async () => {
    // Else the tests above could not fail.
    expect(await loadedPackages("create", "api", "--help")).toContain("commander");
  });

  it("of scaffold version takes at most 1.5 times as long as node -e 0", async () => {
    const ours = { command: process.execPath, args: [scaffoldBin, "version"], cwd: scratch, env: {} };
    const { ratio } = await pair(ours, { ...ours, args: ["-e", "0"] }, 15);
    expect(ratio).toBeLessThanOrEqual(1.5);
  });
});
