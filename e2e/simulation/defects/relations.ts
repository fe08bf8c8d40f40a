import { enqueueRequestsFromMapFunc, ignoreNotFound, newControllerManagedBy } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { ConfigMap, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import {
  type Case,
  child,
  isOwnedBy,
  key,
  lifeOfShop,
  operator,
  other,
  Shop,
  setStatus,
  shop,
  syncChild,
} from "../lib.ts";

const owns = [ConfigMap];
const namespace = "default";
const credentials = { namespace, name: "credentials" };
const secret = (password: string): Secret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...credentials },
  stringData: { password },
});

/** Defects that involve several objects: references, shared names, numbers that must be unique, several controllers. */
export const relations: readonly Case[] = [
  {
    name: "rotated Secret that isn't noticed",
    why: "nothing watches the Secret, so the child keeps the old password",
    simulation: (isDefective) => ({
      faults: ["crash", "stale", "watch", "conflict", "lost", "errors", "time", "replicas"],
      scenario: async (world) => {
        await world.client.create(secret("one"));
        await world.client.create(shop());
        await world.settled();
        await world.client.update(secret("two"));
        await world.settled();
        await world.client.delete(Shop, key);
      },
      invariants: [
        eventually("the ConfigMap has the present password", (world) => {
          if (!world.object(Shop, key)) return true;
          return world.object(ConfigMap, key)?.data?.text === world.object(Secret, credentials)?.data?.password;
        }),
      ],
      operator: async (mgr) => {
        const builder = newControllerManagedBy(mgr).for(Shop).owns(ConfigMap);
        if (!isDefective) {
          builder.watches(
            Secret,
            enqueueRequestsFromMapFunc(() => [key]),
          );
        }
        await builder.complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!owner || owner.metadata.deletionTimestamp) return;
            const { data } = await mgr.client.get(Secret, credentials);
            await syncChild({ ...owner, spec: { text: data?.password ?? "" } }, mgr.client);
          },
        });
      },
    }),
  },
  {
    name: "hash in the order of iteration",
    why: "each process computes another hash, and writes the child again",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const order = Math.random() < 0.5 ? 1 : -1;
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const names = Object.keys(owner.spec).sort();
            if (isDefective && order < 0) names.reverse();
            const text = names.map((name) => owner.spec[name as "text"]).join(",");
            await syncChild({ ...owner, spec: { text } }, client);
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "status that two controllers write",
    why: "each replaces the value of the other one, and neither ends",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: async (mgr) => {
        for (const name of ["first", "second"]) {
          await newControllerManagedBy(mgr)
            .for(Shop)
            .named(name)
            .complete({
              async reconcile(_ctx, request) {
                const owner = await ignoreNotFound(mgr.client.get(Shop, request));
                if (!owner || owner.metadata.deletionTimestamp) return;
                const status = isDefective
                  ? { phase: name }
                  : { ...owner.status, [name === "first" ? "phase" : "bucket"]: name };
                await setStatus(owner, mgr.client, status);
              },
            });
        }
      },
    }),
  },
  {
    name: "child that two owners share",
    why: "each owner brings the child to its own state",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop());
        await world.client.create(shop("ab", { text: "other" }));
        await world.settled();
        await world.client.delete(Shop, key);
        await world.settled();
        await world.client.delete(Shop, other);
      },
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client, isDefective ? "shared" : owner.metadata.name);
        },
        { owns },
      ),
    }),
  },
  {
    name: "garbage collection by an old list of owners",
    why: "a new process lacks an owner in its cache, and deletes its child",
    simulation: (isDefective) => {
      let uid: string | undefined;
      return {
        faults: ["stale", "crash", "watch", "replicas"],
        scenario: async (world) => {
          uid = undefined;
          await world.client.create(shop("ab"));
          await world.settled();
          await world.client.create(shop());
          await world.settled();
          await world.restart();
          await world.settled();
        },
        invariants: [
          always("the ConfigMap of a Shop stays", (world) => {
            const currentUid = world.object(ConfigMap, key)?.metadata.uid;
            uid ??= currentUid;
            return currentUid === uid;
          }),
        ],
        operator: operator(
          () => async (owner, client, _ctx, mgr) => {
            await syncChild(owner, client);
            const { items } = await client.list(ConfigMap, { namespace });
            const shops = await client.list(Shop, { namespace });
            for (const item of items) {
              const [reference] = item.metadata.ownerReferences ?? [];
              if (!reference || shops.items.some(({ metadata }) => metadata.uid === reference.uid)) continue;
              const now = await ignoreNotFound(mgr.apiReader.get(Shop, { namespace, name: reference.name }));
              if (!isDefective && now?.metadata.uid === reference.uid) continue;
              await ignoreNotFound(client.delete(item, { preconditions: { uid: item.metadata.uid } }));
            }
          },
          { owns },
        ),
      };
    },
  },
  {
    name: "number that is free in an old list",
    why: "a new process doesn't see that another object has the number",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "replicas"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.create(shop("ab"));
        await world.settled();
      },
      invariants: [
        always("no two Shops have the same port", (world) => {
          const ports = world.list(ConfigMap).flatMap(({ data }) => data?.port ?? []);
          return new Set(ports).size === ports.length;
        }),
      ],
      operator: operator(
        () => async (owner, client, _ctx, mgr) => {
          const place = { namespace, name: owner.metadata.name };
          if (await ignoreNotFound(client.get(ConfigMap, place))) return;
          const { items } = await (isDefective ? client : mgr.apiReader).list(ConfigMap, { namespace });
          const port = Math.max(0, ...items.map(({ data }) => Number(data?.port ?? 0))) + 1;
          await client.create({ ...child(owner), data: { port: String(port) } });
        },
        { owns },
      ),
    }),
  },
  {
    name: "condition that is added again",
    why: "the list of conditions grows with each reconcile",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        const { generation, deletionTimestamp } = owner.metadata;
        if (deletionTimestamp) return;
        const condition = { type: "Ready", status: "True", observedGeneration: generation };
        const before = isDefective ? (owner.status?.conditions ?? []) : [];
        await setStatus(owner, client, { conditions: [...before, condition] });
      }),
    }),
  },
  {
    name: "attempts that end before the child is ready",
    why: "a child that takes longer leaves the status unready forever",
    simulation: (isDefective) => ({
      faults: ["children", "crash", "watch", "time"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
      },
      operator: operator(
        () => {
          let attempts = 0;
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const deployment = await ignoreNotFound(client.get(Deployment, key));
            if (!deployment) await client.create(deploymentOf(owner));
            const isReady = deployment?.status?.readyReplicas === 1;
            await setStatus(owner, client, { ready: isReady });
            if (isDefective && !isReady && attempts++ < 6) return { requeueAfter: 5000 };
            return {};
          };
        },
        isDefective ? {} : { owns: [Deployment] },
      ),
    }),
  },
  {
    name: "child without a check of its owner",
    why: "the operator uses the child of a deleted predecessor until the garbage collector deletes it",
    simulation: (isDefective) => ({
      faults: ["gc", "recreate", "stale", "crash"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
      },
      invariants: [
        always("a ready Shop has its own ConfigMap", (world) => {
          const stored = world.object(Shop, key);
          if (!stored?.status?.ready || stored.metadata.deletionTimestamp) return true;
          const present = world.object(ConfigMap, key);
          return present !== undefined && isOwnedBy(present, stored);
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (configMap && !isDefective && !isOwnedBy(configMap, owner)) {
            // The garbage collector may be late.
            return void (await ignoreNotFound(
              client.delete(configMap, { preconditions: { uid: configMap.metadata.uid } }),
            ));
          }
          if (!configMap) await client.create(child(owner));
          await setStatus(owner, client, { ready: true });
        },
        { owns },
      ),
    }),
  },
];

function deploymentOf(owner: Parameters<typeof child>[0]): Deployment {
  const labels = { app: "a" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key, ownerReferences: child(owner).metadata?.ownerReferences ?? [] },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "nginx" }] } },
    },
  };
}
