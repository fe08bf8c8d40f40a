import {
  type Client,
  type Context,
  groupVersion,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  type Request,
  type Result,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import type { SimulateOptions, World } from "@kubewright/runtime/simulation";

/** The custom resource of all operators. */
export interface Shop extends KubernetesObject {
  spec: { size?: number; text?: string; port?: number };
  status?: {
    phase?: string;
    ready?: boolean;
    bucket?: string;
    port?: number;
    count?: number;
    volume?: string;
    checked?: string;
    observedGeneration?: number;
    conditions?: { type: string; status: string; observedGeneration?: number }[];
  };
}

export const Shop: Kind<Shop> = groupVersion("simulation.test", "v1").kind<Shop>("Shop");

/** Defines a kind whose schema allows all fields. */
export function definition(
  group: string,
  kind: string,
  plural: string,
  scope: "Namespaced" | "Cluster" = "Namespaced",
): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      scope,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
}

export const crd: object = definition("simulation.test", "Shop", "shops");

/** A small operator with one defect, and its corrected twin. */
export interface Case {
  /** Name of the defect. */
  name: string;
  /** Reason why the defect matters. */
  why: string;
  /** The options. Without `crds`, the only custom resource is the Shop. */
  simulation(isDefective: boolean): SimulateOptions;
}

/** Returns the options of a case. */
export function optionsOf({ simulation }: Case, isDefective: boolean): SimulateOptions {
  // The states that tools compute have cases of their own.
  return { crds: [crd], kstatus: false, ...simulation(isDefective) };
}

export const key = { namespace: "default", name: "a" };
export const other = { namespace: "default", name: "ab" };
export const finalizer = "simulation.test/cleanup";

export function shop(name = "a", spec: Shop["spec"] = { size: 1, text: "one" }): Shop {
  return { apiVersion: "simulation.test/v1", kind: "Shop", metadata: { namespace: "default", name }, spec };
}

/** Creates, changes and deletes a shop. */
export async function lifeOfShop(world: World): Promise<void> {
  await world.client.create(shop());
  await world.settled();
  await world.client.patch(Shop, key, { spec: { size: 3, text: "two" } });
  await world.settled();
  await world.client.delete(Shop, key);
}

export type Reconcile = (shop: Stored<Shop>, client: Client, ctx: Context, mgr: Manager) => Promise<unknown>;

/** Options of {@link operator}. */
export interface OperatorOptions {
  owns?: readonly Kind[];
  /** Called for a shop that doesn't exist. */
  missing?: (request: Request, client: Client) => Promise<void>;
}

/** Creates an operator with one controller. `create` is called for each start of the process. */
export function operator(create: () => Reconcile, options: OperatorOptions = {}): SimulateOptions["operator"] {
  return async (mgr) => {
    const reconcile = create();
    const builder = newControllerManagedBy(mgr).for(Shop);
    for (const kind of options.owns ?? []) builder.owns(kind);
    await builder.complete({
      async reconcile(ctx, request) {
        const shop = await ignoreNotFound(mgr.client.get(Shop, request));
        if (!shop) {
          await options.missing?.(request, mgr.client);
          return {};
        }
        return ((await reconcile(shop, mgr.client, ctx, mgr)) ?? {}) as Result;
      },
    });
  };
}

/** Whether an object belongs to a shop. */
export function isOwnedBy({ metadata }: KubernetesObject, owner: Stored<Shop>): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

/** The ConfigMap of a shop. */
export function child(owner: Stored<Shop>, name: string = owner.metadata.name): ConfigMap {
  const object: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name },
    data: { text: owner.spec.text ?? "" },
  };
  setControllerReference(owner, object);
  return object;
}

/** Creates the ConfigMap, or brings it up to date. */
export async function syncChild(owner: Stored<Shop>, client: Client, name?: string): Promise<Stored<ConfigMap>> {
  const wanted = child(owner, name);
  const stored = await ignoreNotFound(
    client.get(ConfigMap, { namespace: "default", name: wanted.metadata?.name ?? "" }),
  );
  if (!stored) return client.create(wanted);
  const isOwned = stored.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
  if (isOwned && stored.data?.text === wanted.data?.text) return stored;
  const { ownerReferences } = wanted.metadata ?? {};
  return client.update({ ...stored, metadata: { ...stored.metadata, ownerReferences }, data: wanted.data });
}

/** Adds the finalizer. */
export async function addFinalizer(owner: Stored<Shop>, client: Client): Promise<Stored<Shop>> {
  const { finalizers = [] } = owner.metadata;
  if (finalizers.includes(finalizer)) return owner;
  return client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [...finalizers, finalizer] } });
}

/** Removes the finalizer. */
export async function removeFinalizer(owner: Stored<Shop>, client: Client): Promise<void> {
  const { finalizers = [] } = owner.metadata;
  if (!finalizers.includes(finalizer)) return;
  const left = finalizers.filter((name) => name !== finalizer);
  await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: left } });
}

/** Sets the status if it differs. */
export async function setStatus(owner: Stored<Shop>, client: Client, status: Shop["status"]): Promise<void> {
  if (JSON.stringify(owner.status) === JSON.stringify(status)) return;
  await client.status.update({ ...owner, status });
}

/** A cloud with buckets. Each has an id. */
export class Cloud {
  readonly buckets = new Map<string, string>();
  #ids = 0;

  async create(name: string): Promise<string> {
    const id = this.buckets.get(name) ?? `${name}-${++this.#ids}`;
    this.buckets.set(name, id);
    return id;
  }

  async remove(name: string): Promise<void> {
    this.buckets.delete(name);
  }

  /** Fails for a bucket that doesn't exist, as many providers do. */
  async removeExisting(name: string): Promise<void> {
    if (!this.buckets.delete(name)) throw new Error(`no bucket ${name}`);
  }
}

/** Whether each bucket belongs to a shop. */
export function noLeaks(world: World): boolean {
  const { buckets } = world.external as Cloud;
  return [...buckets.keys()].every((name) => world.list(Shop).some(({ metadata }) => name.startsWith(metadata.name)));
}
