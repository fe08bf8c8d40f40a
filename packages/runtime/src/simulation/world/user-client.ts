import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { Client, ObjectKey, Stored, WriteOptions } from "../../client/client.ts";
import { type Patch, rawPatch } from "../../client/patch.ts";
import { isKind } from "../../client/resource.ts";
import { DelegatingClient } from "../../client/wrappers/delegate.ts";

/** Changes objects by name, as `kubectl patch` does. */
export interface PatchByName {
  /**
   * Changes an object by a merge patch.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param change - the fields to change; `null` removes a field
   * @param options - options of the write
   * @returns the stored object
   * @throws ApiError if the server rejects the write
   */
  patch<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    change: object,
    options?: WriteOptions,
  ): Promise<Stored<T>>;
}

/** The client of a user: all methods of a {@link Client}, and patches by name. */
export type UserClient = Client & PatchByName;

class PatchingClient extends DelegatingClient {
  override patch<T extends KubernetesObject>(
    subject: T | Kind<T>,
    how: Patch | ObjectKey,
    last?: object,
    options?: WriteOptions,
  ): Promise<Stored<T>> {
    if (!isKind(subject as Kind)) return this.inner.patch(subject as T, how as Patch, last as WriteOptions);
    const { apiVersion, kind } = subject as Kind<T>;
    const object = { apiVersion, kind, metadata: { ...(how as ObjectKey) } } as T;
    return this.inner.patch(object, rawPatch("application/merge-patch+json", last as object), options);
  }
}

/** Adds patches by name to a client. */
export function userClient(client: Client): UserClient {
  return new PatchingClient(client) as unknown as UserClient;
}
