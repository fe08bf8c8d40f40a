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
  readonly #listeners: (() => void)[] = [];

  /** Calls a function whenever a process reads an older state than another one has read. */
  onOutdated(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Notes a read.
   *
   * @param actor - the process
   * @param id - the object
   * @param revision - the revision that it read; for an object that doesn't exist, the present revision of the server
   */
  read(actor: Actor, id: string, revision: number): void {
    const own = this.#last.get(actor) ?? new Map<string, number>();
    this.#last.set(actor, own.set(id, revision));
    const latest = this.#latest.get(id);
    if (!latest || revision >= latest.revision) this.#latest.set(id, { actor, revision });
    else if (latest.actor !== actor) for (const listener of this.#listeners) listener();
  }

  /** Returns the revision of an object that a process has read last. */
  last(actor: Actor, id: string): number | undefined {
    return this.#last.get(actor)?.get(id);
  }
}
