import { expect, it } from "vitest";
import { commands } from "../../../src/cli/commands.ts";
import { commandProgram } from "../../../src/cli/framework/program.ts";
import { argumentsOf, examplesOf } from "./cli-examples.ts";
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
