import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

type Properties = Readonly<Record<string, object>>;

/** Returns the schema of an object. Keys that end with `?` are optional. */
export function objectSchema(properties: Properties, options: { readonly closed?: boolean } = {}): ObjectSchema {
  const name = (key: string): string => key.replace(/\?$/, "");
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([key, schema]) => [name(key), schema])),
    required: Object.keys(properties).filter((key) => !key.endsWith("?")),
    ...(options.closed === true ? { additionalProperties: false } : {}),
  };
}

export const text = { type: "string" } as const;
/** A text in arguments. It becomes a word of a command line, or is compared with many others. */
export const word = { type: "string", maxLength: 1000 } as const;
export const flag = { type: "boolean" } as const;
export const list = (items: object): object => ({ type: "array", items });
export const oneOf = (...values: readonly string[]): object => ({ type: "string", enum: values });
/** An integer within limits. */
export const integer = (minimum: number, maximum: number): object => ({ type: "integer", minimum, maximum });

/** Returns the names of the published schemas, such as `dev-why`. */
export function schemaNames(packageRoot: string): string[] {
  return readdirSync(join(packageRoot, "schemas")).map((file) => file.replace(/\.json$/, ""));
}

/** Returns the published schema of a command's output. */
export function publishedSchema(packageRoot: string, words: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot, "schemas", `${words.replaceAll(" ", "-")}.json`), "utf8"));
}

/**
 * Returns the schema of a successful output of a command.
 *
 * @param without - keys that the tool removes
 */
export function outputSchema(packageRoot: string, words: string, without: readonly string[] = []): ObjectSchema {
  const { $id: _id, title: _title, ...schema } = publishedSchema(packageRoot, words);
  const changed = structuredClone(schema) as {
    $defs?: Record<string, { required?: string[]; properties?: Properties }>;
  };
  for (const definition of Object.values(changed.$defs ?? {})) {
    if (definition.required) definition.required = definition.required.filter((key) => !without.includes(key));
    if (definition.properties) {
      definition.properties = Object.fromEntries(
        Object.entries(definition.properties).filter(([key]) => !without.includes(key)),
      );
    }
  }
  return { ...changed, type: "object" };
}
