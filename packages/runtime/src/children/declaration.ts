import type { KubernetesObject } from "../api/index.ts";
import { groupKind, groupOf, type Kind } from "../api/kind.ts";
import type { Stored } from "../client/options.ts";
import { parsePath } from "../json/field-path.ts";
import { childAnnotation } from "./names.ts";
import { AnyKind, type ChildEntries, type ChildOptions, type ChildrenOptions } from "./types.ts";

/** An entry of a declaration. */
export interface Entry {
  readonly name: string;
  /** Unset for {@link AnyKind}. */
  readonly kind: Kind | undefined;
  readonly isList: boolean;
  readonly after: readonly string[];
  readonly ready: ((object: Stored<KubernetesObject>) => boolean) | undefined;
  readonly createOnly: readonly (readonly string[])[];
  readonly recreates: boolean;
  readonly adoptsOwnerless: boolean;
  /** Unset for the default of the kind. */
  readonly prune: boolean | undefined;
  readonly optional: boolean;
}

/** A checked declaration, with its defaults. */
export interface Declaration {
  readonly owner: Kind;
  readonly fieldOwner: string;
  /** The manager that creates children with `createOnly`, and owns these fields. */
  readonly creator: string;
  readonly finalizer: string;
  /** The entries by name, each one after those in its `after`. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly former: readonly Kind[];
  readonly isOrdered: boolean;
  /** Unset for the default field manager of the client. */
  readonly migrateFrom: readonly string[] | undefined;
}

/** Returns the kinds of a declaration, also those of former versions. */
export function declaredKinds({ entries, former }: Declaration): Kind[] {
  return [...[...entries.values()].flatMap(({ kind }) => kind ?? []), ...former];
}

const unprunedKinds = new Set([
  "Namespace",
  "CustomResourceDefinition.apiextensions.k8s.io",
  "PersistentVolume",
  "PersistentVolumeClaim",
]);

/** Returns the entry of an object, as it was applied. */
export function entryNameOf(object: KubernetesObject): string {
  return object.metadata?.annotations?.[childAnnotation] ?? "";
}

/**
 * Returns the entries whose settings are valid for an object: the one with which it was applied. If that one isn't declared anymore,
 * it may have been renamed, so any entry of the same kind can be its successor.
 */
export function entriesOf({ entries, former }: Declaration, object: KubernetesObject): Entry[] {
  const entry = entries.get(entryNameOf(object));
  if (entry) return [entry];
  const kind = groupKindOf(object);
  const isFormer = former.some((candidate) => groupKind(candidate) === kind);
  return [...entries.values()].filter((candidate) => (candidate.kind ? groupKind(candidate.kind) === kind : !isFormer));
}

/** Whether an object is deleted when it isn't wanted anymore. */
export function prunes(declaration: Declaration, object: KubernetesObject): boolean {
  const byDefault = !unprunedKinds.has(groupKindOf(object));
  const entries = entriesOf(declaration, object);
  return entries.length === 0 ? byDefault : entries.every(({ prune }) => prune ?? byDefault);
}

function groupKindOf({ apiVersion, kind }: KubernetesObject): string {
  return groupKind({ group: groupOf(apiVersion), kind });
}

const where = (owner: Kind): string => `childrenOf(${owner.kind})`;

/**
 * Checks a declaration.
 *
 * @throws TypeError if it isn't valid
 */
export function declare(owner: Kind, entries: ChildEntries, options: ChildrenOptions<ChildEntries> = {}): Declaration {
  if (!owner?.kind) throw new TypeError(`childrenOf(…): the owner must be a kind, and is ${owner}`);
  const settings = (options.entries ?? {}) as Readonly<Record<string, ChildOptions | undefined>>;
  for (const name of Object.keys(settings)) {
    if (!Object.hasOwn(entries, name)) throw new TypeError(`${where(owner)}: entries.${name} isn't declared`);
  }
  const unordered = new Map<string, Entry>();
  for (const [name, given] of Object.entries(entries)) {
    unordered.set(name, entryOf(owner, name, given, settings[name] ?? {}));
  }
  const fieldOwner = options.fieldOwner ?? `${owner.kind.toLowerCase()}-controller`;
  if (fieldOwner === "" || fieldOwner.length > 121) {
    throw new TypeError(`${where(owner)}: fieldOwner must have 1 to 121 characters, and has ${fieldOwner.length}`);
  }
  return {
    owner,
    fieldOwner,
    creator: `${fieldOwner}-create`,
    finalizer: `${owner.group || "apply.kubewright.io"}/children`,
    entries: inOrder(owner, unordered),
    former: options.former ?? [],
    isOrdered: options.deletion === "ordered",
    migrateFrom: options.migrateFrom,
  };
}

function entryOf(owner: Kind, name: string, given: ChildEntries[string], options: ChildOptions): Entry {
  const at = `${where(owner)}: ${name}`;
  const isList = Array.isArray(given);
  const [kind] = (isList ? given : [given]) as [Kind | AnyKind | undefined];
  const isAny = kind === AnyKind;
  if (!isAny && !(kind as Kind | undefined)?.kind) {
    throw new TypeError(`${at} must be a kind, and is ${kind}: check for a type-only import or a cycle of imports`);
  }
  if (isAny && !isList) throw new TypeError(`${at}: write [AnyKind], because children of any kind are a list`);
  return {
    name,
    kind: isAny ? undefined : (kind as Kind),
    isList,
    after: options.after ?? [],
    ready: options.ready?.bind(options),
    createOnly: (options.createOnly ?? []).map((path) => createOnlyPath(at, path)),
    recreates: options.onImmutable === "recreate",
    adoptsOwnerless: options.adopt === "ownerless",
    prune: options.prune,
    optional: options.optional ?? false,
  };
}

function createOnlyPath(at: string, path: string): string[] {
  const steps = parsePath(path);
  const [first = ""] = steps;
  if (["apiVersion", "kind", "metadata", "status"].includes(first)) {
    throw new TypeError(`${at}: createOnly must be a path such as spec.replicas, and is ${path}`);
  }
  return steps;
}

/** Returns the entries in an order in which each follows those in its `after`. */
function inOrder(owner: Kind, entries: ReadonlyMap<string, Entry>): Map<string, Entry> {
  const ordered = new Map<string, Entry>();
  const visit = (name: string, path: readonly string[]): void => {
    const entry = entries.get(name);
    if (!entry) throw new TypeError(`${where(owner)}: ${path.at(-1)} is after ${name}, which isn't declared`);
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(" → ");
      throw new TypeError(`${where(owner)}: after must not form a cycle: ${cycle}`);
    }
    if (ordered.has(name)) return;
    for (const before of entry.after) visit(before, [...path, name]);
    ordered.set(name, entry);
  };
  for (const name of entries.keys()) visit(name, []);
  return ordered;
}
