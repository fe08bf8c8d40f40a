import type { KubernetesObject } from "../api/index.ts";

/** An object is new to the cache. */
export interface CreateEvent<T extends KubernetesObject = KubernetesObject> {
  object: T;
  /** It was there when the watch began. */
  isInInitialList: boolean;
}

/** An object changed; both are frozen objects of the cache. Resyncs give the same object twice. */
export interface UpdateEvent<T extends KubernetesObject = KubernetesObject> {
  oldObject: T;
  object: T;
}

/** An object is gone. */
export interface DeleteEvent<T extends KubernetesObject = KubernetesObject> {
  object: T;
  /** The deletion itself was missed: `object` is the last state that was known. */
  deleteStateUnknown: boolean;
}

/** Something from outside of the cluster concerns an object. */
export interface GenericEvent<T extends KubernetesObject = KubernetesObject> {
  object: T;
}
