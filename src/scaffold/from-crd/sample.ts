import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import type { Limits } from "../../kubernetes/limits.ts";
import { GoPatterns } from "../../regex/go-patterns.ts";
import { mapOf } from "../text/maps.ts";
import { textsOf } from "./pattern-text.ts";
import { type SampleProblem, type SampleProblems, satisfied } from "./sample-rules.ts";

/** Maximum number of values that limits such as `minItems` may add to a sample. Users don't read longer samples. */
const maxValues = 1000;
/** Maximum length of a generated string, in characters: the API server accepts objects of at most 1.5 MiB. */
const maxTextLength = 100_000;

/** An object for `config/samples`. */
export interface Sample {
  /** The properties except apiVersion, kind and metadata. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The name, which a rule of the CRD may determine. */
  readonly name: string;
  /** Values that are missing or may not be valid, each with its path. */
  readonly notes: readonly string[];
}

/** The names of a sample. */
export interface SampleNames {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Generates an object that a CRD allows, with its required fields and defaults. Values are defaults, examples and enum
 * values, otherwise the simplest values within the limits. CEL rules change them if necessary.
 */
export function sampleOf(schema: JSONSchema, names: SampleNames, problems: SampleProblems): Sample {
  const { values, notes: missing } = simplest(schema);
  const { apiVersion, kind } = names;
  const name = allowedName(schema) ?? names.name;
  const noteOf = ({ path, message }: SampleProblem) => `${path || "the object"}: ${message}`;
  const notes = missing.length > 0 ? missing : problems.ofSchema(values, schema).map(noteOf);
  if (notes.length > 0) return { values, name, notes };
  const makeValue = (of: JSONSchema, index: number) =>
    sampleValue(of, { path: "", index, notes: [], budget: { values: maxValues, characters: maxTextLength, patterns } });
  const patterns = new GoPatterns();
  const object = satisfied({ apiVersion, kind, metadata: { name }, ...values }, schema, problems, makeValue);
  const { apiVersion: _, kind: __, metadata, ...changed } = object;
  return {
    values: changed,
    name: String(mapOf(metadata).name),
    notes: problems.ofRules(object, schema).map(noteOf),
  };
}

/** Returns the first name that a schema allows, if it lists them. */
function allowedName(schema: JSONSchema): string | undefined {
  const [name] = schema.properties?.metadata?.properties?.name?.enum ?? [];
  return typeof name === "string" ? name : undefined;
}

function simplest(schema: JSONSchema): Pick<Sample, "values" | "notes"> {
  const notes: string[] = [];
  const { apiVersion, kind, metadata, status, ...properties } = schema.properties ?? {};
  const required = [...(schema.required ?? []), ...(properties.spec === undefined ? [] : ["spec"])];
  const root = { ...schema, properties, required };
  const budget = { values: maxValues, characters: maxTextLength, patterns: new GoPatterns() };
  return { values: objectOf(root, { path: "", index: 0, notes, budget }), notes };
}

/** The remaining limits for the whole sample. */
interface Budget {
  values: number;
  characters: number;
  readonly patterns: GoPatterns;
}

interface Place {
  readonly path: string;
  /** The index in a list, so that items differ. */
  readonly index: number;
  readonly notes: string[];
  readonly budget: Budget;
}

function sampleValue(schema: JSONSchema, place: Place): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[place.index % schema.enum.length];
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString(schema, place);
  switch (schema.type) {
    case "string":
      return textOf(schema, place);
    case "integer":
    case "number":
      return numberOf(schema, place);
    case "boolean":
      return false;
    case "array":
      return listOf(schema, place);
    default:
      return objectOf(schema, place);
  }
}

function listOf(schema: JSONSchema, place: Place): unknown[] {
  const wanted = limit(schema, "minItems") ?? 0;
  const made: unknown[] = [];
  while (made.length < wanted && place.budget.values > 0) {
    place.budget.values--;
    const index = made.length;
    made.push(sampleValue(schema.items ?? {}, { ...place, path: `${place.path}[${index}]`, index }));
  }
  if (made.length < wanted) place.notes.push(`${place.path}: give it ${wanted} items`);
  return made;
}

function objectOf(schema: JSONSchema, place: Place): Record<string, unknown> {
  const wanted = requiredOf(schema);
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) => wanted.has(name) || property.default !== undefined || property.example !== undefined,
  );
  const made = new Map<string, unknown>(
    properties.map(([name, property]) => [name, sampleValue(property, { ...place, path: `${place.path}.${name}` })]),
  );
  if (schema["x-kubernetes-embedded-resource"] === true) {
    const least = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "example" } };
    for (const [name, value] of Object.entries(least)) if (!made.has(name)) made.set(name, value);
  }
  fillUp(made, schema, place);
  // Unlike an assignment, this makes `__proto__` an ordinary key.
  return Object.fromEntries(made);
}

/** Adds entries up to the number that `minProperties` requires. */
function fillUp(made: Map<string, unknown>, schema: JSONSchema, place: Place): void {
  const wanted = limit(schema, "minProperties") ?? 0;
  const { properties = {}, additionalProperties } = schema;
  const others = Object.entries(properties).filter(([name]) => !made.has(name));
  for (let index = 0; made.size < wanted && place.budget.values > 0; index++) {
    place.budget.values--;
    const count = index - others.length;
    const [name, item] = others[index] ?? [
      `example${count === 0 ? "" : count + 1}`,
      typeof additionalProperties === "object" ? additionalProperties : {},
    ];
    made.set(name, sampleValue(item, { ...place, path: `${place.path}.${name}` }));
  }
  if (made.size < wanted) place.notes.push(`${place.path}: give it ${wanted} fields`);
}

/** Returns the required properties: those of the schema, and those of its first alternative. */
function requiredOf(schema: JSONSchema): Set<string> {
  const alternatives = [schema.anyOf?.[0], (schema.oneOf as JSONSchema[] | undefined)?.[0], ...(schema.allOf ?? [])];
  const names = new Set(schema.required ?? []);
  for (const name of chosenByRules(schema)) names.add(name);
  for (const part of alternatives) for (const name of part === undefined ? [] : requiredOf(part)) names.add(name);
  return names;
}

/**
 * Matches rules that require a field, and the rules of controller-gen for ExactlyOneOf and AtLeastOneOf; captures the first
 * field.
 */
const wanting = /^has\(self\.(\w+)\)(?: ?\|\| ?has\(self\.\w+\))*$|^\[?\(?has\(self\.(\w+)\).*\) (?:==|>=) 1$/;

function chosenByRules(schema: JSONSchema): string[] {
  return (schema["x-kubernetes-validations"] ?? []).flatMap(({ rule }) => {
    const [, alone, first] = wanting.exec(rule) ?? [];
    return alone ?? first ?? [];
  });
}

function limit(schema: JSONSchema, key: keyof Limits): number | undefined {
  const value = schema[key];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** Returns the number within the limits that is nearest to one plus the index in the list. */
function numberOf(schema: JSONSchema, place: Place): number {
  const step = limit(schema, "multipleOf") ?? 1;
  const [low, high] = [limit(schema, "minimum"), limit(schema, "maximum")];
  const fits = (value: number) =>
    (low === undefined || (schema.exclusiveMinimum === true ? value > low : value >= low)) &&
    (high === undefined || (schema.exclusiveMaximum === true ? value < high : value <= high));
  const up = Math.ceil((low ?? 1) / step) * step;
  const down = Math.floor((high ?? 1) / step) * step;
  const between = low === undefined || high === undefined ? [] : [(low + high) / 2];
  const starts = [1, up, up + step, down, down - step];
  const multiples = starts.filter((value) => Math.abs(value / step - Math.round(value / step)) < 1e-9);
  const free = schema.type === "number" && schema.multipleOf === undefined ? between : [];
  const counted = multiples.map((value) => value + place.index * step);
  const number = [...counted, ...multiples, ...free].find(fits);
  if (number === undefined) place.notes.push(`${place.path}: give it a number`);
  return number ?? 1;
}

function intOrString(schema: JSONSchema, place: Place): unknown {
  if (schema.pattern === undefined || place.budget.patterns.test(schema.pattern, "1") === true) return 1 + place.index;
  return textOf({ ...schema, type: "string" }, place);
}

/** A valid value for each format that the API server checks. */
const formats: Readonly<Record<string, string>> = {
  "bson-objectid": "507f1f77bcf86cd799439011",
  byte: "ZXhhbXBsZQ==",
  cidr: "10.0.0.0/24",
  creditcard: "4111111111111111",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  datetime: "2026-01-31T12:00:00Z",
  duration: "1h",
  email: "user@example.com",
  hexcolor: "#336699",
  hostname: "example.com",
  ipv4: "10.0.0.1",
  ipv6: "2001:db8::1",
  isbn: "9783161484100",
  isbn10: "3161484100",
  isbn13: "9783161484100",
  "k8s-long-name": "example.com",
  "k8s-short-name": "example",
  mac: "00:00:5e:00:53:01",
  rgbcolor: "rgb(51,102,153)",
  ssn: "123-45-6789",
  uri: "https://example.com/",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  uuid3: "9073926b-929f-31c2-abc9-fad77ae3e8eb",
  uuid4: "16fd2706-8baf-433b-82eb-8c7fada847da",
  uuid5: "886313e1-3b8a-5372-9b90-0c9aee199e5d",
};

/** Strings that match common patterns. */
const candidates = [
  ...["example", "Example", "EXAMPLE", "a", "A", "1", "10", "1Gi", "100m", "50%", "1h", "1s", "1.0", "1.0.0", "v1"],
  ...[
    "v1.0.0",
    "example-a",
    "example_a",
    "example.com",
    "example.com/a",
    "example.com/a:v1",
    "a.b",
    "a/b",
    "a:b",
    "a=b",
  ],
  ...["/example", "/", "*", "https://example.com", "http://example.com", "user@example.com", "10.0.0.1", "10.0.0.0/24"],
  ...[
    "2001:db8::1",
    "0 3 * * *",
    "2026-01-31",
    "2026-01-31T12:00:00Z",
    "12:00",
    "0xff",
    "true",
    "arn:aws:iam::1:role/a",
  ],
  ...[...Object.values(formats), "0".repeat(8), "0".repeat(32), "a".repeat(40), "0".repeat(64), ""],
];

function textOf(schema: JSONSchema, place: Place): string {
  const fixed = schema.format === undefined ? undefined : formats[schema.format];
  const [low, high] = [limit(schema, "minLength") ?? 0, limit(schema, "maxLength") ?? Number.POSITIVE_INFINITY];
  const { pattern } = schema;
  const { budget } = place;
  const fits = (text: string) =>
    text.length >= low &&
    text.length <= high &&
    (pattern === undefined || budget.patterns.test(pattern, text) === true);
  const numbered =
    place.index === 0 ? [] : candidates.flatMap((text) => [`${text}${place.index}`, `${text}-${place.index}`]);
  const padded = ["example", "a", "A", "0", "a1", "x-"].flatMap((text) => {
    const length = Math.min(Math.max(low, 1), budget.characters);
    return [text.repeat(Math.ceil(length / text.length)).slice(0, Math.min(length, high))];
  });
  const texts = [...numbered, ...candidates, ...padded];
  const fitting =
    fixed !== undefined && (pattern === undefined || fits(fixed))
      ? fixed
      : (texts.find(fits) ?? matching(schema, place, fits));
  if (fitting === undefined) {
    const rule = pattern === undefined ? `has at least ${low} characters` : `matches ${pattern}`;
    place.notes.push(`${place.path}: give it a text that ${rule}`);
  }
  budget.characters -= fitting?.length ?? 0;
  return fitting ?? "";
}

/** Returns a text for the pattern of a schema. */
function matching(schema: JSONSchema, { index }: Place, fits: (text: string) => boolean): string | undefined {
  if (schema.pattern === undefined) return undefined;
  for (const text of textsOf(schema.pattern, limit(schema, "minLength") ?? 0, index)) if (fits(text)) return text;
  return undefined;
}
