import type { Schema } from "../../schema/schema.ts";

const escapes: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/**
 * Resolves the `fieldPath` of a rule, a JSON path of fields and keys of maps.
 *
 * @param path - for example `.spec['my-field']`
 * @param schema - the schema of the rule
 * @returns the path as errors print it, or why it isn't valid
 */
export function fieldPathOf(path: string, schema: Schema): { path: string } | { problem: string } {
  const tokens = path.match(/'(?:\\[\s\S]|[^'\\])*'|[.[\]]|[^.[\]']+|'/g) ?? [];
  let at: Schema | undefined = schema;
  let result = "";
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as string;
    let name = tokens[++index];
    if (token !== "." && token !== "[") return { problem: `expected [ or . but got: ${token}` };
    if (name === undefined) return { problem: "unexpected end of JSON path" };
    if (token === "[") {
      if (!/^'[\s\S]*'$/.test(name) || name.length < 2)
        return { problem: `expected single quoted string but got ${name}` };
      name = name.slice(1, -1).replace(/\\([\s\S])/g, (_escape, char: string) => escapes[char] ?? "");
      const close = tokens[++index];
      if (close === undefined) return { problem: "unexpected end of JSON path" };
      if (close !== "]") return { problem: `expected ] but got ${close}` };
    }
    const missing = { problem: "does not refer to a valid field" };
    if (at?.properties !== undefined) {
      at = Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      if (at === undefined) return missing;
      result += result === "" ? name : `.${name}`;
    } else if (typeof at?.additionalProperties === "object") {
      at = at.additionalProperties;
      result += `[${name}]`;
    } else return missing;
  }
  return { path: result };
}
