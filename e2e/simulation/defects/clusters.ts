import {
  addFinalizer,
  asReconciler,
  containsFinalizer,
  enqueueRequestsFromMapFunc,
  groupVersion,
  ignoreNotFound,
  jsonPatch,
  type Kind,
  type KubernetesObject,
  mergeFrom,
  newControllerManagedBy,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap, Namespace, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface Tenant extends KubernetesObject {
  spec: { owner: string; quota?: string };
  status?: { ready?: number; account?: string; phase?: string };
}

interface Member extends KubernetesObject {
  spec: { owner: string };
  status?: { done?: boolean; observedGeneration?: number };
}

const version = groupVersion("tenants.test", "v1");
/** A kind without a namespace. */
const Tenant: Kind<Tenant> = version.kind<Tenant>("Tenant", { scope: "Cluster" });
const Member: Kind<Member> = version.kind<Member>("Member");
const crds = [
  definition("tenants.test", "Tenant", "tenants", "Cluster"),
  definition("tenants.test", "Member", "members"),
];
const key = { name: "red" };
const finalizer = "tenants.test/account";

function tenant(name = "red", owner = "ann"): Tenant {
  return { apiVersion: "tenants.test/v1", kind: "Tenant", metadata: { name }, spec: { owner, quota: "1" } };
}

async function life(world: World): Promise<void> {
  await world.client.create(tenant());
  await world.settled();
  await world.client.patch(Tenant, key, { spec: { owner: "bob", quota: "2" } });
  await world.settled();
  await world.client.delete(Tenant, key);
  await world.settled();
}

/** A directory of accounts, as the API of a provider. */
class Accounts {
  readonly accounts = new Map<string, { owner: string; password: string }>();
  readonly payments: string[] = [];

  async find(name: string): Promise<{ owner: string; password: string } | undefined> {
    return this.accounts.get(name);
  }

  async put(name: string, owner: string, password = ""): Promise<void> {
    this.accounts.set(name, { owner, password });
  }

  async remove(name: string): Promise<void> {
    this.accounts.delete(name);
  }

  async pay(name: string): Promise<void> {
    this.payments.push(name);
  }

  async payOnce(name: string): Promise<void> {
    if (!this.payments.includes(name)) this.payments.push(name);
  }
}

/** Defects of operators with kinds of the cluster, several controllers, and APIs of providers. */
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
    name: "finalizer removed by its index",
    why: "another finalizer has taken its place, and the wrong one is removed",
    simulation: (isDefective) => {
      const accounts = new Accounts();
      let isHeld = false;
      return {
        crds,
        external: accounts as never,
        faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict"],
        scenario: async (world) => {
          isHeld = false;
          await world.client.create(tenant());
          await world.settled();
          await world.client.patch(Tenant, key, { metadata: { finalizers: [finalizer, "example.com/backup"] } });
          isHeld = true;
          await world.client.delete(Tenant, key);
          await world.settled();
          isHeld = false;
          await world.client.patch(Tenant, key, { metadata: { finalizers: null } });
          await world.settled();
        },
        invariants: [
          eventually("no account without its tenant", (world) => accounts.accounts.size <= world.list(Tenant).length),
          always("the backup ends before the tenant is gone", (world) => {
            return !isHeld || world.object(Tenant, key) !== undefined;
          }),
        ],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Tenant)
            .complete(
              asReconciler(mgr.client, Tenant, {
                reconcile: async (_ctx, owner) => {
                  const { finalizers = [], deletionTimestamp, name } = owner.metadata;
                  const index = finalizers.indexOf(finalizer);
                  const path = `/metadata/finalizers/${index}`;
                  if (deletionTimestamp) {
                    if (index < 0) return;
                    await accounts.remove(name);
                    const test = isDefective ? [] : [{ op: "test" as const, path, value: finalizer }];
                    await mgr.client.patch(owner, jsonPatch([...test, { op: "remove", path }]));
                    return;
                  }
                  if (index < 0) {
                    const before = structuredClone(owner);
                    addFinalizer(owner, finalizer);
                    await mgr.client.patch(owner, mergeFrom(before, { optimisticLock: true }));
                  }
                  await accounts.put(name, owner.spec.owner);
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "payment without an idempotency key",
    why: "a crash after the payment repeats it",
    simulation: (isDefective) => {
      const accounts = new Accounts();
      return {
        crds,
        external: accounts as never,
        scenario: life,
        invariants: [
          always("each tenant pays once", () => new Set(accounts.payments).size === accounts.payments.length),
        ],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Tenant)
            .complete(
              asReconciler(mgr.client, Tenant, {
                reconcile: async (_ctx, owner) => {
                  if (owner.metadata.deletionTimestamp || owner.status?.phase === "Paid") return;
                  if (isDefective) await accounts.pay(owner.metadata.uid);
                  else await accounts.payOnce(owner.metadata.uid);
                  const before = structuredClone(owner);
                  owner.status = { phase: "Paid" };
                  await mgr.client.status.patch(owner, mergeFrom(before));
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "password set before its Secret",
    why: "after a crash, the Secret contains another password than the account",
    simulation: (isDefective) => {
      const accounts = new Accounts();
      const place = { namespace: "default", name: "red-password" };
      return {
        crds,
        external: accounts as never,
        scenario: life,
        invariants: [
          eventually("the Secret has the password of the account", (world) => {
            const secret = world.object(Secret, place);
            if (!world.object(Tenant, key) || !secret) return true;
            return (
              secret.stringData?.password === undefined &&
              Buffer.from(secret.data?.password ?? "", "base64").toString() === accounts.accounts.get("red")?.password
            );
          }),
        ],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Tenant)
            .owns(Secret)
            .complete(
              asReconciler(mgr.client, Tenant, {
                reconcile: async (_ctx, owner) => {
                  if (owner.metadata.deletionTimestamp) return;
                  const found = await ignoreNotFound(mgr.client.get(Secret, place));
                  const password = found
                    ? Buffer.from(found.data?.password ?? "", "base64").toString()
                    : Math.random().toString(36);
                  const wanted: Secret = {
                    apiVersion: "v1",
                    kind: "Secret",
                    metadata: { ...place },
                    stringData: { password },
                  };
                  setControllerReference(owner, wanted);
                  if (isDefective) {
                    if (found) return;
                    const known = await accounts.find(owner.metadata.name);
                    if (!known) await accounts.put(owner.metadata.name, owner.spec.owner, password);
                    await mgr.client.create(wanted);
                    return;
                  }
                  if (!found) await mgr.client.create(wanted);
                  await accounts.put(owner.metadata.name, owner.spec.owner, password);
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "account of another tenant removed",
    why: "two tenants have the same owner, and the cleanup looks for its name",
    simulation: (isDefective) => {
      const accounts = new Accounts();
      return {
        crds,
        external: accounts as never,
        scenario: async (world) => {
          await world.client.create(tenant("red", "ann"));
          await world.client.create(tenant("blue", "ann"));
          await world.settled();
          await world.client.delete(Tenant, key);
          await world.settled();
          await world.client.delete(Tenant, { name: "blue" });
        },
        invariants: [
          eventually("each tenant has its account", (world) =>
            world.list(Tenant).every(({ metadata }) => accounts.accounts.has(metadata.name)),
          ),
          eventually("no account without its tenant", (world) => accounts.accounts.size <= world.list(Tenant).length),
        ],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Tenant)
            .complete(
              asReconciler(mgr.client, Tenant, {
                reconcile: async (_ctx, owner) => {
                  const { name, deletionTimestamp } = owner.metadata;
                  if (deletionTimestamp) {
                    if (!containsFinalizer(owner, finalizer)) return;
                    for (const [account, { owner: of }] of [...accounts.accounts])
                      if (isDefective ? of === owner.spec.owner : account === name) await accounts.remove(account);
                    removeFinalizer(owner, finalizer);
                    await mgr.client.update(owner);
                    return;
                  }
                  if (addFinalizer(owner, finalizer)) await mgr.client.update(owner);
                  await accounts.put(name, owner.spec.owner);
                },
              }),
            );
        },
      };
    },
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
                  const found = await ignoreNotFound(mgr.client.get(Member, place));
                  const wanted: Member = {
                    apiVersion: "tenants.test/v1",
                    kind: "Member",
                    metadata: { ...place },
                    spec: { owner: owner.spec.owner },
                  };
                  setControllerReference(owner, wanted);
                  const isOwn = found?.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
                  if (found && !isOwn) throw new Error("the member of a predecessor is being deleted");
                  let member = found ?? (await mgr.client.create(wanted));
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
                  const found = await ignoreNotFound(mgr.client.get(ConfigMap, place));
                  const wanted: ConfigMap = {
                    apiVersion: "v1",
                    kind: "ConfigMap",
                    metadata: { ...place },
                    data: { owner: member.spec.owner },
                  };
                  setControllerReference(member, wanted);
                  const isOwn = found?.metadata.ownerReferences?.some(({ uid }) => uid === member.metadata.uid);
                  if (found && !isOwn) throw new Error("the ConfigMap of a predecessor is being deleted");
                  if (!found) await mgr.client.create(wanted);
                  else if (found.data?.owner !== member.spec.owner)
                    await mgr.client.update({ ...found, data: { owner: member.spec.owner } });
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
    why: "a later change of the shared settings reaches nobody",
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
                const found = await ignoreNotFound(mgr.client.get(Secret, place));
                const wanted: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...place, labels: { region } } };
                setControllerReference(owner, wanted);
                if (!found) return void (await mgr.client.create(wanted));
                if (found.metadata.labels?.region === region) return;
                await mgr.client.update({ ...found, metadata: { ...found.metadata, labels: { region } } });
              },
            }),
          );
        },
      };
    },
  },
];
