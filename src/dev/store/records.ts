import type { AdmissionRecord, ReconcileRecord } from "../protocol.ts";

const maxReconciles = 5000;
const maxAdmissions = 500;
/** Limit for all reconciles, in characters of their diffs and log lines. */
const maxSize = 48 * 1024 * 1024;

/** Selects records of objects. Unset parts match everything. */
export interface ObjectFilter {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The last reconciles and admission requests of all managers of a session. */
export class Records {
  /** The oldest first. */
  readonly #reconciles: { readonly record: ReconcileRecord; readonly size: number }[] = [];
  readonly #admissions: AdmissionRecord[] = [];
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

  addAdmission(record: AdmissionRecord): void {
    this.#admissions.push(record);
    if (this.#admissions.length > maxAdmissions) this.#admissions.shift();
  }

  /** Returns reconciles, the latest first. */
  reconciles(filter: ObjectFilter, limit: number): ReconcileRecord[] {
    const found: ReconcileRecord[] = [];
    for (let index = this.#reconciles.length - 1; index >= 0 && found.length < limit; index--) {
      const record = this.#reconciles[index]?.record;
      if (record && matches(record.object, filter)) found.push(record);
    }
    return found;
  }

  /** Returns admission requests, the latest first. */
  admissions(filter: ObjectFilter, limit: number): AdmissionRecord[] {
    return this.#admissions
      .filter(({ object }) => matches(object, filter))
      .reverse()
      .slice(0, limit);
  }
}

/** Checks whether an object is selected. Kinds are compared without case. */
export function matches(
  object: { readonly kind: string; readonly namespace: string; readonly name: string },
  { kind, namespace, name }: ObjectFilter,
): boolean {
  return (
    (kind === undefined || object.kind.toLowerCase() === kind.toLowerCase()) &&
    (namespace === undefined || object.namespace === namespace) &&
    (name === undefined || object.name === name)
  );
}

function sizeOf({ writes, logs, reads, error }: ReconcileRecord): number {
  const diffs = writes.reduce((sum, { diff }) => sum + diff.length + 200, 0);
  const lines = logs.reduce((sum, { message, fields }) => sum + message.length + (fields ? 300 : 100), 0);
  return 500 + diffs + lines + reads.length * 150 + (error?.stack?.length ?? 0);
}
