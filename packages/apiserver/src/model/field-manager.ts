import type { ApiObject } from "./resource.ts";

/** Keeps track of who owns which fields of the objects of one version of a resource. */
export interface FieldManager {
  /**
   * Sets the owners of the fields that a write changes.
   *
   * @param live - the state before the write; undefined for a new object
   * @param updated - the state after it; may be changed
   * @param manager - who writes
   * @returns the state with owners
   */
  update(live: ApiObject | undefined, updated: ApiObject, manager: string): Promise<ApiObject>;
  /**
   * Merges the fields that a manager applies.
   *
   * @param live - the present state; undefined if the object doesn't exist
   * @param applied - what the manager applies
   * @param manager - who applies
   * @param force - true to take fields from other managers
   * @returns the merged state with owners
   * @throws StatusError (409) if other managers own changed fields, without force
   */
  apply(live: ApiObject | undefined, applied: ApiObject, manager: string, force: boolean): Promise<ApiObject>;
}
