// A few lines of types can describe more schema than a machine holds. Work and results are bounded by counts, not by
// time, so that a source passes or fails on every machine.
import { hasChildren, type JSONSchema, visitChildren } from "./json-schema.ts";

/** Steps for one kind. A CRD of 1 MiB takes about 5,000; a step holds at most a few hundred bytes. */
export const stepsPerKind = 500_000;

/** Kinds of a run that may exhaust their steps; each costs up to seconds. */
export const exhaustedKinds = 3;

/** Bytes of a schema as JSON: the API server refuses request bodies above 3 MiB, so a larger CRD can't be installed. */
export const bytesPerSchema = 3 * 1024 * 1024;

/** Bytes of all schemas of a run as JSON, which are in memory at once: 20 CRDs of the largest size, or hundreds of ordinary ones. */
export const bytesPerRun = 64 * 1024 * 1024;

/** A schema takes more than its budget. The message names the limit. */
export class BudgetExceeded extends Error {}

/** Counts what the schemas of a run take. */
export interface SchemaBudget {
  /** Begins the steps of another kind. */
  start(): void;
  /**
   * Counts work before it is done.
   *
   * @throws BudgetExceeded
   */
  spend(steps?: number): void;
  /**
   * Counts a finished schema as it will be written, with each shared part in every place.
   *
   * @throws BudgetExceeded
   */
  add(schema: JSONSchema): void;
}

/**
 * Makes the budget of a run.
 *
 * @param maxDescLen bytes that are left of each description; all if negative or absent
 */
export function createBudget(maxDescLen = -1): SchemaBudget {
  const sizes = new Map<JSONSchema, number>();
  let left = stepsPerKind;
  let exhausted = 0;
  let bytes = 0;

  /** Visits each large object once, however often it is used. */
  function sizeOf(schema: JSONSchema): number {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    let size = ownBytes(schema);
    const dropped = maxDescLen < 0 ? 0 : Math.max(0, (schema.description?.length ?? 0) - maxDescLen);
    size = Math.max(0, size - dropped);
    visitChildren(schema, (child) => {
      size += sizeOf(child);
    });
    // To remember small ones takes longer than to count them again.
    if (size > 1000 || hasChildren(schema)) sizes.set(schema, size);
    return size;
  }

  return {
    start() {
      left = exhausted < exhaustedKinds ? stepsPerKind : 0;
    },
    spend(steps = 1) {
      left -= steps;
      if (left >= 0) return;
      exhausted++;
      throw new BudgetExceeded(`its types take more than ${stepsPerKind} steps to expand`);
    },
    add(schema) {
      const size = sizeOf(schema);
      if (size > bytesPerSchema) {
        throw new BudgetExceeded(`it has about ${size} bytes as JSON, and the API server takes ${bytesPerSchema}`);
      }
      bytes += size;
      if (bytes > bytesPerRun)
        throw new BudgetExceeded(`with it, this run has more than ${bytesPerRun} bytes of schemas`);
    },
  };
}

/** Counts the bytes of a schema as JSON, without its children. Counting is faster than writing the JSON. */
function ownBytes(schema: JSONSchema): number {
  let bytes = 2;
  for (const key of Object.keys(schema)) {
    const value: unknown = schema[key as keyof JSONSchema];
    if (value === undefined) continue;
    // With quotation marks, colon and comma.
    bytes += key.length + 4;
    if (key === "properties") for (const name of Object.keys(value as object)) bytes += stringBytes(name) + 2;
    else if (typeof value === "string") bytes += stringBytes(value);
    else if (!childKeys.has(key) || value === true) bytes += valueBytes(value);
  }
  return bytes;
}

const childKeys = new Set(["items", "additionalProperties", "allOf", "anyOf", "oneOf", "not"]);

/** What JSON writes as it is. */
const plain = /^[ !#-[\]-~]*$/;

function stringBytes(text: string): number {
  return plain.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

function valueBytes(value: unknown): number {
  if (typeof value === "boolean") return 5;
  if (typeof value === "number" || typeof value === "bigint") return String(value).length;
  if (Array.isArray(value)) {
    let bytes = 2;
    for (const item of value) bytes += 1 + (typeof item === "string" ? stringBytes(item) : valueBytes(item));
    return bytes;
  }
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each));
  return Buffer.byteLength(text);
}
