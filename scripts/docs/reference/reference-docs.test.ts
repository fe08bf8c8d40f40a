import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../../src/cli/commands.ts";
import { commandProgram } from "../../../src/cli/framework/program.ts";
import { argumentsOf, examplesOf } from "./cli-examples.ts";
import { pages } from "./pages.ts";
import { exportedNames } from "./runtime.ts";

describe("docs/reference matches the code", () => {
  it.each(pages)(
    "$file",
    async ({ file, make }) => {
      const text = readFileSync(join(import.meta.dirname, "../../../docs/reference", file), "utf8");
      const [written, made] = [text, await make()].map(ofEverySystem);
      expect(written, "run `npm run docs:reference`").toBe(made);
    },
    120_000,
  );
});

it("every export of the runtime has a description", () => {
  const silent = exportedNames().filter(({ declarations }) => declarations.every(({ about }) => about === ""));
  expect(silent.map(({ name }) => name)).toEqual([]);
}, 120_000);

/** Without what only Linux counts of a process. */
function ofEverySystem(text: string): string {
  return process.platform === "linux" ? text : text.replace(/^\| `process_.*\n/gm, "");
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
