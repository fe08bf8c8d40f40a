import type { AdmissionRecord, ReconcileRecord, RecordedObject } from "@kubewright/dashboard/protocol";
import { groupOf } from "../kinds/named-kind.ts";

const maxReconciles = 5000;
const maxAdmissions = 500;
const maxLines = 1000;
/** In UTF-16 code units. */
const longestLine = 4000;
/** Limit for all reconciles, in characters of their diffs and log lines. */
const maxSize = 48 * 1024 * 1024;

/** Selects records of objects. Unset parts match everything. */
export interface ObjectFilter {
  /** Only its group is compared: an object has the same identity in each version. */
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The last reconciles and admission requests of all managers of a session. */
export class Records {
  /** The oldest first. */
  readonly #reconciles: { readonly record: ReconcileRecord; readonly size: number }[] = [];
  readonly #admissions: AdmissionRecord[] = [];
  /** The last lines of the managers' logs, the oldest first. */
  readonly #lines: string[] = [];
  #size = 0;

  addReconcile(record: ReconcileRecord): void {
    const size = sizeOf(record);
    this.#reconciles.push({ record, size });
    this.#size += size;
    let dropped = 0;
    while (
      this.#reconciles.length - dropped > 1 &&
      (this.#reconciles.length - dropped > maxReconciles || this.#size > maxSize)
    ) {
      this.#size -= this.#reconciles[dropped]?.size ?? 0;
      dropped++;
    }
    if (dropped > 0) this.#reconciles.splice(0, dropped);
  }

  addLine(line: string): void {
    this.#lines.push(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line);
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  /** Returns the last lines of the managers' logs, the oldest first. */
  lines(limit: number): string[] {
    return this.#lines.slice(-limit);
  }

  addAdmission(record: AdmissionRecord): void {
    this.#admissions.push(record);
    if (this.#admissions.length > maxAdmissions) this.#admissions.shift();
  }

  /** Returns reconciles, the latest first. */
  reconciles(filter: ObjectFilter, limit: number): ReconcileRecord[] {
    const matching: ReconcileRecord[] = [];
    for (let index = this.#reconciles.length - 1; index >= 0 && matching.length < limit; index--) {
      const record = this.#reconciles[index]?.record;
      if (record && matches(record.object, filter)) matching.push(record);
    }
    return matching;
  }

  /** Returns the objects of reconciles and of admission requests, each once. */
  objects(filter: ObjectFilter): RecordedObject[] {
    const byKey = new Map<string, RecordedObject>();
    const records = [...this.#reconciles.map(({ record }) => record), ...this.#admissions];
    for (const { object } of records) {
      if (!matches(object, filter)) continue;
      const { apiVersion = "", kind, namespace, name } = object;
      byKey.set(`${groupOf(apiVersion)}/${kind}/${namespace}/${name}`, object);
    }
    return [...byKey.values()];
  }

  /** Returns admission requests, the latest first. */
  admissions(filter: ObjectFilter, limit: number): AdmissionRecord[] {
    return this.#admissions
      .filter(({ object }) => matches(object, filter))
      .reverse()
      .slice(0, limit);
  }
}

/**
 * Checks whether an object is selected. Kinds are compared without case. Records of controllers without a kind have no `apiVersion`;
 * every group matches them.
 */
export function matches(object: RecordedObject, { apiVersion, kind, namespace, name }: ObjectFilter): boolean {
  return (
    (apiVersion === undefined || object.apiVersion === undefined || isSameGroup(object.apiVersion, apiVersion)) &&
    (kind === undefined || object.kind.toLowerCase() === kind.toLowerCase()) &&
    (namespace === undefined || object.namespace === namespace) &&
    (name === undefined || object.name === name)
  );
}

function isSameGroup(one: string, other: string): boolean {
  return groupOf(one) === groupOf(other);
}

function sizeOf({ writes, logs, reads, error }: ReconcileRecord): number {
  const diffs = writes.reduce((sum, { diff }) => sum + diff.length + 200, 0);
  const lines = logs.reduce((sum, { message, fields }) => sum + message.length + (fields ? 300 : 100), 0);
  return 500 + diffs + lines + reads.length * 150 + (error?.stack?.length ?? 0);
}
