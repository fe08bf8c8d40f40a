import type { Actor } from "../schedule/actor.ts";

/**
 * The latest state of each object that a process has read.
 *
 * A later process can read an older one, because caches lag behind independently. Level-based operators then return to an
 * earlier state for a while, and nothing but reads from the server in front of each write would prevent it.
 */
export class Sightings {
  readonly #latest = new Map<string, { actor: Actor; revision: number }>();
  readonly #last = new WeakMap<Actor, Map<string, number>>();

  /**
   * Notes a read.
   *
   * @param actor - the process
   * @param id - the object
   * @param revision - the revision that it read; for an object that doesn't exist, the present revision of the server
   * @returns whether another process has read a later state
   */
  isOutdated(actor: Actor, id: string, revision: number): boolean {
    const own = this.#last.get(actor) ?? new Map<string, number>();
    this.#last.set(actor, own.set(id, revision));
    const latest = this.#latest.get(id);
    if (latest && revision < latest.revision) return latest.actor !== actor;
    this.#latest.set(id, { actor, revision });
    return false;
  }

  /** Returns the revision of an object that a process has read last. */
  last(actor: Actor, id: string): number | undefined {
    return this.#last.get(actor)?.get(id);
  }
}
