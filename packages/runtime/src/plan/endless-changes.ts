/** More reconciles of one request, each with a change, never end. */
const mostChanges = 20;
/** Number of fields that a message names. */
const mostFields = 5;

/** The reconciles of a request that changed something. */
interface Changes {
  count: number;
  /** The fields that the last of them changed. */
  fields: readonly string[];
  isReported: boolean;
}

/** Finds requests whose reconciles always change something. */
export class EndlessChanges {
  readonly #changes = new Map<string, Changes>();

  /** Adds a reconcile that changed something. */
  add(key: string, fields: readonly string[]): void {
    const changes = this.#changes.get(key) ?? { count: 0, fields, isReported: false };
    this.#changes.set(key, { ...changes, count: changes.count + 1, fields });
  }

  /** Describes a request whose reconciles never end; undefined for others. `isNew` is true for the first call. */
  of(key: string): { readonly message: string; readonly isNew: boolean } | undefined {
    const changes = this.#changes.get(key);
    if (!changes || changes.count <= mostChanges) return undefined;
    const isNew = !changes.isReported;
    changes.isReported = true;
    const fields = [...new Set(changes.fields)].slice(0, mostFields).join(", ");
    const what = fields === "" ? "" : `: ${fields}`;
    return { message: `${mostChanges} reconciles changed something, and each caused the next one${what}`, isNew };
  }
}
