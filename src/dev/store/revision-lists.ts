import type { ObjectRevision } from "@kubewright/dashboard/protocol";

const maxRevisions = 30;
/** Limit for the revisions of all objects, in characters of their diffs. */
const maxDiffs = 48 * 1024 * 1024;

/** Limits the lists with the revisions of objects: each in its length, and all together in their size. */
export class RevisionLists {
  /** All revisions with the list that contains them, the oldest first. */
  readonly #lists = new Map<ObjectRevision, ObjectRevision[]>();
  #size = 0;

  /** Adds a revision to the end of a list. */
  add(list: ObjectRevision[], revision: ObjectRevision): void {
    list.push(revision);
    this.#lists.set(revision, list);
    this.#size += revision.diff.length;
    if (list.length > maxRevisions) this.#forgetFirst(list);
    for (const oldest of this.#lists.values()) {
      if (this.#size <= maxDiffs) break;
      this.#forgetFirst(oldest);
    }
  }

  /** Empties a list. */
  forget(list: ObjectRevision[]): void {
    while (list.length > 0) this.#forgetFirst(list);
  }

  /** Forgets the first revision of a list. Lists contain their revisions in the order in which they were added. */
  #forgetFirst(list: ObjectRevision[]): void {
    const oldest = list.shift();
    if (!oldest) return;
    this.#lists.delete(oldest);
    this.#size -= oldest.diff.length;
  }
}
