// A few lines of types can describe more schema than a machine holds. Work and results are bounded by counts, not by
// time, so that a source passes or fails on every machine.
import { type JSONSchema, mapChildren } from "./json-schema.ts";

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
  const sizes = new WeakMap<JSONSchema, number>();
  let left = stepsPerKind;
  let exhausted = 0;
  let bytes = 0;

  /** Looks at each object once, however often it is used. */
  function sizeOf(schema: JSONSchema): number {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    let children = 0;
    const own = mapChildren(schema, (child) => {
      children += sizeOf(child);
      return {};
    });
    const dropped = maxDescLen < 0 ? 0 : Math.max(0, (schema.description?.length ?? 0) - maxDescLen);
    const size = children + Math.max(0, jsonBytes(own) - dropped);
    sizes.set(schema, size);
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

function jsonBytes(schema: JSONSchema): number {
  const text = JSON.stringify(schema, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
  return Buffer.byteLength(text);
}
