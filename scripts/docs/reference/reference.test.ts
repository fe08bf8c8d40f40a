import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commands } from "../../../src/cli/commands.ts";
import { commandProgram } from "../../../src/cli/framework/program.ts";
import { root } from "../../lib/run.mjs";
import { argumentsOf, examplesOf } from "./cli-examples.ts";
import { makeTargets, makeTargetsReference } from "./make-targets.ts";
import { managerFlagsReference } from "./manager-flags.ts";
import { generatedPages, writtenPages } from "./pages.ts";
import { gapsInComments } from "./runtime/completeness.ts";
import { runtimeApi } from "./runtime/model.ts";

it("docs/reference matches the code", async () => {
  const generated = await generatedPages();
  const written = writtenPages(generated);
  const paths = [...new Set([...written.keys(), ...generated.keys()])];
  const stale = paths.filter((path) => ofEverySystem(written.get(path)) !== ofEverySystem(generated.get(path)));
  expect(stale, "run `npm run docs:reference`").toEqual([]);
}, 240_000);

// In this file, because the pages are generated from the same API, which takes seconds to read.
it("each export of the runtime has a complete comment: summary, parameters, result, errors and units", async () => {
  expect(gapsInComments(await runtimeApi())).toEqual([]);
}, 240_000);

/** Removes the metrics of the process that exist only on Linux. */
function ofEverySystem(text: string | undefined): string | undefined {
  return process.platform === "linux" ? text : text?.replace(/^\| `process_.*\n/gm, "");
}

it("make-targets.md lists each target of the Makefile", () => {
  const targets = makeTargets();
  expect(targets.length).toBeGreaterThan(20);
  const page = makeTargetsReference();
  expect(targets.filter((name) => !page.includes(`| \`make ${name}\` |`))).toEqual([]);
});

it("manager-flags.md lists each environment variable that a manager reads", () => {
  const found = variablesOfManagers();
  expect(found.length).toBeGreaterThan(8);
  const page = managerFlagsReference();
  expect(found.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Returns the variables that modules of the runtime read by their uppercase names. */
function variablesOfManagers(): string[] {
  const runtime = join(root, "runtime/src");
  const others = /^(envtest|testing|simulation|faults)\/|\.(test|fixture)\.ts$|(^|\/)testdata\//;
  // The bundle and `scaffold dev` set these. Users don't.
  const internal = /^(KUBEWRIGHT_|HOME$)/;
  const files = readdirSync(runtime, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !others.test(path));
  const names = files.flatMap((path) => {
    const reads = /\b(?:env|environment|variables)\??\.([A-Z][A-Z_]+)\b|\bneeded\("([A-Z_]+)"\)/g;
    return [...readFileSync(join(runtime, path), "utf8").matchAll(reads)].map(([, a, b]) => a ?? b ?? "");
  });
  return [...new Set(names)].filter((name) => !internal.test(name)).sort();
}

const examples = commands.flatMap((entry) => examplesOf(entry).map((example) => ({ entry, example, ...example })));

it.each(examples)("the command understands $line", async ({ entry, example }) => {
  let parsed = false;
  const onParsed = () => {
    parsed = true;
  };
  const program = await commandProgram(entry, await entry.load(), {}, { onHelp: () => undefined, onParsed });
  await program.parse(argumentsOf(entry, example));
  expect(parsed).toBe(true);
});
