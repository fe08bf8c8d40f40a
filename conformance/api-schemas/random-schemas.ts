import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";

/** A source of pseudorandom numbers that a seed determines. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

const names = ["a", "b", "c", "k"];
const formats = [
  "date",
  "date-time",
  "duration",
  "ipv4",
  "ipv6",
  "cidr",
  "uuid",
  "email",
  "uri",
  "hostname",
  "byte",
  "mac",
  "k8s-short-name",
  "bogus",
];
const patterns = ["^a+$", "b", "^[a-z]{2,3}$"];
const texts = [
  "",
  "a",
  "ab",
  "abc",
  "aab",
  "é",
  "2026-01-02",
  "2026-01-02T03:04:05Z",
  "1h",
  "10.0.0.1",
  "::1",
  "10.0.0.0/8",
  "a@b.c",
  "http://x/y",
  "YQ==",
  "00:00:5e:00:53:01",
  "A b",
];
const numbers = [0, 1, 2, 3, -1, 5, 1.5, 0.5, 2147483648, 1e12];

/** Generates a structural schema. */
export function randomSchema(random: Random, depth: number): Schema {
  const types =
    depth > 0
      ? ["string", "integer", "number", "boolean", "array", "object", "object", "map", "either"]
      : ["string", "integer", "number", "boolean", "either"];
  const type = random.pick(types);
  const schema: Schema =
    type === "either" ? { "x-kubernetes-int-or-string": true } : { type: type === "map" ? "object" : type };
  if (random.chance(0.15)) schema.nullable = true;
  addRules(random, schema);
  if (type === "array") {
    schema.items = randomSchema(random, depth - 1);
    if (
      random.chance(0.3) &&
      schema.items.type !== "object" &&
      schema.items.type !== "array" &&
      !schema.items.nullable
    ) {
      schema["x-kubernetes-list-type"] = "set";
    } else if (random.chance(0.5)) {
      schema.items = {
        type: "object",
        properties: { k: { type: "string" }, v: randomSchema(random, depth - 1) },
        required: ["k"],
      };
      schema["x-kubernetes-list-type"] = "map";
      schema["x-kubernetes-list-map-keys"] = ["k"];
    }
  } else if (type === "object") {
    schema.properties = {};
    for (const name of names) if (random.chance(0.6)) schema.properties[name] = randomSchema(random, depth - 1);
    if (random.chance(0.3)) schema.required = [random.pick(names)];
    if (random.chance(0.2)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  } else if (type === "map") schema.additionalProperties = random.chance(0.2) ? true : randomSchema(random, depth - 1);
  if (random.chance(0.15))
    schema[random.pick(["anyOf", "oneOf", "allOf"] as const)] = [0, 1].map(() => addRules(random, {}, 0.7));
  else if (random.chance(0.05)) schema.not = addRules(random, {}, 0.7);
  if (type === "string" && random.chance(0.2)) schema.default = random.pick(texts);
  return schema;
}

function addRules(random: Random, schema: Schema, probability = 0.25): Schema {
  const maybe = (set: () => void) => {
    if (random.chance(probability)) set();
  };
  const { type } = schema;
  const any = type === undefined;
  if (type === "string" || any) {
    maybe(() => {
      schema.maxLength = random.below(4);
    });
    maybe(() => {
      schema.minLength = random.below(3);
    });
    maybe(() => {
      schema.pattern = random.pick(patterns);
    });
    if (type === "string")
      maybe(() => {
        schema.format = random.pick(formats);
      });
    maybe(() => {
      schema.enum = [random.pick(texts), random.pick(texts)];
    });
  }
  if (type === "integer" || type === "number" || any) {
    maybe(() => {
      schema.minimum = random.pick(numbers);
    });
    maybe(() => {
      schema.maximum = random.pick(numbers);
    });
    maybe(() => {
      schema.multipleOf = random.pick([1, 2, 0.5, 3]);
    });
    if (type === "integer")
      maybe(() => {
        schema.format = random.pick(["int32", "int64"]);
      });
  }
  if (type === "array" || any)
    maybe(() => {
      schema.maxItems = random.below(3);
    });
  if (type === "object" || any)
    maybe(() => {
      schema.maxProperties = random.below(3);
    });
  return schema;
}

/** Generates a value that mostly has the type of a schema. */
export function randomValue(random: Random, schema: Schema | undefined, depth: number): Json {
  if (schema === undefined || random.chance(0.08)) return anyValue(random, depth);
  if (random.chance(0.06)) return null;
  if (schema["x-kubernetes-int-or-string"]) return random.chance(0.5) ? random.pick(numbers) : random.pick(texts);
  switch (schema.type) {
    case "string":
      return schema.enum !== undefined && random.chance(0.5) ? random.pick(schema.enum) : random.pick(texts);
    case "integer":
    case "number":
      return random.pick(numbers);
    case "boolean":
      return random.chance(0.5);
    case "array":
      return Array.from({ length: random.below(4) }, () => randomValue(random, schema.items, depth - 1));
    default: {
      const value: JsonObject = {};
      for (const name of [...names, "v", "unknown"]) {
        const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
        if (random.chance(name === "unknown" ? 0.1 : 0.5)) {
          value[name] = randomValue(random, schema.properties?.[name] ?? others, depth - 1);
        }
      }
      return value;
    }
  }
}

function anyValue(random: Random, depth: number): Json {
  switch (random.below(depth > 0 ? 6 : 4)) {
    case 0:
      return random.pick(texts);
    case 1:
      return random.pick(numbers);
    case 2:
      return random.chance(0.5);
    case 3:
      return null;
    case 4:
      return [anyValue(random, depth - 1)];
    default:
      return { [random.pick(names)]: anyValue(random, depth - 1) };
  }
}

/** Returns smaller variants of a value, the smallest ones first. */
export function smaller(value: Json): Json[] {
  if (Array.isArray(value)) {
    const shorter = value.map((_, index) => value.filter((_item, other) => other !== index));
    const inner = value.flatMap((item, index) =>
      smaller(item).map((one) => value.map((other, at) => (at === index ? one : other))),
    );
    return [...shorter, ...inner];
  }
  if (typeof value !== "object" || value === null) return [];
  const without = Object.keys(value).map(
    (key) => Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)) as Json,
  );
  const inner = Object.entries(value).flatMap(([key, item]) =>
    smaller(item as Json).map((one) => ({ ...value, [key]: one })),
  );
  return [...without, ...inner];
}
