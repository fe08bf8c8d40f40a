import type { KubernetesObject } from "../api/index.ts";
import { groupOf } from "../api/kind.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { creatorOf, type ManagedFieldsEntry, managerOf } from "../managed-fields/field-manager.ts";
import { SecretValues } from "../secrets/secret-values.ts";
import { changedPaths } from "./changed-paths.ts";

/** A change of an object, as far as it is known. */
export interface ObjectChange {
  readonly resourceVersion: string;
  readonly by?: string;
  /** The creator of the object, if its entry shows it. Set for the first known state. */
  readonly creator?: string;
  readonly changed: readonly string[];
  /** Id of the reconcile that wrote it. */
  readonly reconcile?: string;
}

interface Known {
  /** The object without `managedFields`, as JSON: its length is its memory, and user code can't change it. */
  text: string;
  managedFields: readonly ManagedFieldsEntry[] | undefined;
  resourceVersion: string;
  /** The last changes, the oldest first. */
  changes: ObjectChange[];
}

const maxChanges = 8;

/**
 * Remembers the last state of each object that passed between the manager and the server, to find out who changed what.
 * The memory is bounded: objects that weren't seen for the longest time are forgotten.
 */
export class ObjectTracker {
  readonly #known = new Map<string, Known>();
  readonly #maxSize: number;
  readonly #secrets: SecretValues;
  #size = 0;

  /**
   * @param maxSize - limit of all states in characters of JSON
   * @param secrets - learns the values of Secrets
   */
  constructor(maxSize: number, secrets: SecretValues = new SecretValues()) {
    this.#maxSize = maxSize;
    this.#secrets = secrets;
  }

  /** Number of remembered objects. */
  get count(): number {
    return this.#known.size;
  }

  /** Size of all states in characters of JSON. */
  get size(): number {
    return this.#size;
  }

  /**
   * Records a state that the server sent, before anybody changes the object.
   *
   * @param object - the object with its `managedFields`
   * @param reconcile - id of the reconcile whose write it answers
   */
  saw(object: KubernetesObject, reconcile?: string): void {
    const { resourceVersion = "", name } = object.metadata ?? {};
    if (!name || resourceVersion === "") return;
    const key = keyOf(object);
    const tracked = this.#known.get(key);
    if (tracked?.resourceVersion === resourceVersion) {
      // The watch can deliver an own write before its answer arrives.
      if (reconcile) markOwn(tracked, resourceVersion, reconcile);
      return;
    }
    const { managedFields, ...metadata } = object.metadata as {
      managedFields?: readonly ManagedFieldsEntry[];
      creationTimestamp?: string;
    };
    const state = { ...object, metadata };
    const text = stringifyJson(state);
    this.#secrets.learn(object);
    if (tracked && isOlder(resourceVersion, tracked.resourceVersion)) return;
    const before = tracked && (parseJson(tracked.text) as KubernetesObject);
    const changed = before ? changedPaths(before, state) : [];
    const by = managerOf(managedFields, tracked?.managedFields, changed);
    const creator = tracked ? undefined : creatorOf(managedFields, metadata.creationTimestamp);
    const change = {
      resourceVersion,
      changed,
      ...(by ? { by } : {}),
      ...(creator ? { creator } : {}),
      ...(reconcile ? { reconcile } : {}),
    };
    this.#store(key, {
      text,
      managedFields: managedFields && (JSON.parse(JSON.stringify(managedFields)) as ManagedFieldsEntry[]),
      resourceVersion,
      changes: [...(tracked?.changes ?? []).slice(1 - maxChanges), change],
    });
  }

  /** Records that an object was deleted. */
  deleted(object: KubernetesObject): void {
    const key = keyOf(object);
    const tracked = this.#known.get(key);
    if (!tracked) return;
    this.#size -= tracked.text.length;
    this.#known.delete(key);
  }

  /** Returns the last known state of an object. */
  last(object: KubernetesObject): KubernetesObject | undefined {
    const tracked = this.#known.get(keyOf(object));
    return tracked && (parseJson(tracked.text) as KubernetesObject);
  }

  /** Returns the change that led to a resource version. */
  change(object: KubernetesObject): ObjectChange | undefined {
    const version = object.metadata?.resourceVersion;
    return this.#known.get(keyOf(object))?.changes.find(({ resourceVersion }) => resourceVersion === version);
  }

  #store(key: string, tracked: Known): void {
    this.#size += tracked.text.length - (this.#known.get(key)?.text.length ?? 0);
    // A new entry goes to the end: the first one is the oldest.
    this.#known.delete(key);
    this.#known.set(key, tracked);
    for (const [oldest, { text }] of this.#known) {
      if (this.#size <= this.#maxSize) break;
      this.#size -= text.length;
      this.#known.delete(oldest);
    }
  }
}

function keyOf({ apiVersion = "", kind, metadata }: KubernetesObject): string {
  return `${groupOf(apiVersion)}/${kind}/${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
}

function markOwn(tracked: Known, version: string, reconcile: string): void {
  tracked.changes = tracked.changes.map((change) =>
    change.resourceVersion === version && !change.reconcile ? { ...change, reconcile } : change,
  );
}

function isOlder(version: string, than: string): boolean {
  return /^\d+$/.test(version) && /^\d+$/.test(than) && BigInt(version) < BigInt(than);
}
