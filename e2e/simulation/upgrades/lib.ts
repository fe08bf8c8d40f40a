import {
  type Client,
  groupVersion,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import type { SimulateOptions, World } from "@kubewright/runtime/simulation";
import { crd, key, Shop, shop } from "../lib.ts";

export { crd, definition, finalizer, key, Shop, shop } from "../lib.ts";

/** An operator and a new version with one defect, and the corrected version. */
export interface Pair {
  /** Name of the defect. */
  name: string;
  /** The class in the documentation. */
  class: string;
  /** The rules that can find it. */
  rules: readonly string[];
  /** The options. Without `crds`, the only custom resource is the Shop. */
  simulation(isDefective: boolean): Pick<SimulateOptions, "operator" | "from"> & Partial<SimulateOptions>;
}

/** Returns the options of a pair. */
export function optionsOf({ simulation }: Pair, isDefective: boolean): SimulateOptions {
  // The states that tools compute have cases of their own.
  return { crds: [crd], kstatus: false, scenario: lifeOfShop, ...simulation(isDefective) };
}

/** Creates, changes and deletes a shop. */
export async function lifeOfShop(world: World): Promise<void> {
  await world.client.create(shop());
  await world.settled();
  await world.client.patch(Shop, key, { spec: { size: 2, text: "two" } });
  await world.settled();
  await world.client.delete(Shop, key);
}

/** The Shop in its second version. */
export const ShopV2: Kind<Shop> = groupVersion("simulation.test", "v2").kind<Shop>("Shop");

export type Reconcile = (shop: Stored<Shop>, client: Client, mgr: Manager) => Promise<unknown>;
export type Operator = SimulateOptions["operator"];

/** Options of {@link operator}. */
export interface OperatorOptions {
  owns?: readonly Kind[];
  /** Called for a shop that is being deleted. */
  deleted?: Reconcile;
  needLeaderElection?: boolean;
}

/** Creates an operator with one controller. */
export function operator(reconcile: Reconcile, options: OperatorOptions = {}): Operator {
  const { owns = [], deleted, needLeaderElection = true } = options;
  return async (mgr) => {
    const builder = newControllerManagedBy(mgr).for(Shop).withOptions({ needLeaderElection });
    for (const kind of owns) builder.owns(kind);
    await builder.complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(mgr.client.get(Shop, request));
        if (!shop) return {};
        if (shop.metadata.deletionTimestamp) await deleted?.(shop, mgr.client, mgr);
        else await reconcile(shop, mgr.client, mgr);
        return {};
      },
    });
  };
}

type Fields = Record<string, unknown>;

/** Reads a child. */
export function childOf<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  name: string,
): Promise<Stored<T> | undefined> {
  return ignoreNotFound(client.get(kind, { namespace: "default", name }));
}

/** Deletes a child that may not exist. */
export async function remove(client: Client, kind: Kind, name: string): Promise<void> {
  const stored = await childOf(client, kind, name);
  if (stored && !stored.metadata.deletionTimestamp) await ignoreNotFound(client.delete(stored));
}

/** Creates a child, or sets the fields that the operator wants. */
export async function sync(client: Client, owner: Stored<Shop>, kind: Kind, wanted: object): Promise<void> {
  const { metadata = {}, ...content } = wanted as { metadata?: KubernetesObject["metadata"] } & Fields;
  const stored = (await childOf(client, kind, metadata.name ?? "")) as (KubernetesObject & Fields) | undefined;
  if (!stored) {
    const { apiVersion, kind: name } = kind;
    const created: KubernetesObject = {
      ...content,
      apiVersion,
      kind: name,
      metadata: { ...metadata, namespace: "default" },
    };
    setControllerReference(owner, created);
    await client.create(created);
    return;
  }
  const next = { ...(merged(stored, content) as KubernetesObject), metadata: { ...stored.metadata } };
  if (metadata.labels) next.metadata.labels = { ...stored.metadata?.labels, ...metadata.labels };
  if (metadata.annotations) next.metadata.annotations = { ...stored.metadata?.annotations, ...metadata.annotations };
  setControllerReference(owner, next);
  if (JSON.stringify(next) !== JSON.stringify(stored)) await client.update(next as Stored<KubernetesObject>);
}

/** Sets the fields of one value in another one. Items of lists are merged in their order. */
function merged(stored: unknown, wanted: unknown): unknown {
  if (typeof wanted !== "object" || wanted === null || typeof stored !== "object" || stored === null) return wanted;
  if (Array.isArray(wanted)) return wanted.map((item, index) => merged((stored as unknown[])[index], item));
  const result: Fields = { ...(stored as Fields) };
  for (const [name, value] of Object.entries(wanted)) result[name] = merged(result[name], value);
  return result;
}

/** Sets the status if it differs. */
export async function setStatus(owner: Stored<Shop>, client: Client, status: object): Promise<void> {
  if (JSON.stringify(owner.status) !== JSON.stringify(status)) await client.status.update({ ...owner, status });
}

export const selector = { matchLabels: { app: "a" } };

/** A template of Pods with one container. */
export function template(container: object = {}, labels: Record<string, string> = {}): object {
  return {
    metadata: { labels: { app: "a", ...labels } },
    spec: { containers: [{ name: "main", image: "nginx:1.29", ...container }] },
  };
}

/** A definition of the Shop. The last version is stored. */
export function versionsOf(versions: Record<string, { schema: object; served?: boolean }>, storage?: string): object {
  const names = Object.keys(versions);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "shops.simulation.test" },
    spec: {
      group: "simulation.test",
      names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
      scope: "Namespaced",
      versions: Object.entries(versions).map(([name, { schema, served = true }]) => ({
        ...{ name, served, storage: name === (storage ?? names.at(-1)), subresources: { status: {} } },
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

/** A schema of the Shop with fields in its spec and its status. */
export function schemaOf(spec: object, status: object = {}, required: readonly string[] = []): object {
  return {
    type: "object",
    properties: {
      spec: { type: "object", properties: spec },
      status: { type: "object", properties: status, ...(required.length > 0 ? { required } : {}) },
    },
  };
}

export const text = { type: "string" };
export const integer = { type: "integer" };
export const usualSpec = { size: integer, text };
