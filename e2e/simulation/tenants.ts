import { groupVersion, type Kind, type KubernetesObject, type ObjectKey } from "@kubewright/runtime";
import type { World } from "@kubewright/runtime/simulation";
import { definition } from "./lib.ts";

/** A custom resource of the cluster. */
export interface Tenant extends KubernetesObject {
  spec: { owner: string; quota?: string };
  status?: { ready?: number; account?: string; phase?: string };
}

/** A custom resource that another controller manages. */
export interface Member extends KubernetesObject {
  spec: { owner: string };
  status?: { done?: boolean; observedGeneration?: number };
}

const version = groupVersion("tenants.test", "v1");
export const Tenant: Kind<Tenant> = version.kind<Tenant>("Tenant", { scope: "Cluster" });
export const Member: Kind<Member> = version.kind<Member>("Member");
export const crds: object[] = [
  definition("tenants.test", "Tenant", "tenants", "Cluster"),
  definition("tenants.test", "Member", "members"),
];
export const key: ObjectKey = { name: "red" };
export const finalizer = "tenants.test/account";

export function tenant(name = "red", owner = "ann"): Tenant {
  return { apiVersion: "tenants.test/v1", kind: "Tenant", metadata: { name }, spec: { owner, quota: "1" } };
}

/** A tenant is created, changed and deleted. */
export async function life(world: World): Promise<void> {
  await world.client.create(tenant());
  await world.settled();
  await world.client.patch(Tenant, key, { spec: { owner: "bob", quota: "2" } });
  await world.settled();
  await world.client.delete(Tenant, key);
  await world.settled();
}
