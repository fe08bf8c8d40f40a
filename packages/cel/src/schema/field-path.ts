import { schemaOfField } from "./defaults.ts";
import type { Schema } from "./schema.ts";

const escapes: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
  ...{ "'": "'", "\\": "\\" },
};

/** A field that a simple JSON path of a definition names. */
export interface FoundField {
  /** The path in its normal form, for example `spec.color`. */
  path: string;
  schema: Schema | undefined;
}

/**
 * Finds the field that a JSON path such as `.spec.color` or `.metadata['a.b']` names in a schema.
 *
 * @param jsonPath - the path
 * @param schema - the schema
 * @param allowArrayNotation - false to refuse brackets
 * @returns the field
 * @throws Error if the path is malformed or the schema has no such field
 */
export function findField(jsonPath: string, schema: Schema, allowArrayNotation = true): FoundField {
  const tokens = tokensOf(jsonPath);
  let field: FoundField = { path: "", schema };
  const append = (name: string): void => {
    const current = field.schema;
    const named = current?.properties !== undefined && Object.keys(current.properties).length > 0;
    if (!named && current?.additionalProperties === undefined) throw new Error("does not refer to a valid field");
    const next = current === undefined ? undefined : schemaOfField(current, name);
    if (named && !Object.hasOwn(current?.properties ?? {}, name)) throw new Error("does not refer to a valid field");
    const separator = field.path === "" ? "" : ".";
    field = { path: named ? `${field.path}${separator}${name}` : `${field.path}[${name}]`, schema: next };
  };
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at++] as string;
    if (token === ".") {
      const name = tokens[at++];
      if (name === undefined) throw new Error("unexpected end of JSON path");
      append(name);
    } else if (token === "[") {
      if (!allowArrayNotation) throw new Error("array notation is not allowed");
      const quoted = tokens[at++];
      if (quoted === undefined) throw new Error("unexpected end of JSON path");
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
        throw new Error(`expected single quoted string but got ${quoted}`);
      }
      append(unescaped(quoted.slice(1, -1)));
      const close = tokens[at++];
      if (close === undefined) throw new Error("unexpected end of JSON path");
      if (close !== "]") throw new Error(`expected ] but got ${close}`);
    } else {
      throw new Error(`expected [ or . but got: ${token}`);
    }
  }
  return field;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (sequence, char: string) => {
    const value = escapes[char];
    if (value === undefined) throw new Error(`invalid string literal: invalid escape char ${sequence}`);
    return value;
  });
}

/** Splits a path into `.`, `[`, `]` and the texts between them. A quoted text ends at the first quote without a backslash before it. */
function tokensOf(path: string): string[] {
  return path.match(/'(?:[^']|(?<=\\)')*?(?<!\\)'|'[\s\S]*|[.[\]]|[^.[\]]+/g) ?? [];
}
