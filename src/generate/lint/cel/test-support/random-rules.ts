import type { JSONSchema } from "../../../schema/model/json-schema.ts";

type Random = (below: number) => number;

/** A value that a rule can read, with its schema. */
interface Readable {
  readonly text: string;
  readonly schema: JSONSchema;
}

const limits = [undefined, 1, 3, 10, 64, 253, 1000, 20_000];

/** Returns a random schema. Some lists, maps and strings have limits. */
export function randomSchema(random: Random, depth = 3): JSONSchema {
  const limit = limits[random(limits.length)];
  const scalar = depth === 0 || random(3) === 0;
  switch (scalar ? random(8) : 8 + random(4)) {
    case 0:
      return { type: "integer" };
    case 1:
      return { type: "boolean" };
    case 2:
      return { type: "number" };
    case 3:
      return { type: "string", enum: ["a", "bcd", "äöü"] };
    case 4:
      return { "x-kubernetes-int-or-string": true, ...(limit ? { maxLength: limit } : {}) };
    case 5:
      return { type: "string", format: (["date-time", "date", "duration", "byte"] as const)[random(4)]! };
    case 6:
    case 7:
      return { type: "string", ...(limit ? { maxLength: limit } : {}) };
    case 8:
      return { type: "array", items: randomSchema(random, depth - 1), ...(limit ? { maxItems: limit } : {}) };
    case 9:
      return {
        type: "object",
        additionalProperties: randomSchema(random, depth - 1),
        ...(limit ? { maxProperties: limit } : {}),
      };
    default: {
      const names = ["alpha", "beta-x", "list", "in", "g__h"].slice(0, 1 + random(5));
      const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1)]));
      const required = names.filter(() => random(3) === 0);
      return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
    }
  }
}

const spelled: Readonly<Record<string, string>> = {
  "beta-x": "beta__dash__x",
  in: "__in__",
  g__h: "g__underscores__h",
};

/** Returns a random Boolean rule about `self` with this schema. */
export function randomRule(random: Random, schema: JSONSchema): string {
  return condition(random, [{ text: "self", schema }], 3);
}

function condition(random: Random, readable: readonly Readable[], depth: number): string {
  if (depth > 0 && random(4) === 0) {
    const [a, b] = [condition(random, readable, depth - 1), condition(random, readable, depth - 1)];
    return [`(${a}) && (${b})`, `(${a}) || !(${b})`, `(${a}) ? (${b}) : true`][random(3)]!;
  }
  return about(random, reach(random, readable[random(readable.length)]!), readable, depth);
}

/** Follows some random steps down from the known values. */
function reach(random: Random, from: Readable): Readable {
  const { properties, items, additionalProperties } = from.schema;
  const names = Object.keys(properties ?? {});
  const name = names[random(Math.max(1, names.length))];
  if (properties && name !== undefined && random(8) > 0) {
    return reach(random, { text: `${from.text}.${spelled[name] ?? name}`, schema: properties[name]! });
  }
  if (items && random(4) === 0) return reach(random, { text: `${from.text}[0]`, schema: items });
  if (typeof additionalProperties === "object" && random(4) === 0) {
    const text = random(2) === 0 ? `${from.text}["k"]` : `${from.text}.k`;
    return reach(random, { text, schema: additionalProperties });
  }
  return from;
}

function about(random: Random, { text, schema }: Readable, readable: readonly Readable[], depth: number): string {
  const pick = (...choices: string[]) => choices[random(choices.length)]!;
  const inner = (name: string, element: JSONSchema) =>
    condition(random, [...readable, { text: name, schema: element }, { text: name, schema: element }], depth - 1);
  const variable = `v${depth}`;
  if (schema["x-kubernetes-int-or-string"])
    return pick(`type(${text}) == int`, `${text} == 5`, `string(${text}) != ""`);
  if (schema.type === "array") {
    const element = schema.items!;
    if (depth <= 0) return pick(`${text}.size() < 5`, `size(${text}) > 1`, `${text} == ${text}`);
    const body = inner(variable, element);
    const texts = element.type === "string" && !element.format;
    return pick(
      `${text}.all(${variable}, ${body})`,
      `${text}.exists(${variable}, ${body})`,
      `${text}.exists_one(${variable}, ${body})`,
      `${text}.filter(${variable}, ${body}).size() > 0`,
      `${text}.map(${variable}, ${body}).size() > 0`,
      `${text}.filter(${variable}, ${body}).all(w${depth}, ${inner(`w${depth}`, element)})`,
      `${text}.all(${variable}, i${depth}, ${variable} >= 0 && ${inner(`i${depth}`, element)})`,
      texts ? `"x" in ${text} || ${text}.isSorted()` : `${text}.size() > 0`,
      texts ? `${text}.join(",").contains("a")` : `${text} == oldSelf || ${text} == ${text}`.replace("oldSelf", text),
    );
  }
  if (schema.type === "object") {
    const values = schema.additionalProperties;
    if (typeof values === "object") {
      if (depth <= 0) return pick(`${text}.size() < 5`, `"a" in ${text}`);
      return pick(
        `${text}.all(${variable}, ${variable}.startsWith("a") && ${inner(`${text}[${variable}]`, values)})`,
        `${text}.exists(${variable}, ${variable}.size() < 9)`,
        `"a" in ${text} && ${text} == ${text}`,
      );
    }
    const [name] = Object.keys(schema.properties ?? {});
    const field = spelled[name!] ?? name!;
    return pick(`has(${text}.${field})`, `${text} == ${text}`, `${text}.?${field}.hasValue()`);
  }
  if (schema.format === "byte") return pick(`${text} == b"abc"`, `size(${text}) < 9`);
  if (schema.format === "duration") return pick(`${text} > duration("1h")`, `${text} == ${text}`);
  if (schema.format) return pick(`${text} > timestamp("2020-01-01T00:00:00Z")`, `${text}.getFullYear() > 2000`);
  if (schema.type === "string") {
    return pick(
      `${text} == "abc"`,
      `${text} < ${text}`,
      `${text}.matches("^[a-z]+(-[a-z]+)*$")`,
      `${text}.contains("needle")`,
      `${text}.startsWith(${text})`,
      `${text}.lowerAscii().trim() == ${text}`,
      `${text}.split(",").all(${variable}, ${variable}.size() < 5)`,
      `(${text} + "x" + ${text}).size() > 3`,
      `${text}.find("[0-9]+") != ""`,
      `${text}.replace("a", "b") != ""`,
      `${text} in ["a", "b", "c"]`,
      `isQuantity(${text}) && quantity(${text}).isGreaterThan(quantity("1"))`,
      `isIP(${text}) || isURL(${text})`,
      `!format.dns1123Label().validate(${text}).hasValue()`,
      `${text}.indexOf("x") == 1`,
    );
  }
  if (schema.type === "boolean") return pick(text, `!${text}`, `${text} == true`);
  if (schema.type === "number") return pick(`${text} > 1.5`, `${text} * 2.0 < 5.0`);
  return pick(
    `${text} > 1`,
    `${text} + 2 == 3 || ${text} % 2 == 0`,
    `[1, 2, 3].exists(${variable}, ${variable} == ${text})`,
  );
}
