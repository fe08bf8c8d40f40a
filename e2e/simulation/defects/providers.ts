import {
  addFinalizer,
  asReconciler,
  containsFinalizer,
  ignoreNotFound,
  jsonPatch,
  mergeFrom,
  newControllerManagedBy,
  removeFinalizer,
  setControllerReference,
} from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, finalizer, key, life, Tenant, tenant } from "../tenants.ts";

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

/** Defects of operators that use the API of a provider, with kinds of the cluster. */
export const providers: readonly Case[] = [
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
                  const stored = await ignoreNotFound(mgr.client.get(Secret, place));
                  const password = stored
                    ? Buffer.from(stored.data?.password ?? "", "base64").toString()
                    : Math.random().toString(36);
                  const wanted: Secret = {
                    apiVersion: "v1",
                    kind: "Secret",
                    metadata: { ...place },
                    stringData: { password },
                  };
                  setControllerReference(owner, wanted);
                  if (isDefective) {
                    if (stored) return;
                    const account = await accounts.find(owner.metadata.name);
                    if (!account) await accounts.put(owner.metadata.name, owner.spec.owner, password);
                    await mgr.client.create(wanted);
                    return;
                  }
                  if (!stored) await mgr.client.create(wanted);
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
];
