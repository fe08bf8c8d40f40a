import { createHash } from "node:crypto";
import type { KubernetesObject } from "../api/index.ts";
import { groupKind, groupOf, type Kind } from "../api/kind.ts";
import { appliedFieldsOf, managersOf } from "../cache/applied-fields.ts";
import type { Stored } from "../client/options.ts";
import { getControllerOf } from "../controllerutil/owner-references.ts";
import { isJsonObject } from "../json/object.ts";
import { childAnnotation, kindsAnnotation, partOfLabel } from "./names.ts";

/** How an existing object relates to an owner. */
export type Relation =
  /** The owner controls it. */
  | { readonly is: "own" }
  /** It has no controller. */
  | { readonly is: "ownerless" }
  /** It will be gone soon. */
  | { readonly is: "leaving"; readonly why: string }
  | { readonly is: "foreign"; readonly why: string };

/** The id of the set of an owner, which is the same for a new owner of the same name (KEP-3659). */
export function setId(
  owner: { readonly group: string; readonly kind: string },
  namespace: string,
  name: string,
): string {
  const text = `${name}.${namespace}.${owner.kind}.${owner.group}`;
  return `applyset-${createHash("sha256").update(text).digest("base64url")}-v1`;
}

/** An owner, and the identity of its set. */
export class OwnerSet {
  readonly owner: Stored<KubernetesObject>;
  readonly kind: Kind;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  #id: string | undefined;

  constructor(kind: Kind, owner: Stored<KubernetesObject>) {
    this.kind = kind;
    this.owner = owner;
    ({ uid: this.uid, namespace: this.namespace = "", name: this.name } = owner.metadata);
  }

  get id(): string {
    this.#id ??= setId(this.kind, this.namespace, this.name);
    return this.#id;
  }

  get isDeleted(): boolean {
    return this.owner.metadata.deletionTimestamp !== undefined;
  }

  /** Whether the owner lists a kind as one of its labeled children. */
  lists(kind: Kind): boolean {
    const { [kindsAnnotation]: kinds = "" } = this.owner.metadata.annotations ?? {};
    return kinds.split(",").includes(groupKind(kind));
  }

  /** `namespace/name` of the owner, as children have it in an annotation. */
  get key(): string {
    return `${this.namespace}/${this.name}`;
  }

  /** Whether children in a namespace can have an owner reference. Empty for cluster-scoped children. */
  canReference(namespace: string): boolean {
    return this.namespace === "" || this.namespace === namespace;
  }

  /** Whether the owner controls an object: by its UID, or by the label of its set. */
  controls(object: KubernetesObject): boolean {
    const controller = getControllerOf(object);
    if (controller) return controller.uid === this.uid;
    const label = object.metadata?.labels?.[partOfLabel];
    return label !== undefined && label === this.id;
  }

  relationTo(object: KubernetesObject): Relation {
    const { deletionTimestamp, labels } = object.metadata ?? {};
    if (deletionTimestamp) return { is: "leaving", why: "it is being deleted" };
    if (this.controls(object)) return { is: "own" };
    const controller = getControllerOf(object);
    if (controller) {
      const { kind, name, apiVersion } = controller;
      if (kind === this.kind.kind && name === this.name && groupOf(apiVersion) === this.kind.group) {
        return { is: "leaving", why: `it belongs to a deleted ${kind} of the same name` };
      }
      return { is: "foreign", why: `it is controlled by ${kind} ${name}` };
    }
    const set = labels?.[partOfLabel];
    return set ? { is: "foreign", why: `it belongs to the set ${set}` } : { is: "ownerless" };
  }
}

/**
 * Whether a manager has applied an object as a child. Labels and annotations alone don't count, because they can be copied.
 *
 * @returns `undefined` if that isn't known
 */
export function isAppliedChild(object: KubernetesObject, manager: string): boolean | undefined {
  const applied = appliedFieldsOf(object, manager);
  if (applied === undefined) return undefined;
  const metadata = applied?.fields["f:metadata"];
  const annotations = isJsonObject(metadata) ? metadata["f:annotations"] : undefined;
  return isJsonObject(annotations) && Object.hasOwn(annotations, `f:${childAnnotation}`);
}

/** Whether any declaration has applied an object as a child. */
export function isAnyChild(object: KubernetesObject): boolean {
  return managersOf(object).some((manager) => isAppliedChild(object, manager) === true);
}
