import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import type { Client, Stored } from "../../client/client.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { Manager } from "../../manager/manager.ts";
import type { SimulateOptions } from "../options/options.ts";
import type { Finding, SimulationReport } from "../report/finding.ts";
import { key, Shop, shop, shopCrd } from "../shop.fixture.ts";
import { SimulationError, simulate } from "../simulate.ts";

/** The work of an operator for a shop that isn't being deleted. */
export type Reconcile = (shop: Stored<Shop>, client: Client, mgr: Manager) => Promise<unknown>;

/** An operator with one controller, without checks of its status. */
export function operatorOf(
  reconcile: Reconcile,
  owns: readonly Kind[] = [],
  options: { needLeaderElection?: boolean; onDeletion?: Reconcile } = {},
): SimulateOptions["operator"] {
  return async (mgr) => {
    const { onDeletion, needLeaderElection = true } = options;
    const builder = newControllerManagedBy(mgr).for(Shop).withOptions({ needLeaderElection });
    for (const kind of owns) builder.owns(kind);
    await builder.complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(mgr.client.get(Shop, request));
        if (!shop) return {};
        if (shop.metadata.deletionTimestamp) await onDeletion?.(shop, mgr.client, mgr);
        else await reconcile(shop, mgr.client, mgr);
        return {};
      },
    });
  };
}

/** Creates a child, or sets the parts of it that the operator wants. */
export async function sync(client: Client, owner: Stored<Shop>, kind: Kind, wanted: object): Promise<void> {
  const { metadata, ...content } = wanted as KubernetesObject & Record<string, unknown>;
  const key = { namespace: "default", name: metadata?.name ?? "" };
  const stored = (await ignoreNotFound(client.get(kind, key))) as
    | (KubernetesObject & Record<string, unknown>)
    | undefined;
  if (!stored) {
    const { apiVersion, kind: name } = kind;
    const created = { ...content, apiVersion, kind: name, metadata: { ...metadata, namespace: "default" } };
    setControllerReference(owner, created as KubernetesObject);
    await client.create(created as KubernetesObject);
    return;
  }
  const next = merged(stored, { ...content, metadata: { labels: metadata?.labels ?? {} } });
  if (JSON.stringify(next) !== JSON.stringify(stored)) await client.update(next as never);
}

/** Sets the fields of one value in another one. Items of lists are merged in their order. */
function merged(stored: unknown, wanted: unknown): unknown {
  if (typeof wanted !== "object" || wanted === null || typeof stored !== "object" || stored === null) return wanted;
  if (Array.isArray(wanted)) return wanted.map((item, index) => merged((stored as unknown[])[index], item));
  const result: Record<string, unknown> = { ...(stored as object) };
  for (const [key, value] of Object.entries(wanted)) result[key] = merged(result[key], value);
  return result;
}

/** The template of Pods with one container. */
export function podTemplate(image = "nginx:1.29", labels: Record<string, string> = {}): object {
  return {
    metadata: { labels: { app: "a", ...labels } },
    spec: { containers: [{ name: "main", image }] },
  };
}

/** The options of a simulation that upgrades an operator whose CRD stays the same. */
export function upgradeOf(
  old: SimulateOptions["operator"],
  next: SimulateOptions["operator"],
  more: Partial<SimulateOptions> = {},
): SimulateOptions {
  return {
    ...{ crds: [shopCrd], kstatus: false, operator: next, scenario: shortScenario, seed: 0 },
    ...{ from: { name: "v1", operator: old }, upgrade: { variations: ["replace"] } },
    ...more,
  };
}

/** Creates and deletes a shop. */
const shortScenario: SimulateOptions["scenario"] = async (world) => {
  await world.client.create(shop());
  await world.settled();
  await world.client.delete(Shop, key);
};

/** Runs a simulation. Returns its finding, or the report. */
export async function found(options: SimulateOptions): Promise<Finding | undefined> {
  const result: unknown = await simulate(options).catch((error: unknown) => error);
  if (result instanceof SimulationError) return result.finding;
  if (result instanceof Error) throw result;
  return (result as SimulationReport).findings[0];
}
