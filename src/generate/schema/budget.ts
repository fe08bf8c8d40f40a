// A few lines of types can describe a schema that doesn't fit into memory. Work and results are limited by counts, not by
// time, so that the result doesn't depend on the machine.
import { hasChildren, type JSONSchema, visitChildren } from "./model/json-schema.ts";

/** Maximum number of steps per kind. A CRD of 1 MiB takes about 5,000; a step takes at most a few hundred bytes. */
export const stepsPerKind = 500_000;

/** Number of kinds in a run that may use up their steps; each takes up to several seconds. */
export const exhaustedKinds = 3;

/** Maximum size of a schema as JSON, in bytes: the API server rejects request bodies above 3 MiB. */
export const bytesPerSchema = 3 * 1024 * 1024;

/** Maximum size of all schemas of a run as JSON, in bytes, because all are in memory: 20 CRDs of the maximum size. */
export const bytesPerRun = 64 * 1024 * 1024;

/** Thrown if a schema exceeds its budget. The message contains the limit. */
export class BudgetExceeded extends Error {}

/** Counts the work and the size of the schemas in a run. */
export interface SchemaBudget {
  /** Starts counting the steps of another kind. */
  start(): void;
  /**
   * Counts work before it is done.
   *
   * @throws BudgetExceeded
   */
  spend(steps?: number): void;
  /**
   * Counts a finished schema as it will be written, with each use of a shared part.
   *
   * @throws BudgetExceeded
   */
  add(schema: JSONSchema): void;
}

/**
 * Creates the budget of a run.
 *
 * @param maxDescLen maximum length of descriptions in bytes; unlimited if negative or absent
 */
export function createBudget(maxDescLen = -1): SchemaBudget {
  const sizes = new Map<JSONSchema, number>();
  let left = stepsPerKind;
  let exhausted = 0;
  let bytes = 0;

  /** Visits each large object once, no matter how often it is used. */
  function sizeOf(schema: JSONSchema): number {
    const cached = sizes.get(schema);
    if (cached !== undefined) return cached;
    let size = ownBytes(schema);
    const dropped = maxDescLen < 0 ? 0 : Math.max(0, (schema.description?.length ?? 0) - maxDescLen);
    size = Math.max(0, size - dropped);
    visitChildren(schema, (child) => {
      size += sizeOf(child);
    });
    // For small objects, counting again is faster than caching.
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
        throw new BudgetExceeded(`it has about ${size} bytes as JSON, and the API server's limit is ${bytesPerSchema}`);
      }
      bytes += size;
      if (bytes > bytesPerRun)
        throw new BudgetExceeded(`with it, this run has more than ${bytesPerRun} bytes of schemas`);
    },
  };
}

/** Returns the size of a schema as JSON, in bytes, without its children. Faster than serializing it. */
function ownBytes(schema: JSONSchema): number {
  let bytes = 2;
  for (const key of Object.keys(schema)) {
    const value: unknown = schema[key as keyof JSONSchema];
    if (value === undefined) continue;
    // Including quotation marks, colon and comma.
    bytes += key.length + 4;
    if (key === "properties") for (const name of Object.keys(value as object)) bytes += stringBytes(name) + 2;
    else if (typeof value === "string") bytes += stringBytes(value);
    else if (!childKeys.has(key) || value === true) bytes += valueBytes(value);
  }
  return bytes;
}

const childKeys = new Set(["items", "additionalProperties", "allOf", "anyOf", "oneOf", "not"]);

/** Characters that JSON doesn't escape. */
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
