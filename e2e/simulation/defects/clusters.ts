import {
  asReconciler,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap, Namespace, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, key, life, Member, Tenant, tenant } from "../tenants.ts";

/** Defects of operators with kinds of the cluster, several controllers, and shared settings. */
export const clusters: readonly Case[] = [
  {
    name: "namespace without an owner",
    why: "nothing deletes the namespace of a deleted tenant",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Tenant)
          .owns(Namespace)
          .complete(
            asReconciler(mgr.client, Tenant, {
              reconcile: async (_ctx, owner) => {
                if (owner.metadata.deletionTimestamp) return;
                if (await ignoreNotFound(mgr.client.get(Namespace, { name: `tenant-${owner.metadata.name}` }))) return;
                const wanted: Namespace = {
                  apiVersion: "v1",
                  kind: "Namespace",
                  metadata: { name: `tenant-${owner.metadata.name}` },
                };
                if (!isDefective) setControllerReference(owner, wanted);
                await mgr.client.create(wanted);
              },
            }),
          );
      },
    }),
  },
  {
    name: "status of a child's older generation",
    why: "the member is done with its previous spec, not with the present one",
    simulation: (isDefective) => {
      const place = { namespace: "default", name: "red" };
      return {
        crds,
        faults: ["stale", "crash", "watch", "time", "errors", "lost"],
        scenario: life,
        invariants: [
          always("a tenant is served as its owner wants", (world) => {
            const phase = world.object(Tenant, key)?.status?.phase;
            const data = world.object(ConfigMap, place)?.data?.owner;
            return (
              !phase || !world.object(Member, place) || data === undefined || phase !== "ann->bob" || data === "bob"
            );
          }),
        ],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Tenant)
            .owns(Member)
            .complete(
              asReconciler(mgr.client, Tenant, {
                reconcile: async (_ctx, owner) => {
                  if (owner.metadata.deletionTimestamp) return;
                  const stored = await ignoreNotFound(mgr.client.get(Member, place));
                  const wanted: Member = {
                    apiVersion: "tenants.test/v1",
                    kind: "Member",
                    metadata: { ...place },
                    spec: { owner: owner.spec.owner },
                  };
                  setControllerReference(owner, wanted);
                  const isOwn = stored?.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
                  if (stored && !isOwn) throw new Error("the member of a predecessor is being deleted");
                  let member = stored ?? (await mgr.client.create(wanted));
                  if (member.spec.owner !== owner.spec.owner)
                    member = await mgr.client.update({ ...member, spec: wanted.spec });
                  const isCurrent = isDefective || member.status?.observedGeneration === member.metadata.generation;
                  const phase =
                    member.status?.done && isCurrent ? (owner.spec.owner === "bob" ? "ann->bob" : "ann") : "";
                  if ((owner.status?.phase ?? "") === phase) return;
                  await mgr.client.status.update({ ...owner, status: { phase } });
                },
              }),
            );
          await newControllerManagedBy(mgr)
            .for(Member)
            .owns(ConfigMap)
            .complete(
              asReconciler(mgr.client, Member, {
                reconcile: async (_ctx, member) => {
                  if (member.metadata.deletionTimestamp) return;
                  const configMap = await ignoreNotFound(mgr.client.get(ConfigMap, place));
                  const wanted: ConfigMap = {
                    apiVersion: "v1",
                    kind: "ConfigMap",
                    metadata: { ...place },
                    data: { owner: member.spec.owner },
                  };
                  setControllerReference(member, wanted);
                  const isOwn = configMap?.metadata.ownerReferences?.some(({ uid }) => uid === member.metadata.uid);
                  if (configMap && !isOwn) throw new Error("the ConfigMap of a predecessor is being deleted");
                  if (!configMap) await mgr.client.create(wanted);
                  else if (configMap.data?.owner !== member.spec.owner)
                    await mgr.client.update({ ...configMap, data: { owner: member.spec.owner } });
                  const status = { done: true, observedGeneration: member.metadata.generation ?? 0 };
                  if (member.status?.observedGeneration !== status.observedGeneration)
                    await mgr.client.status.update({ ...member, status });
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "one field owner for two controllers",
    why: "with server-side apply, each controller removes the fields of the other one",
    simulation: (isDefective) => {
      const place = { namespace: "default", name: "red" };
      return {
        crds,
        scenario: life,
        operator: async (mgr) => {
          for (const name of ["owner", "quota"] as const) {
            await newControllerManagedBy(mgr)
              .for(Tenant)
              .owns(ConfigMap)
              .named(name)
              .complete(
                asReconciler(mgr.client, Tenant, {
                  reconcile: async (_ctx, owner) => {
                    if (owner.metadata.deletionTimestamp) return;
                    const { apiVersion, kind, metadata } = owner;
                    const reference = {
                      apiVersion,
                      kind,
                      name: metadata.name,
                      uid: metadata.uid,
                      controller: true,
                    } as const;
                    const fieldOwner = isDefective ? "tenant-operator" : name;
                    await mgr.client.apply<ConfigMap>(
                      {
                        apiVersion: "v1",
                        kind: "ConfigMap",
                        metadata: { ...place, ownerReferences: [reference] },
                        data: { [name]: owner.spec[name] ?? "" },
                      },
                      { fieldOwner, force: true },
                    );
                  },
                }),
              );
          }
        },
      };
    },
  },
  {
    name: "controller that runs on each replica",
    why: "it doesn't wait for the lease, so two processes write",
    simulation: (isDefective) => ({
      crds,
      replicas: 2,
      scenario: life,
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Tenant)
          .withOptions({ needLeaderElection: !isDefective })
          .complete(
            asReconciler(mgr.client, Tenant, {
              reconcile: async (_ctx, owner: Stored<Tenant>) => {
                if (owner.metadata.deletionTimestamp || owner.status?.account === owner.spec.owner) return;
                await mgr.client.status.update({ ...owner, status: { account: owner.spec.owner } });
              },
            }),
          );
      },
    }),
  },
  {
    name: "settings that are read once",
    why: "the operator ignores later changes of the shared settings",
    simulation: (isDefective) => {
      const settings = { namespace: "default", name: "settings" };
      const place = { namespace: "default", name: "red" };
      return {
        crds,
        faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas"],
        objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: settings, data: { region: "eu" } } as ConfigMap],
        scenario: async (world) => {
          await world.client.create(tenant());
          await world.settled();
          await world.client.patch(ConfigMap, settings, { data: { region: "us" } });
          await world.settled();
          await world.client.delete(Tenant, key);
        },
        invariants: [
          eventually("the tenant is in the region of the settings", (world) => {
            const region = world.object(ConfigMap, settings)?.data?.region;
            return !world.object(Tenant, key) || world.object(Secret, place)?.metadata.labels?.region === region;
          }),
        ],
        operator: async (mgr) => {
          const all = enqueueRequestsFromMapFunc(async (_ctx, { metadata }) => {
            if (metadata?.name !== settings.name) return [];
            const { items } = await mgr.client.list(Tenant);
            return items.map((one) => ({ name: one.metadata.name, namespace: "" }));
          });
          const builder = newControllerManagedBy(mgr).for(Tenant).owns(Secret);
          if (!isDefective) builder.watches(ConfigMap, all);
          await builder.complete(
            asReconciler(mgr.client, Tenant, {
              reconcile: async (_ctx, owner) => {
                if (owner.metadata.deletionTimestamp) return;
                const region = (await mgr.client.get(ConfigMap, settings)).data?.region ?? "";
                const secret = await ignoreNotFound(mgr.client.get(Secret, place));
                const wanted: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...place, labels: { region } } };
                setControllerReference(owner, wanted);
                if (!secret) return void (await mgr.client.create(wanted));
                if (secret.metadata.labels?.region === region) return;
                await mgr.client.update({ ...secret, metadata: { ...secret.metadata, labels: { region } } });
              },
            }),
          );
        },
      };
    },
  },
];
