import { cloneJson } from "@kubewright/cel/json";
import type { ApiObject, ResourceType, StatesInVersions } from "../model/resource.ts";
import type { Change, Entry } from "../model/stored-state.ts";
import { decodeEntry } from "./read.ts";
import { convertStored, type Engine } from "./scope.ts";

/** The milliseconds in which a webhook usually converts an object. */
const settlingTime = 50;

/**
 * The stored states of a custom resource in the versions that a webhook converts. As in the watch caches of kube-apiserver,
 * each change is converted once, when it is written. So lists and watches neither call the webhook again nor need it.
 */
export class ConvertedStates implements StatesInVersions {
  readonly #versions: readonly string[];
  /** The conversions of changes that haven't finished. */
  readonly #pending = new Set<Promise<void>>();
  readonly #states = new WeakMap<Entry, Map<string, Promise<ApiObject>>>();

  /** @param versions - the served versions of the definition */
  constructor(versions: readonly string[]) {
    this.#versions = versions;
  }

  /**
   * Converts a change to all served versions.
   *
   * @param type - the resource
   * @param change - the change
   */
  observe(type: ResourceType, { entry }: Change): void {
    for (const version of this.#versions) {
      if (version === type.storageVersion) continue;
      // A failure is reported to those who read the state, which is converted again for them.
      const conversion = this.#state(type, entry, version)
        .catch(() => {})
        .then(() => {
          this.#pending.delete(conversion);
        });
      this.#pending.add(conversion);
    }
  }

  /**
   * Waits until the changes of a write are converted, so that its client can list them, but not for a webhook that doesn't
   * answer.
   *
   * @param engine - the server. In process it doesn't wait: requests alone decide about the order of events.
   */
  async settle({ sendEvents, after }: Engine): Promise<void> {
    if (sendEvents === undefined || this.#pending.size === 0) return;
    let cancel = (): void => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = after(settlingTime, resolve, true);
    });
    await Promise.race([Promise.all(this.#pending), timeout]);
    cancel();
  }

  /**
   * Reads a state.
   *
   * @param type - the resource
   * @param entry - the stored state
   * @param version - the version
   * @returns a new object in that version
   */
  async read(type: ResourceType, entry: Entry, version: string): Promise<ApiObject> {
    return cloneJson(await this.#state(type, entry, version));
  }

  /**
   * Reads a state that a write will replace.
   *
   * @param entry - the stored state
   * @param version - the version
   * @returns a new object in that version, or undefined if the webhook hasn't converted the state
   */
  async known(entry: Entry, version: string): Promise<ApiObject | undefined> {
    const state = await this.#states
      .get(entry)
      ?.get(version)
      ?.catch(() => undefined);
    return state && cloneJson(state);
  }

  #state(type: ResourceType, entry: Entry, version: string): Promise<ApiObject> {
    let states = this.#states.get(entry);
    if (states === undefined) {
      states = new Map();
      this.#states.set(entry, states);
    }
    const cached = states.get(version);
    if (cached !== undefined) return cached;
    const state = convertStored(type, decodeEntry(type, entry), version);
    states.set(version, state);
    state.catch(() => states.delete(version));
    return state;
  }
}
