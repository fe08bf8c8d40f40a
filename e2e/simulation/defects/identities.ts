import {
  asReconciler,
  type Client,
  ignoreNotFound,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Lease } from "@kubewright/runtime/api/coordination/v1";
import { ConfigMap, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import { type Case, isOwnedBy, lifeOfShop, operator, Shop, shop } from "../lib.ts";

const namespace = "default";
const lock = { namespace, name: "lock" };
/** Virtual times in milliseconds. */
const lease = 15_000;
const pause = 5000;

/** A store that refuses a writer whose lock somebody else has taken since, if writers pass the number of their lock. */
class FencedStore {
  outdated = 0;
  #newest = 0;
  readonly #refuses: boolean;

  constructor(refuses: boolean) {
    this.#refuses = refuses;
  }

  async write(token: number): Promise<void> {
    if (token < this.#newest && this.#refuses) throw new Error("somebody else has the lock");
    if (token < this.#newest) this.outdated++;
    this.#newest = Math.max(this.#newest, token);
  }
}

/** Returns the map with the names of all monitors of a shop. */
async function monitorsOf(owner: Stored<Shop>, client: Client): Promise<Stored<ConfigMap>> {
  const name = `${owner.metadata.name}-monitors`;
  const configMap = await ignoreNotFound(client.get(ConfigMap, { namespace, name }));
  if (configMap && !isOwnedBy(configMap, owner)) throw new Error("wait for the end of the old map");
  if (configMap) return configMap;
  const wanted: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
  setControllerReference(owner, wanted);
  return client.create(wanted);
}

async function startMonitor(owner: Stored<Shop>, client: Client, name: string): Promise<void> {
  if (await ignoreNotFound(client.get(Secret, { namespace, name }))) return;
  const wanted: Secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } };
  setControllerReference(owner, wanted);
  await client.create(wanted);
}

/** Defects of names and tokens that must be unique. */
export const identities: readonly Case[] = [
  {
    name: "monitor whose name is noted after its creation",
    why: "after a crash in between, the map lacks the monitor, and another one is started",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      // If somebody deletes the map, its names are lost.
      faults: ["stale", "crash", "lost", "errors", "conflict", "watch", "time", "gc"],
      invariants: [
        eventually("each monitor is in the map", (world) => {
          const [map] = world.list(ConfigMap);
          const names = Object.keys(map?.data ?? {});
          return !map || world.list(Secret).every(({ metadata }) => names.includes(metadata.name));
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          let map = await monitorsOf(owner, client);
          for (const name of Object.keys(map.data ?? {})) await startMonitor(owner, client, name);
          while (Object.keys(map.data ?? {}).length < (owner.spec.size ?? 0)) {
            const name = `${owner.metadata.name}-${crypto.randomUUID().slice(0, 8)}`;
            if (isDefective) await startMonitor(owner, client, name);
            map = await client.update({ ...map, data: { ...map.data, [name]: "up" } });
            if (!isDefective) await startMonitor(owner, client, name);
          }
        },
        { owns: [ConfigMap, Secret] },
      ),
    }),
  },
  {
    name: "lock without a fencing token",
    why: "a worker is slow, its Lease expires, and it writes after the next one",
    simulation: (isDefective) => ({
      external: () => new FencedStore(!isDefective) as never,
      objects: [{ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { ...lock } }],
      scenario: async (world) => {
        await world.client.create(shop("a"));
        await world.client.create(shop("ab"));
        await world.settled();
      },
      faults: ["stale", "crash", "lost", "errors", "conflict", "watch", "time"],
      invariants: [
        always("no worker writes after the next holder of the lock", ({ external }) => external.outdated === 0),
        eventually("each shop is written", (world) =>
          world.list(Shop).every(({ status }) => status?.phase === "Written"),
        ),
      ],
      operator: async (mgr, world) => {
        const store = world.external as FencedStore;
        const { client, apiReader } = mgr;
        await newControllerManagedBy(mgr)
          .for(Shop)
          .withOptions({ maxConcurrentReconciles: 2 })
          .complete(
            asReconciler(client, Shop, {
              reconcile: async (_ctx, stored) => {
                const { name } = stored.metadata;
                if (stored.metadata.deletionTimestamp || stored.status?.phase === "Written") return {};
                const held = await apiReader.get(Lease, lock);
                const { holderIdentity: holder = "", renewTime = 0, leaseTransitions = 0 } = held.spec ?? {};
                const isExpired = Date.now() - new Date(renewTime).getTime() > lease;
                if (holder !== "" && holder !== name && !isExpired) return { requeueAfter: pause };
                const token = leaseTransitions + 1;
                const time = new Date().toISOString().replace("Z", "000Z");
                const spec = { holderIdentity: name, renewTime: time, leaseTransitions: token };
                const taken = await client.update({ ...held, spec });
                for (let count = 0; count < 3; count++) {
                  // The answer can take longer than the Lease lasts.
                  await apiReader.get(Shop, stored.metadata);
                  await store.write(token);
                }
                await client.status.update({ ...stored, status: { phase: "Written" } });
                await client.update({ ...taken, spec: { ...spec, holderIdentity: "" } });
                return {};
              },
            }),
          );
      },
    }),
  },
];
