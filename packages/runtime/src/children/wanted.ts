import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { type Kind, splitApiVersion } from "../api/kind.ts";
import type { JsonObject } from "../json/object.ts";
import { hashOf } from "./canonical-json.ts";
import type { Declaration, Entry } from "./declaration.ts";
import { omitPaths } from "./field-set.ts";
import { childAnnotation, hashAnnotation, ownerAnnotation, partOfLabel } from "./names.ts";
import type { OwnerSet } from "./owner-set.ts";
import { keep } from "./types.ts";

/** A wanted child. */
export interface Child {
  readonly entry: Entry;
  readonly kind: Kind;
  /** Empty for cluster-scoped children. */
  readonly namespace: string;
  readonly name: string;
  /** Identifies the child among those of its owner. */
  readonly id: string;
  /** Whether it has no owner reference, because the owner can't control objects in its namespace. */
  readonly isLabeled: boolean;
  readonly hash: string;
  /** The fields to apply, with the hash. */
  readonly body: KubernetesObject;
  /** The fields of the body that a manager owns, without the identity. */
  readonly fields: JsonObject;
  /** The fields to create: those to apply, and those that are only set at creation. */
  readonly whole: KubernetesObject;
}

/** A child whose scope isn't known yet. */
export interface ChildInput {
  readonly entry: Entry;
  readonly kind: Kind;
  readonly given: JsonObject & { metadata?: ObjectMeta };
}

/** The values of all entries, checked as far as possible without a server. */
export interface Inputs {
  readonly children: readonly ChildInput[];
  /** Entries that are neither applied nor pruned. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Checks the wanted values.
 *
 * @throws TypeError if one of them isn't valid
 */
export function readInputs(declaration: Declaration, wanted: Readonly<Record<string, unknown>>): Inputs {
  const { entries, owner } = declaration;
  const at = `children of ${owner.kind}`;
  for (const name of Object.keys(wanted)) {
    if (!entries.has(name)) throw new TypeError(`${at}: ${name} isn't declared`);
  }
  const children: ChildInput[] = [];
  const kept = new Set<string>();
  for (const [name, entry] of entries) {
    if (!Object.hasOwn(wanted, name)) {
      throw new TypeError(`${at}: ${name} is missing: set it to undefined or [] if it isn't wanted, or to keep`);
    }
    const value = wanted[name];
    if (value === keep) kept.add(name);
    else if (entry.isList !== Array.isArray(value) && (entry.isList || value !== undefined)) {
      throw new TypeError(`${at}: ${name} must be ${entry.isList ? "a list" : "an object"}`);
    }
    if (value === keep || value === undefined) continue;
    for (const item of entry.isList ? (value as unknown[]) : [value]) children.push(inputOf(at, entry, item));
  }
  return { children, kept };
}

function inputOf(at: string, entry: Entry, given: unknown): ChildInput {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`${at}: ${entry.name} must be an object`);
  }
  const object = given as ChildInput["given"];
  const { name, generateName, ownerReferences } = (object.metadata ?? {}) as ObjectMeta;
  const what = `${at}: ${entry.name}${name ? ` ${name}` : ""}`;
  if (object.status !== undefined)
    throw new TypeError(`${what}: status must not be set, because its controller writes it`);
  if (generateName !== undefined)
    throw new TypeError(`${what}: generateName must not be set, because it creates a new object each time`);
  if (entry.isList && !name) throw new TypeError(`${what}: an item of a list needs metadata.name`);
  if (ownerReferences?.some(({ controller }) => controller)) {
    throw new TypeError(`${what}: ownerReferences must not contain a controller, which is the owner of the set`);
  }
  return { entry, kind: entry.kind ?? kindOfItem(what, object), given: object };
}

function kindOfItem(what: string, { apiVersion, kind }: JsonObject): Kind {
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") {
    throw new TypeError(`${what}: a child of any kind needs apiVersion and kind`);
  }
  const [group, version] = splitApiVersion(apiVersion);
  return { group, version, kind, apiVersion };
}

/**
 * Returns the child of an input.
 *
 * @param isNamespaced - whether its kind is namespaced
 * @throws TypeError if its namespace is missing
 */
export function childOf(declaration: Declaration, set: OwnerSet, input: ChildInput, isNamespaced: boolean): Child {
  const { entry, kind, given } = input;
  const { name = set.name, namespace: ownNamespace, ...metadata } = given.metadata ?? {};
  const namespace = isNamespaced ? (ownNamespace ?? set.namespace) : "";
  if (isNamespaced && namespace === "") {
    throw new TypeError(`children of ${declaration.owner.kind}: ${entry.name} ${name} needs metadata.namespace`);
  }
  const isLabeled = !set.canReference(namespace);
  const annotations: Record<string, string> = { ...metadata.annotations, [childAnnotation]: entry.name };
  const labels: Record<string, string> = { ...metadata.labels };
  const references = [...(metadata.ownerReferences ?? [])];
  if (isLabeled) {
    labels[partOfLabel] = set.id;
    annotations[ownerAnnotation] = set.key;
  } else {
    const { apiVersion, kind: ownerKind } = declaration.owner;
    const { name: ownerName, uid } = set;
    references.push({ apiVersion, kind: ownerKind, name: ownerName, uid, controller: true, blockOwnerDeletion: true });
  }
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = given;
  const whole = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace === "" ? {} : { namespace }),
      ...metadata,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      annotations,
      ...(references.length > 0 ? { ownerReferences: references } : {}),
    },
    ...(isSecret(kind) ? withEncodedData(fields) : fields),
  } satisfies KubernetesObject;
  return new WantedObject({ entry, kind, namespace, name, isLabeled }, whole);
}

/** A child whose parts are created when they are needed: most children need no request. */
class WantedObject implements Child {
  readonly entry: Entry;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  readonly isLabeled: boolean;
  readonly hash: string;
  readonly #whole: KubernetesObject;
  readonly #applied: KubernetesObject;
  #body: KubernetesObject | undefined;

  constructor(
    { entry, kind, namespace, name, isLabeled }: Pick<Child, "entry" | "kind" | "namespace" | "name" | "isLabeled">,
    whole: KubernetesObject,
  ) {
    this.entry = entry;
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
    this.id = childId(kind, namespace, name);
    this.isLabeled = isLabeled;
    this.#whole = whole;
    this.#applied = omitPaths(whole, entry.createOnly);
    this.hash = hashOf(isSecret(kind) ? withoutValues(this.#applied) : this.#applied);
  }

  get body(): KubernetesObject {
    this.#body ??= this.#hashed(this.#applied);
    return this.#body;
  }

  get fields(): JsonObject {
    const { apiVersion: _, kind: __, metadata, ...fields } = this.body;
    const { name: ___, namespace: ____, ...ownedMetadata } = metadata ?? {};
    return { ...fields, metadata: ownedMetadata };
  }

  get whole(): KubernetesObject {
    return this.#applied === this.#whole ? this.body : this.#hashed(this.#whole);
  }

  #hashed(object: KubernetesObject): KubernetesObject {
    const annotations = { ...object.metadata?.annotations, [hashAnnotation]: this.hash };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }
}

/** Returns what identifies a child among those of an owner. */
export function childId(kind: Pick<Kind, "group" | "kind">, namespace: string | undefined, name: string): string {
  return `${kind.group}/${kind.kind}/${namespace ?? ""}/${name}`;
}

/** Whether the values of a kind must not be in hashes. */
export function isSecret({ group, kind }: Kind): boolean {
  return group === "" && kind === "Secret";
}

/** Returns the fields of a Secret with `stringData` in `data`, so that keys that aren't wanted anymore are removed. */
function withEncodedData({ stringData, ...fields }: JsonObject): JsonObject {
  if (stringData === undefined) return fields;
  const data: Record<string, unknown> = { ...(fields.data as object | undefined) };
  for (const [key, value] of Object.entries(stringData as Record<string, string | undefined>)) {
    if (value !== undefined) data[key] = Buffer.from(value).toString("base64");
  }
  return { ...fields, data };
}

function withoutValues(secret: KubernetesObject): KubernetesObject {
  const { data, ...rest } = secret as KubernetesObject & { data?: JsonObject };
  if (data === undefined) return secret;
  const names = Object.keys(data).filter((key) => data[key] !== undefined);
  return { ...rest, data: names.sort() } as KubernetesObject;
}
