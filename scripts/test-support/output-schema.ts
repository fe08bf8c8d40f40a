import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";

const directory = join(import.meta.dirname, "../../schemas");
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const validators = new Map<string, ValidateFunction>();

/** Reads the published schema of a command's output. */
export function outputSchema(words: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(directory, `${words.replaceAll(" ", "-")}.json`), "utf8"));
}

/**
 * Expects that an output fits the published schema of its command.
 *
 * @param words - the words of the command, such as `create api`
 * @param definition - one of the schema's definitions, if not all outputs are valid
 */
export function expectOutput(words: string, output: unknown, definition?: string): void {
  const key = `${words}#${definition ?? ""}`;
  const schema = outputSchema(words);
  const validate =
    validators.get(key) ??
    ajv.compile(definition === undefined ? schema : { $defs: schema.$defs, $ref: `#/$defs/${definition}` });
  validators.set(key, validate);
  const isValid = validate(output);
  expect(isValid, `${words}: ${JSON.stringify(validate.errors, null, 2)}\n${JSON.stringify(output)}`).toBe(true);
}
