// Generates the JSON Schemas of the objects that commands print with `--json`.
import { join } from "node:path";
import { type Config, createGenerator, type Schema } from "ts-json-schema-generator";
import { schemaFile, schemaUrl } from "../../src/cli/schemas/command-list.ts";

const root = join(import.meta.dirname, "../..");

/** The directory of the generated schemas, which the npm package contains. */
export const schemasDirectory = join(root, "schemas");

const config: Config = {
  path: join(root, "src/cli/schemas/outputs.ts"),
  tsconfig: join(root, "tsconfig.json"),
  type: "Outputs",
  additionalProperties: true,
  // `npm run typecheck` checks the types.
  skipTypeCheck: true,
  topRef: false,
};

type Definitions = Readonly<Record<string, unknown>>;

/** Generates the schemas of all commands. Returns their texts by file name. */
export function generateSchemas(): Map<string, string> {
  const { properties = {}, definitions = {} } = createGenerator(config).createSchema("Outputs");
  return new Map(
    Object.entries(properties).map(([words, schema]) => [
      schemaFile(words),
      `${JSON.stringify(schemaOf(words, schema as Schema, definitions), null, 2)}\n`,
    ]),
  );
}

/** Returns a schema with the definitions that it refers to. */
function schemaOf(words: string, schema: Schema, definitions: Definitions): object {
  const used = new Map<string, unknown>();
  const collect = (value: unknown): void => {
    for (const name of referencesIn(value)) {
      if (used.has(name)) continue;
      used.set(name, definitions[name]);
      collect(definitions[name]);
    }
  };
  collect(schema);
  const defs = [...used].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUrl(words),
    title: `Output of scaffold ${words} --json`,
    ...(asDraft2020(schema) as object),
    ...(defs.length === 0
      ? {}
      : { $defs: Object.fromEntries(defs.map(([name, value]) => [defName(name), asDraft2020(value)])) }),
  };
}

const prefix = "#/definitions/";

/** Returns the names of the definitions that a schema refers to. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string"
      ? [decodeURIComponent(inner.slice(prefix.length))]
      : referencesIn(inner),
  );
}

/** Names of generics, such as `Omit<Replay,"source">`, become identifiers. */
function defName(name: string): string {
  return name.replace(/[^\w]+/g, "_").replace(/^_|_$/g, "");
}

/** Converts a schema from draft 7, which the library generates, to draft 2020-12. */
function asDraft2020(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDraft2020);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, `#/$defs/${defName(decodeURIComponent(inner.slice(prefix.length)))}`]
        : [key, asDraft2020(inner)],
    ),
  );
}
