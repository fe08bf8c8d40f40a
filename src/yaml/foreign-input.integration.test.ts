import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|test-support\//.test(path));

/** Returns the files outside of a folder whose text matches. */
const outside = (folder: string, pattern: RegExp) =>
  sources.filter((path) => !path.startsWith(folder) && pattern.test(readFileSync(join(root, path), "utf8")));

it("only src/yaml parses YAML, because its functions have limits", () => {
  expect(outside("yaml/", /import \{[^}]*\b(parse|parseDocument|parseAllDocuments)\b[^}]*\} from "yaml"/)).toEqual([]);
  expect(outside("yaml/", /import \{[^}]*\b(load|loadAll)\b[^}]*\} from "js-yaml"/)).toEqual([]);
});

it("only src/regex runs the patterns of schemas", () => {
  expect(outside("regex/", /from "re2js"/)).toEqual([]);
});

it("only the terminal and the report write to the streams of the process", () => {
  const writers = outside("none/", /\b(stdout|stderr)\.write\(|process\.(stdout|stderr)\b/);
  // Some commands pass the streams to programs that they start, managers of `scaffold dev` ignore that their output is
  // closed, and the protocol of `scaffold mcp` uses stdout alone.
  const inheriting = [
    "dev/build/session-end.ts",
    "mcp/server.ts",
    "programs/run.ts",
    "scaffold/format/run-prettier.ts",
  ];
  expect(writers.sort()).toEqual(
    [
      ...inheriting,
      "cli/main.ts",
      "cli/framework/program.ts",
      "cli/framework/report.ts",
      "cli/framework/terminal.ts",
    ].sort(),
  );
});

it("only src/text writes the escape sequences of terminals", () => {
  // The library of prompts draws them, and their input comes from the user.
  const writers = outside("text/", /\\u001b\[/);
  expect(writers.sort()).toEqual(["cli/framework/prompts.ts", "cli/framework/terminal.ts"]);
});
