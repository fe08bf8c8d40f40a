import type { KubernetesObject, ManagedFieldsEntry } from "../api/index.ts";
import type { JsonObject } from "../json/object.ts";

/** The fields that a manager has applied to an object. */
export interface AppliedFields {
  /** API version of the apply. */
  readonly apiVersion: string;
  /** The set of fields, in the format of `fieldsV1`. */
  readonly fields: JsonObject;
}

/** The part of an object's `managedFields` that a cache keeps. */
interface AppliedBy {
  /** The fields that the managers of the informer have applied, by their names. */
  readonly fields: ReadonlyMap<string, AppliedFields>;
  /** The names of all managers. */
  readonly managers: readonly string[];
}

/** The sets of cached objects, whose `managedFields` are removed. They aren't fields: an update would write them. */
const kept = new WeakMap<KubernetesObject, AppliedBy>();

/**
 * Returns the fields that a manager has applied to an object, as one with its `managedFields` or one of a cache that keeps them.
 *
 * @param object - the object
 * @param manager - the field manager
 * @returns the fields; `null` if the manager has applied none, and `undefined` if that isn't known
 */
export function appliedFieldsOf(object: KubernetesObject, manager: string): AppliedFields | null | undefined {
  const { managedFields } = object.metadata ?? {};
  if (managedFields && managedFields.length > 0) {
    const entry = managedFields.find((candidate) => isApply(candidate, manager));
    return entry ? { apiVersion: entry.apiVersion ?? "", fields: (entry.fieldsV1 ?? {}) as JsonObject } : null;
  }
  const applied = kept.get(object);
  return applied && (applied.fields.get(manager) ?? null);
}

/**
 * Returns the names of the managers of an object, without those of its subresources.
 *
 * @param object - the object
 * @returns the names, if they are known
 */
export function managersOf(object: KubernetesObject): readonly string[] {
  return kept.get(object)?.managers ?? namesOf(object.metadata?.managedFields ?? []);
}

function namesOf(entries: readonly ManagedFieldsEntry[]): string[] {
  return [...new Set(entries.flatMap(({ manager, subresource }) => (manager && !subresource ? [manager] : [])))];
}

function isApply({ manager, operation, subresource }: ManagedFieldsEntry, name: string): boolean {
  return manager === name && operation === "Apply" && !subresource;
}

/** The UID of an owner reference, which is different for each owner. */
const uidKey = /"k:\{\\"uid\\":\\"[^"\\]*\\"\}"/g;
const noUid = '"k:{\\"uid\\":\\"\\"}"';

/**
 * Returns a set as text, in which the UID of an owner reference is replaced, as in those of cached objects.
 *
 * @param applied - the fields
 * @returns equal texts for equal sets
 */
export function appliedFieldsText({ apiVersion, fields }: AppliedFields): string {
  return withoutUid(JSON.stringify([apiVersion, fields]));
}

function withoutUid(text: string): string {
  return text.match(uidKey)?.length === 1 ? text.replace(uidKey, noUid) : text;
}

/** Keeps what some managers have applied to the objects of an informer. Equal sets exist once. */
export class AppliedFieldsKeeper {
  readonly #managers = new Set<string>();
  readonly #sets = new Map<string, WeakRef<AppliedBy>>();
  #purgeAt = 1_024;

  /** Whether any manager was added. */
  get isUsed(): boolean {
    return this.#managers.size > 0;
  }

  /** Keeps the fields of a manager from now on. */
  add(manager: string): void {
    this.#managers.add(manager);
  }

  /** Returns what is to be kept of an object that still has its `managedFields`. */
  read(object: KubernetesObject): AppliedBy {
    const all = object.metadata?.managedFields ?? [];
    const entries = all.filter((entry) => [...this.#managers].some((manager) => isApply(entry, manager)));
    const key = withoutUid(
      JSON.stringify([
        namesOf(all),
        ...entries.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
      ]),
    );
    const shared = this.#sets.get(key)?.deref();
    if (shared) return shared;
    const [managers, ...parts] = JSON.parse(key) as [
      string[],
      ...[string, string | undefined, JsonObject | undefined][],
    ];
    const fields = new Map(parts.map(([name, apiVersion = "", set = {}]) => [name, { apiVersion, fields: set }]));
    const created: AppliedBy = { fields, managers };
    this.#purge();
    this.#sets.set(key, new WeakRef(created));
    return created;
  }

  /** Keeps what {@link read} returned for a stored object. */
  keep(object: KubernetesObject, applied: AppliedBy): void {
    kept.set(object, applied);
  }

  #purge(): void {
    if (this.#sets.size < this.#purgeAt) return;
    for (const [key, reference] of this.#sets) if (reference.deref() === undefined) this.#sets.delete(key);
    this.#purgeAt = Math.max(1_024, this.#sets.size * 2);
  }
}
