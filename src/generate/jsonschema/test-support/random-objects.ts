// Random objects of a schema, and mutations of them.
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { JSONSchema } from "../../schema/model/json-schema.ts";

/** Returns a number from 0 on, below a limit. */
export type Next = (limit: number) => number;

/** Returns a generator of numbers that is the same in each run. */
export function numbers(seed: number): Next {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function pick<T>(values: readonly T[], next: Next): T {
  return values[next(values.length)] as T;
}

const texts = [
  "a",
  "abc",
  "",
  "A-b",
  "x.y/z",
  "10.0.0.1",
  "1h30m",
  "500m",
  "10Gi",
  "2024-01-02T03:04:05Z",
  "2024-01-02",
  "YWJj",
  "https://example.com",
  "game.example.com",
  "line\nbreak",
  "ünï😀",
  "a".repeat(70),
  "42",
  "-1",
  "+1.5",
  ".5",
  "1e3",
  "1e-3Mi",
  " 1",
  "50%",
  "2024-02-30",
  "2024-01-02T03:04:05.678901Z",
  "2024-01-02T24:00:00+01:00",
  "256.0.0.1",
  "::1",
  "fe80::1%eth0",
  "10.0.0.0/8",
  "00:1a:2b:3c:4d:5e",
  "123e4567-e89b-12d3-a456-426614174000",
  "a@example.com",
  "http://[::1]:80/%zz",
  "*.example.com",
  "a--b",
  "-a",
  "a_b.c",
  "A/b",
  "example.com/name",
  "a/b/c",
  "constructor",
  "\u2028",
  "\u00a0",
];
const wholes = [
  0,
  1,
  2,
  -1,
  5,
  80,
  100,
  65536,
  2147483647,
  2147483648,
  -2147483649,
  1e15,
  1e30,
  2 ** 63,
  -1e19,
  3.5e38,
];
const others: readonly Json[] = ["text", 7, 1.5, true, [], {}, ["a"], { unknown: 1 }, [{ a: { b: 1 } }]];

/** Creates a value that is likely to be valid. */
export function randomValue(schema: JSONSchema, next: Next, depth = 0): Json {
  if (schema.default !== undefined && next(4) === 0) return structuredClone(schema.default) as Json;
  if (schema.enum && schema.enum.length > 0) return structuredClone(pick(schema.enum, next)) as Json;
  if (schema.nullable && next(8) === 0) return null;
  if (schema["x-kubernetes-int-or-string"]) return next(2) === 0 ? pick(wholes, next) : pick(texts, next);
  switch (schema.type) {
    case "string":
      return pick(texts, next);
    case "boolean":
      return next(2) === 0;
    case "integer":
      return inRange(schema, pick(wholes.slice(0, 7), next));
    case "number":
      return inRange(schema, next(2) === 0 ? pick(wholes.slice(0, 7), next) : 0.5);
    case "array": {
      const count = Math.max(Number(schema.minItems ?? 0), depth > 6 ? 0 : next(3));
      return Array.from({ length: Math.min(count, 5) }, () => randomValue(schema.items ?? {}, next, depth + 1));
    }
    case "object":
      return randomObject(schema, next, depth);
    default:
      return structuredClone(pick(others, next));
  }
}

function inRange({ minimum, maximum }: JSONSchema, value: number): number {
  const least = minimum === undefined ? value : Math.max(value, Number(minimum));
  return maximum === undefined ? least : Math.min(least, Number(maximum));
}

function randomObject(schema: JSONSchema, next: Next, depth: number): JsonObject {
  const object: JsonObject = {};
  const required = new Set(schema.required);
  const names = Object.keys(schema.properties ?? {});
  const rate = depth === 0 ? 2 : Math.max(3, Math.floor(names.length / 3));
  for (const name of names) {
    if (!required.has(name) && (depth > 6 || next(rate) > 1)) continue;
    object[name] = randomValue(schema.properties?.[name] ?? {}, next, depth + 1);
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    const values = schema.additionalProperties === true ? {} : schema.additionalProperties;
    for (let count = next(3); count > 0; count--) object[pick(texts, next)] = randomValue(values, next, depth + 1);
  }
  if (schema["x-kubernetes-embedded-resource"]) {
    Object.assign(object, { apiVersion: "v1", kind: "Secret", metadata: { name: "a", labels: { a: "b" } } });
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] && next(2) === 0) object.anything = pick(others, next);
  return object;
}

/** A place in an object: a key of a map, or an index of a list. */
interface Place {
  readonly parent: JsonObject | Json[];
  readonly key: string | number;
}

function placesIn(value: Json): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [
    { parent: value, key },
    ...placesIn((value as Record<string | number, Json>)[key] as Json),
  ]);
}

const metadataValues: readonly (readonly [string, () => Json, (text: string) => Json])[] = [
  ["labels", () => ({}), (text) => ({ [text]: "a" })],
  ["labels", () => ({}), (text) => ({ a: text })],
  ["annotations", () => ({}), (text) => ({ [text]: "a" })],
  ["annotations", () => ({}), (text) => ({ a: text })],
  ["finalizers", () => [], (text) => [`example.com/${text}`]],
  ["finalizers", () => [], (text) => [text]],
  ["name", () => "", (text) => text],
  ["generateName", () => "", (text) => text],
  ["ownerReferences", () => [], (text) => [{ apiVersion: text, kind: "A", name: "a", uid: "a" }]],
  ["ownerReferences", () => [], (text) => [{ apiVersion: "v1", kind: text, name: text, uid: "a" }]],
  ["ownerReferences", () => [], (text) => [{ apiVersion: "v1", kind: "A", name: "a", uid: "a", [text]: true }]],
  ["creationTimestamp", () => "2024-01-02T03:04:05Z", (text) => text],
  ["generation", () => 1, (text) => text.length - 1],
  ["deletionGracePeriodSeconds", () => 1, (text) => text],
  ["selfLink", () => "", (text) => text],
  ["unknown", () => "", (text) => text],
];

/** Sets a field of the metadata to its empty value, to one of the right type, or to any value. */
function mutateMetadata(metadata: JsonObject, next: Next): void {
  const [field, empty, value] = pick(metadataValues, next);
  metadata[field] =
    [empty, () => value(pick(texts, next)), () => structuredClone(pick(others, next))][next(3)]?.() ?? "";
}

/** Changes an object in one place. */
export function mutate(object: JsonObject, next: Next): void {
  if (next(12) === 0) {
    mutateMetadata(object.metadata as JsonObject, next);
    return;
  }
  const places = placesIn(object).filter(({ key }) => key !== "metadata");
  const { parent, key } = pick(places, next);
  const value = (parent as Record<string | number, Json>)[key] as Json;
  const set = (changed: Json) => void Object.assign(parent, { [key]: changed });
  switch (next(6)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      return;
    case 1:
      set(structuredClone(pick(others, next)));
      return;
    case 2:
      if (typeof value === "object" && value !== null && !Array.isArray(value)) value[pick(texts, next)] = 1;
      else if (!Array.isArray(parent)) parent.unknownField = "x";
      return;
    case 3:
      if (Array.isArray(value)) value.push(...structuredClone(value), ...structuredClone(value.slice(0, 1)));
      else set(typeof value === "number" ? pick(wholes, next) : pick(texts, next));
      return;
    case 4:
      set(typeof value === "string" ? `${value}${pick(texts, next)}` : typeof value === "number" ? value + 0.5 : "1");
      return;
    default:
      set(
        typeof value === "string"
          ? pick(texts, next)
          : typeof value === "number"
            ? -value - 1
            : structuredClone(pick(others, next)),
      );
  }
}
