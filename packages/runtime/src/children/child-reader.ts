import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Client, ObjectKey, Reader, Stored } from "../client/client.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import { ignoreNotFound, isNotFound } from "../errors/predicates.ts";
import { partOfLabel } from "./names.ts";
import type { OwnerSet } from "./owner-set.ts";

/** Reads the children of an owner. */
export interface ChildReader {
  /** Reads from the server. */
  readonly live: Reader;
  /**
   * Returns the objects of a kind that an owner controls.
   *
   * @returns the objects; `undefined` if the kind isn't installed
   */
  owned(kind: Kind, set: OwnerSet): Promise<readonly Stored<KubernetesObject>[] | undefined>;
  /** Returns an object of any owner. */
  get(kind: Kind, key: ObjectKey): Promise<Stored<KubernetesObject> | undefined>;
}

/** Reads with a client, which has no index. */
export class ClientReader implements ChildReader {
  readonly live: Client;

  constructor(client: Client) {
    this.live = client;
  }

  async owned(kind: Kind, set: OwnerSet): Promise<readonly Stored<KubernetesObject>[] | undefined> {
    const lists = await installed(
      Promise.all([
        this.live.list(kind, { ...(set.namespace === "" ? {} : { namespace: set.namespace }), shared: true }),
        set.namespace === "" ? undefined : this.live.list(kind, { labels: { [partOfLabel]: set.id }, shared: true }),
      ]),
    );
    if (lists === undefined) return undefined;
    const objects = lists.flatMap((list) => list?.items ?? []).filter((object) => set.controls(object));
    return [...new Map(objects.map((object) => [object.metadata.uid, object])).values()];
  }

  get(kind: Kind, key: ObjectKey): Promise<Stored<KubernetesObject> | undefined> {
    return ignoreNotFound(this.live.get(kind, key, { shared: true }));
  }
}

/** Resolves to `undefined` if a list fails because its kind isn't installed. */
export async function installed<T>(list: Promise<T>): Promise<T | undefined> {
  try {
    return await list;
  } catch (error) {
    if (isNoMatch(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
