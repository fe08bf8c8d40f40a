import type { KubernetesObject, OwnerReference } from "../api/index.ts";
import { groupOf } from "../api/kind.ts";

/** Options of owner references. */
export interface OwnerReferenceOptions {
  /**
   * Whether a foreground deletion of the owner waits for this object.
   *
   * @defaultValue true for controllers, unset for other owners
   */
  blockOwnerDeletion?: boolean;
}

/** Reports that another controller owns the object. */
export class AlreadyOwnedError extends Error {
  /** Always `AlreadyOwnedError`. */
  override readonly name = "AlreadyOwnedError";
  /** The reference to that controller. */
  readonly owner: OwnerReference;

  /**
   * Creates an error.
   *
   * @param object - the object
   * @param owner - the reference to its controller
   */
  constructor(object: KubernetesObject, owner: OwnerReference) {
    const { namespace = "", name = "" } = object.metadata ?? {};
    super(`${object.kind} ${namespace}/${name} is already controlled by ${owner.kind} ${owner.name}`);
    this.owner = owner;
  }
}

/**
 * Makes an owner the controller of an object in memory. The object is deleted with its owner, and `.owns(Kind)` maps
 * its events to the owner. Write the object afterwards.
 *
 * @param owner - a stored object
 * @param object - the object to change
 * @param options - see {@link OwnerReferenceOptions}
 * @throws AlreadyOwnedError if the object has another controller
 * @throws Error if the owner isn't stored or is in another namespace
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

/**
 * Adds an owner to an object in memory. The object is deleted with the last of its owners. Write the object afterwards.
 *
 * @param owner - a stored object
 * @param object - the object to change
 * @param options - see {@link OwnerReferenceOptions}
 * @throws Error if the owner isn't stored or is in another namespace
 */
export function setOwnerReference(
  owner: KubernetesObject,
  object: KubernetesObject,
  options: OwnerReferenceOptions = {},
): void {
  const reference = referenceTo(owner, object);
  const block = options.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: options.blockOwnerDeletion };
  put(object, { ...reference, ...block });
}

/**
 * Removes an owner from an object in memory.
 *
 * @param owner - the owner
 * @param object - the object to change
 * @returns whether the object was changed
 */
export function removeOwnerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const references = object.metadata?.ownerReferences ?? [];
  const kept = references.filter((reference) => !isSameOwner(reference, identity(owner)));
  if (kept.length === references.length) return false;
  object.metadata!.ownerReferences = kept;
  return true;
}

/**
 * Removes the controller from an object in memory if it is this owner.
 *
 * @param owner - the owner
 * @param object - the object to change
 * @returns whether the object was changed
 */
export function removeControllerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const controller = getControllerOf(object);
  return controller !== undefined && isSameOwner(controller, identity(owner)) && removeOwnerReference(owner, object);
}

/**
 * Returns whether an object has a controller.
 *
 * @param object - the object
 * @returns whether an owner has `controller: true`
 */
export function hasControllerReference(object: KubernetesObject): boolean {
  return getControllerOf(object) !== undefined;
}

/**
 * Returns whether an object has an owner. Like controller-runtime, this compares the kind and the name, but not the UID: a
 * deleted owner of the same name counts too. To exclude it, compare the `uid` of {@link getControllerOf}.
 *
 * @param owner - the owner
 * @param object - the object
 * @returns whether the owner is in `metadata.ownerReferences`
 */
export function hasOwnerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  const wanted = identity(owner);
  return (object.metadata?.ownerReferences ?? []).some((reference) => isSameOwner(reference, wanted));
}

/**
 * Returns the owner with `controller: true`.
 *
 * @param object - the object
 * @returns the reference, or `undefined`
 */
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
    throw new Error(`the owner ${reference.kind} ${reference.name} has no uid: it must be a stored object`);
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

// Compares groups, since the version of an API can change.
function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  if (a.name !== b.name || a.kind !== b.kind) return false;
  return a.apiVersion === b.apiVersion || groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

function put(object: KubernetesObject, reference: OwnerReference): void {
  object.metadata ??= {};
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((candidate) => isSameOwner(candidate, reference));
  object.metadata.ownerReferences =
    index < 0 ? [...references, reference] : references.map((candidate, i) => (i === index ? reference : candidate));
}
