import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { schemaFile } from "../../src/cli/schemas/command-list.ts";
import { fullTest } from "../test-support/full-test.ts";
import { generateSchemas, schemasDirectory } from "./generate.ts";

const files = readdirSync(schemasDirectory);

fullTest("schemas/ is up to date: npm run schemas", () => {
  const generated = generateSchemas();
  expect([...generated.keys()].sort()).toEqual([...files].sort());
  for (const [file, text] of generated) expect(readFileSync(join(schemasDirectory, file), "utf8"), file).toBe(text);
});

it("each command and help has a schema", () => {
  const names = [...commands.map(({ words }) => words.join(" ")), "help"];
  expect(files.toSorted()).toEqual(names.map(schemaFile).sort());
});

it.each(files)("%s is a valid JSON Schema 2020-12, and permits more keys", (file) => {
  const text = readFileSync(join(schemasDirectory, file), "utf8");
  expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(text))).not.toThrow();
  expect(text).not.toContain('"additionalProperties": false');
});
