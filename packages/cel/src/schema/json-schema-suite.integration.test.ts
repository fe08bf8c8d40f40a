import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeJson } from "../json/decode.ts";
import type { Json } from "../json/json.ts";
import type { Schema } from "./schema.ts";
import { validateSchema } from "./validate.ts";

interface Group {
  description: string;
  schema: Record<string, unknown>;
  tests: { description: string; data: Json; valid: boolean }[];
}

const folder = new URL("../../testdata/json-schema-suite/", import.meta.url);
/** Keywords that schemas of the API can't have. */
const foreign = /"(?:\$ref|dependencies|additionalItems|definitions)"|"items":\[|"type":\[|"type":"(?:null|any)"/;

/** The decoder of the suite reads 35 as a float. The server reads an integer, and compares it with the integer part of 1.5. */
const ofFloats = "35 is not multiple of 1.5";

describe("the JSON schema suite of kube-openapi", () => {
  for (const file of readdirSync(folder)) {
    const groups = decodeJson(readFileSync(new URL(file, folder), "utf8")).value as unknown as Group[];
    for (const group of groups) {
      if (foreign.test(JSON.stringify(group.schema))) continue;
      for (const { description, data, valid } of group.tests) {
        if (description === ofFloats) continue;
        it(`${file}: ${group.description}: ${description}`, () => {
          const errors = validateSchema(group.schema as Schema, data);
          expect(errors.length === 0, JSON.stringify(errors)).toBe(valid);
        });
      }
    }
  }
});
