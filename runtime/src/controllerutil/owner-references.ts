import type { KubernetesObject, OwnerReference } from "../api/index.ts";
import { splitApiVersion } from "./kind-of.ts";

/** What an owner reference says beside the owner. */
export interface OwnerReferenceOptions {
  /** Whether the owner's deletion waits for this object in the foreground; true by default for controllers. */
  blockOwnerDeletion?: boolean;
}

/** Another controller owns the object already. */
export class AlreadyOwnedError extends Error {
  override readonly name = "AlreadyOwnedError";
  readonly owner: OwnerReference;

  constructor(object: KubernetesObject, owner: OwnerReference) {
    const { namespace = "", name = "" } = object.metadata ?? {};
    super(`${object.kind} ${namespace}/${name} is already controlled by ${owner.kind} ${owner.name}`);
    this.owner = owner;
  }
}

/**
 * Makes the owner the controller of an object: the object is deleted with it, and `.owns(Kind)` finds the way back. Changes the
 * object. Throws an {@link AlreadyOwnedError} when it has another controller, an `Error` for an owner that can't be one.
 *
 * @example
 * setControllerReference(game, deployment);
 */
export function setControllerReference(
  owner: KubernetesObject,
  object: KubernetesObject,
  options: OwnerReferenceOptions = {},
): void {
  const reference = referenceTo(owner, object);
  const controller = getControllerOf(object);
  if (controller && !isSameOwner(controller, reference)) throw new AlreadyOwnedError(object, controller);
  put(object, { ...reference, controller: true, blockOwnerDeletion: options.blockOwnerDeletion ?? true });
}

/** Makes the owner one of the owners of an object, which is deleted with the last of them. Changes the object. */
export function setOwnerReference(
  owner: KubernetesObject,
  object: KubernetesObject,
  options: OwnerReferenceOptions = {},
): void {
  const reference = referenceTo(owner, object);
  const block = options.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: options.blockOwnerDeletion };
  put(object, { ...reference, ...block });
}

/** Takes an owner away; tells whether it was one. */
export function removeOwnerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const references = object.metadata?.ownerReferences ?? [];
  const kept = references.filter((reference) => !isSameOwner(reference, identity(owner)));
  if (kept.length === references.length) return false;
  object.metadata!.ownerReferences = kept;
  return true;
}

/** Takes the controller away where it is this owner; tells whether it was. Another controller stays. */
export function removeControllerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const controller = getControllerOf(object);
  return controller !== undefined && isSameOwner(controller, identity(owner)) && removeOwnerReference(owner, object);
}

/** Whether an object has a controller, whoever it is. */
export function hasControllerReference(object: KubernetesObject): boolean {
  return getControllerOf(object) !== undefined;
}

/** Whether the owner is among the owners of an object. */
export function hasOwnerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const wanted = identity(owner);
  return (object.metadata?.ownerReferences ?? []).some((reference) => isSameOwner(reference, wanted));
}

/** The owner with `controller: true`. */
export function getControllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

function identity(owner: KubernetesObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata?.name ?? "",
    uid: owner.metadata?.uid ?? "",
  };
}

function referenceTo(owner: KubernetesObject, object: KubernetesObject): OwnerReference {
  const reference = identity(owner);
  if (!reference.apiVersion || !reference.kind) throw new Error("the owner has no apiVersion or kind");
  if (!reference.uid) {
    throw new Error(`the owner ${reference.kind} ${reference.name} has no uid: only stored objects can own others`);
  }
  const ownerNamespace = owner.metadata?.namespace;
  const namespace = object.metadata?.namespace;
  if (ownerNamespace && !namespace) {
    throw new Error(`${object.kind} is cluster-scoped and can't be owned by ${owner.kind} in ${ownerNamespace}`);
  }
  if (ownerNamespace && ownerNamespace !== namespace) {
    throw new Error(`${owner.kind} in ${ownerNamespace} can't own ${object.kind} in another namespace, ${namespace}`);
  }
  return reference;
}

// The version may change with the next release of an API, the owner is the same.
function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return (
    splitApiVersion(a.apiVersion)[0] === splitApiVersion(b.apiVersion)[0] && a.kind === b.kind && a.name === b.name
  );
}

function put(object: KubernetesObject, reference: OwnerReference): void {
  object.metadata ??= {};
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((candidate) => isSameOwner(candidate, reference));
  object.metadata.ownerReferences =
    index < 0 ? [...references, reference] : references.map((candidate, i) => (i === index ? reference : candidate));
}
