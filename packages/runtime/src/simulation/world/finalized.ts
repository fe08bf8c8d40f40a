import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";

/** Revisions at which an object was protected by a finalizer: from the first one, up to the second one without it. */
type Interval = readonly [from: number, to: number];

/**
 * The objects that are gone, or whose finalizers the operator has removed because it no longer serves them, and the revisions at
 * which they had finalizers and weren't being deleted.
 *
 * A finalizer means that the operator cleans up before an object is gone. If a new process saw the object as it was before, it
 * would create external resources again, and nothing but a read from the server in front of each call would prevent it.
 * Correct operators don't do that. Without the finalizer, the object shows whether an operator adds it first.
 */
export class FinalizedObjects {
  /** The first revision of the present interval, by object. */
  readonly #open = new Map<string, number>();
  /** Ended intervals of objects that exist. */
  readonly #ended = new Map<string, Interval[]>();
  /** Intervals of objects that are gone, by resource. */
  readonly #gone = new Map<string, Interval[]>();

  readonly #goneUids = new Set<string>();
  /** The revisions at which the operator has removed the finalizers of objects that it no longer serves, by UID. */
  readonly #released = new Map<string, number>();

  /**
   * Takes a write over.
   *
   * @param write - the write
   * @param byOperator - whether the operator has written, rather than somebody by hand
   */
  wrote(write: StoredWrite, byOperator = false): void {
    const { group, resource, namespace, name, revision, isDeletion } = write;
    const type = `${group}/${resource}`;
    const id = `${type} ${namespace}/${name}`;
    const isProtected = !isDeletion && isMarked(write.after as unknown as KubernetesObject);
    const from = this.#open.get(id);
    if (isProtected) {
      if (from === undefined) this.#open.set(id, revision);
      return;
    }
    if (from !== undefined) {
      this.#open.delete(id);
      const after = write.after?.metadata as KubernetesObject["metadata"];
      if (byOperator && after && !after.deletionTimestamp) {
        this.#gone.set(type, [...(this.#gone.get(type) ?? []), [from, revision]]);
        this.#released.set(after.uid ?? "", revision);
      } else this.#ended.set(id, [...(this.#ended.get(id) ?? []), [from, revision]]);
    }
    if (byOperator && !isDeletion && isReleasedBy(write)) {
      const { uid = "" } = (write.after?.metadata ?? {}) as { uid?: string };
      this.#released.set(uid, revision);
      this.#forget(type, id);
    }
    if (!isDeletion) return;
    const { uid } = (write.before?.metadata ?? {}) as { uid?: string };
    if (uid !== undefined) this.#goneUids.add(uid);
    this.#forget(type, id);
  }

  /** Moves the intervals of an object to those of the objects that are gone. */
  #forget(type: string, id: string): void {
    this.#gone.set(type, [...(this.#gone.get(type) ?? []), ...(this.#ended.get(id) ?? [])]);
    this.#ended.delete(id);
  }

  /**
   * Returns the newest revision, not after a given one, at which no list contains a finalized object as it was before its
   * deletion.
   */
  latest({ group, resource }: { group: string; resource: string }, revision: number): number {
    // Later objects are at the end, and an earlier revision can be within the interval of an earlier object only.
    const intervals = (this.#gone.get(`${group}/${resource}`) ?? []).toSorted(([a], [b]) => b - a);
    return intervals.reduce((at, [from, to]) => (at >= from && at < to ? from - 1 : at), revision);
  }

  /** Whether an object is gone or released, and the given state of it is from before that, with a finalizer. */
  isOutdated(object: KubernetesObject): boolean {
    if (!isMarked(object)) return false;
    const { uid = "", resourceVersion } = object.metadata ?? {};
    return this.#goneUids.has(uid) || Number(resourceVersion) < (this.#released.get(uid) ?? 0);
  }
}

/** Whether a write removes a finalizer of an object that is being deleted: another finalizer can still keep the object. */
function isReleasedBy({ before, after }: StoredWrite): boolean {
  const [had, has] = [before, after].map((one) => (one as unknown as KubernetesObject | undefined)?.metadata);
  return has?.deletionTimestamp !== undefined && (has.finalizers?.length ?? 0) < (had?.finalizers?.length ?? 0);
}

/** Whether an object has a finalizer and isn't being deleted. */
function isMarked({ metadata }: KubernetesObject): boolean {
  return (metadata?.finalizers?.length ?? 0) > 0 && !metadata?.deletionTimestamp;
}
