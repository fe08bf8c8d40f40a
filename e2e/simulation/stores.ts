import {
  asReconciler,
  enqueueRequestsFromMapFunc,
  groupVersion,
  type Kind,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  type Result,
  type Stored,
} from "@kubewright/runtime";
import type { World } from "@kubewright/runtime/simulation";
import { definition } from "./lib.ts";

/** A database cluster. */
export interface Store extends KubernetesObject {
  spec: {
    members: number;
    image?: string;
    exposed?: boolean;
    autoscaled?: boolean;
    users?: string[];
  };
  status?: {
    phase?: string;
    primary?: string;
    users?: string[];
    removing?: number;
    members?: number;
    conditions?: { type: string; status: string; reason: string }[];
  };
}

export const Store: Kind<Store> = groupVersion("stores.test", "v1").kind<Store>("Store");
export const crds: object[] = [definition("stores.test", "Store", "stores")];
export const namespace = "default";
export const key = { namespace, name: "main" };

export function store(spec: Store["spec"], metadata: KubernetesObject["metadata"] = {}): Store {
  return { apiVersion: "stores.test/v1", kind: "Store", metadata: { ...key, ...metadata }, spec };
}

/** Creates a store, changes it step by step, and deletes it. */
export function lifeOf(first: Store, ...changes: object[]): (world: World) => Promise<void> {
  return async ({ client, settled }) => {
    await client.create(structuredClone(first));
    await settled();
    for (const change of changes) {
      await client.patch(Store, key, change);
      await settled();
    }
    await client.delete(Store, key);
    await settled();
  };
}

type Reconcile = (store: Stored<Store>) => Promise<Result | undefined> | Promise<void>;

/** The kinds of children: those with an owner, and those that only the label `store` assigns to it. */
export interface Children {
  owned?: readonly Kind[];
  labeled?: readonly Kind[];
}

/** Runs a reconciler of stores, also of those that are being deleted. */
export async function manage(
  mgr: Manager,
  { owned = [], labeled = [] }: Children,
  reconcile: Reconcile,
): Promise<void> {
  const builder = newControllerManagedBy(mgr).for(Store);
  for (const kind of owned) builder.owns(kind);
  const toStore = enqueueRequestsFromMapFunc((_ctx, { metadata }) => {
    const name = metadata?.labels?.store;
    return name === undefined ? [] : [{ namespace, name }];
  });
  for (const kind of labeled) builder.watches(kind, toStore);
  await builder.complete(
    asReconciler(mgr.client, Store, { reconcile: async (_ctx, store) => (await reconcile(store)) ?? {} }),
  );
}

export function isDeleted({ metadata }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
