// Checks the prose of pages, templates, messages, comments and test titles by `rules.ts`.
//   tsx scripts/docs/prose/lint.ts [path…]
// Prints a line per finding, and exits 1 if there is one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "../../lib/run.mjs";
import { check } from "./rules.ts";
import { codeTexts, pageTexts, type Text, templateTexts, testTexts } from "./texts.ts";

// Not our prose: inputs of tests, generated modules, and the text of a license.
const excluded =
  /^conformance\/differential-fuzz\/invent\/texts\.ts$|^conformance\/api-rows\/runner\/webhook\.ts$|^src\/sbom\/license-in-readme\.ts$|(^|\/)(testdata|node_modules)\/|^packages\/runtime\/src\/api\/[^/]+\//;
/** Files whose string literals are mostly inputs and expected outputs. */
const test = /(^|\/)(test-support|fixtures?)\/|\.(test|fixture)\.ts$/;

function textsOf(path: string, source: string): Text[] {
  if (path.startsWith("templates/")) return templateTexts(source, path);
  if (path.endsWith(".md")) return pageTexts(source);
  if (test.test(path)) return testTexts(source);
  return codeTexts(source, path);
}

const { stdout: listed } = await must("git", ["ls-files", ...process.argv.slice(2)]);
const paths = listed.split("\n").filter((path) => /\.(md|hbs|tsx?|mjs)$/.test(path) && !excluded.test(path));
let count = 0;
for (const path of paths) {
  for (const { text, line, kind } of textsOf(path, readFileSync(join(root, path), "utf8"))) {
    for (const { rule, at, found, advice } of check(text.replace(/\s/g, " "), kind)) {
      count++;
      const place = `${path}:${line + (text.slice(0, at).match(/\n/g)?.length ?? 0)}`;
      process.stdout.write(`${place}: ${kind} ${rule}: "${found}": ${advice}\n`);
    }
  }
}
process.stdout.write(`${count} findings in ${paths.length} files\n`);
process.exitCode = count > 0 ? 1 : 0;
