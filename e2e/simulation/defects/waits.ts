import { type Client, createOrUpdate, ignoreNotFound, type Stored, setControllerReference } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  Cloud,
  child,
  isOwnedBy,
  key,
  lifeOfShop,
  noLeaks,
  operator,
  removeFinalizer,
  Shop,
  setStatus,
  shop,
  syncChild,
} from "../lib.ts";

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function syncDeployment(owner: Stored<Shop>, client: Client): Promise<void> {
  const labels = { shop: owner.metadata.name };
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "shop", image: "shop" }] } },
    },
  };
  await createOrUpdate(client, deployment, (object) => {
    setControllerReference(owner, object);
    object.spec.replicas = owner.spec.size ?? 1;
  });
}

async function runJob(owner: Stored<Shop>, client: Client): Promise<void> {
  if (await ignoreNotFound(client.get(Job, key))) return;
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } };
  const job: Job = { apiVersion: "batch/v1", kind: "Job", metadata: { ...key }, spec: { template } };
  setControllerReference(owner, job);
  await client.create(job);
}

/** Defects of operators that wait, claim or forget. */
export const waits: readonly Case[] = [
  {
    name: "reconcile that waits until its Deployment is ready",
    why: "a Deployment that never becomes ready blocks a worker for ever",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncDeployment(owner, client);
          const isReady = async (): Promise<boolean> => {
            const deployment = await ignoreNotFound(client.get(Deployment, key));
            return (deployment?.status?.readyReplicas ?? 0) >= (owner.spec.size ?? 1);
          };
          while (isDefective && !(await isReady())) await sleep(2000);
          await setStatus(owner, client, { ready: await isReady() });
        },
        { owns: [Deployment] },
      ),
    }),
  },
  {
    name: "reconcile that waits for the success of a Job",
    why: "a failed Job never succeeds",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
      },
      operator: operator(
        () => async (owner, client) => {
          await runJob(owner, client);
          const isDone = async (): Promise<boolean> =>
            ((await ignoreNotFound(client.get(Job, key)))?.status?.succeeded ?? 0) > 0;
          while (isDefective && !(await isDone())) await sleep(10_000);
        },
        { owns: [Job] },
      ),
    }),
  },
  {
    name: "deletion that waits in the reconcile until the Pods are gone",
    why: "the controllers of the cluster can be down, so that no Pod goes away",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (!owner.metadata.deletionTimestamp)
            return void (await syncDeployment(await addFinalizer(owner, client), client));
          const deployment = await ignoreNotFound(client.get(Deployment, key));
          if (deployment && !deployment.metadata.deletionTimestamp && isOwnedBy(deployment, owner)) {
            await client.delete(deployment, { propagationPolicy: "Foreground" }).catch(ignoreGone);
          }
          while (isDefective && (await ignoreNotFound(client.get(Deployment, key)))) await sleep(1000);
          if (!isDefective && deployment && isOwnedBy(deployment, owner)) return;
          await removeFinalizer(owner, client);
        },
        { owns: [Deployment] },
      ),
    }),
  },
  {
    name: "status that claims a child before it is created",
    why: "the process can end between the status and the child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      faults: ["crash", "lost", "errors", "conflict"],
      invariants: [
        always("a ready shop has its ConfigMap", (world) => {
          const ready = world.object(Shop, key)?.status?.ready ?? false;
          return !ready || world.object(ConfigMap, key) !== undefined;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (isDefective) await setStatus(owner, client, { ready: true });
          await syncChild(owner, client);
          if (!isDefective) await setStatus(owner, client, { ready: true });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "label of a child that is set only with the data",
    why: "somebody edits the label, and a selector no longer finds the child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const wanted = child(owner);
          const labels = { tier: `tier-${owner.spec.size}` };
          wanted.metadata = { ...wanted.metadata, labels };
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap) return void (await client.create(wanted));
          const isSame = configMap.data?.text === owner.spec.text && isOwnedBy(configMap, owner);
          if (isSame && (isDefective || configMap.metadata.labels?.tier === labels.tier)) return;
          const { ownerReferences } = wanted.metadata;
          await client.update({
            ...configMap,
            data: wanted.data,
            metadata: { ...configMap.metadata, ownerReferences, labels: { ...configMap.metadata.labels, ...labels } },
          });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "cleanup behind the removal of the finalizer",
    why: "the process ends when the object is gone, and no object mentions the bucket",
    simulation: (isDefective) => ({
      external: () => new Cloud() as never,
      scenario: lifeOfShop,
      invariants: [eventually("no bucket without a shop", noLeaks)],
      operator: async (mgr, world) => {
        const cloud = world.external as unknown as Cloud;
        await operator(() => async (owner, client) => {
          if (!owner.metadata.deletionTimestamp) {
            const kept = await addFinalizer(owner, client);
            await cloud.create(kept.metadata.name);
            return;
          }
          if (!isDefective) await cloud.remove(owner.metadata.name);
          await removeFinalizer(owner, client);
          if (isDefective) await cloud.remove(owner.metadata.name);
        })(mgr, world);
      },
    }),
  },
  {
    name: "cleanup of the bucket that the status names",
    why: "the status is written after the bucket exists, so a crash leaves it without a bucket",
    simulation: (isDefective) => ({
      external: () => new Cloud() as never,
      scenario: lifeOfShop,
      invariants: [eventually("no bucket without a shop", noLeaks)],
      operator: async (mgr, world) => {
        const cloud = world.external as unknown as Cloud;
        await operator(() => async (owner, client) => {
          const { name } = owner.metadata;
          if (owner.metadata.deletionTimestamp) {
            if (!isDefective || owner.status?.bucket) await cloud.remove(name);
            return removeFinalizer(owner, client);
          }
          const kept = await addFinalizer(owner, client);
          await cloud.create(name);
          await setStatus(kept, client, { bucket: name });
        })(mgr, world);
      },
    }),
  },
  {
    name: "reconcile that returns early if the generation is observed",
    why: "somebody deletes the child, and the generation stays the same",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          const { generation, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp || (isDefective && owner.status?.observedGeneration === generation)) return;
          await syncChild(owner, client);
          await setStatus(owner, client, { observedGeneration: generation as number });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "error of a write that is only logged",
    why: "nothing reconciles the object again",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client, ctx) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client).catch((error: unknown) => {
            if (!isDefective) throw error;
            ctx.log.info("the child is not up to date", { error: String(error) });
          });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "old child whose name is only in memory",
    why: "the new process doesn't know the name before the change",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [
        eventually("a shop has one ConfigMap", (world) => {
          const count = world.list(ConfigMap).filter(({ metadata }) => metadata.name.startsWith("a-")).length;
          return world.object(Shop, key) === undefined || count === 1;
        }),
      ],
      operator: operator(
        () => {
          const names = new Map<string, string>();
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const { uid } = owner.metadata;
            const name = `a-${owner.spec.text}`;
            await syncChild(owner, client, name);
            const last = names.get(uid);
            names.set(uid, name);
            const { items } = await client.list(ConfigMap, { namespace: "default" });
            for (const item of items) {
              const isOld = isDefective ? item.metadata.name === last : isOwnedBy(item, owner);
              if (item.metadata.name !== name && isOld) await client.delete(item).catch(ignoreGone);
            }
          };
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "child with a generated name that only the status remembers",
    why: "the process ends before the status names the child, and creates another one",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      faults: ["crash", "lost", "errors", "conflict", "stale", "watch", "time"],
      invariants: [
        eventually("a shop has one ConfigMap", (world) => {
          const count = world.list(ConfigMap).filter(({ metadata }) => metadata.name.startsWith("a")).length;
          return world.object(Shop, key) === undefined || count === 1;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (!isDefective) return void (await syncChild(owner, client));
          if (owner.status?.volume) return;
          const wanted = child(owner);
          wanted.metadata = { ...wanted.metadata, name: undefined, generateName: "a-" };
          const { metadata } = await client.create(wanted);
          await setStatus(owner, client, { volume: metadata.name });
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "payment without an idempotency key",
    why: "the response is lost, and the next reconcile pays again",
    simulation: (isDefective) => ({
      external: () => new Payments() as never,
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
      },
      faults: ["crash", "lost", "errors", "conflict", "stale", "watch"],
      invariants: [
        always("a shop pays once", (world) => {
          const { made } = world.external as unknown as Payments;
          return made.length <= 1;
        }),
      ],
      operator: async (mgr, world) => {
        const payments = world.external as unknown as Payments;
        await operator(() => async (owner, client) => {
          if (owner.status?.phase === "Paid") return;
          await payments.pay(isDefective ? undefined : owner.metadata.uid);
          await setStatus(owner, client, { phase: "Paid" });
        })(mgr, world);
      },
    }),
  },
];

/** A provider that recognizes repeated payments by their keys. */
class Payments {
  readonly made: (string | undefined)[] = [];

  async pay(idempotencyKey: string | undefined): Promise<void> {
    if (idempotencyKey === undefined || !this.made.includes(idempotencyKey)) this.made.push(idempotencyKey);
  }
}

function ignoreGone(error: unknown): void {
  if ((error as { code?: number }).code !== 404) throw error;
}
