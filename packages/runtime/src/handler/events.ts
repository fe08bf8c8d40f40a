import type { KubernetesObject } from "../api/index.ts";

/** Reports an object that is new in the cache. */
export interface CreateEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object, a frozen one of the cache. */
  object: T;
  /** Whether the object existed when the watch started. */
  isInInitialList: boolean;
}

/** Reports a changed object. A resync repeats the same object. */
export interface UpdateEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object before the change, a frozen one of the cache. */
  oldObject: T;
  /** The object after the change, a frozen one of the cache. */
  object: T;
}

/** Reports a deleted object. */
export interface DeleteEvent<T extends KubernetesObject = KubernetesObject> {
  /** The last known state of the object, frozen. */
  object: T;
  /** Whether the deletion itself was missed, so that the object may have changed before it. */
  deleteStateUnknown: boolean;
}

/** Reports something from outside the cluster about an object. */
export interface GenericEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object. */
  object: T;
}
