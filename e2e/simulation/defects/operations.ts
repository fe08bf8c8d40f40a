import {
  asReconciler,
  type Client,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Stored,
} from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type SimulateOptions, type World } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  finalizer,
  key,
  lifeOfShop,
  operator,
  removeFinalizer,
  Shop,
  setStatus,
} from "../lib.ts";
import { crds, Member, Tenant, tenant, key as tenantKey } from "../tenants.ts";

const namespace = "default";

/** A provider of databases whose calls return before the work is done. */
class Databases {
  readonly databases = new Map<string, { region: string; polls: number; isGoing: boolean }>();
  readonly users = new Map<string, string>();
  #ids = 0;

  async create(region: string): Promise<string> {
    const id = `db-${++this.#ids}`;
    this.databases.set(id, { region, polls: 0, isGoing: false });
    return id;
  }

  /** Creates the database unless there is one for the token. */
  async createOnce(token: string, region: string): Promise<string> {
    if (!this.databases.has(token)) this.databases.set(token, { region, polls: 0, isGoing: false });
    return token;
  }

  /** Returns the state. A database needs some time to start and to stop. */
  async state(id: string): Promise<"missing" | "starting" | "running" | "stopping"> {
    const database = this.databases.get(id);
    if (!database) return "missing";
    if (database.isGoing) {
      if (++database.polls >= 2) this.databases.delete(id);
      return "stopping";
    }
    return ++database.polls >= 2 ? "running" : "starting";
  }

  /** Begins to remove a database. */
  async remove(id: string): Promise<void> {
    const database = this.databases.get(id);
    if (!database || database.isGoing) return;
    this.databases.set(id, { ...database, polls: 0, isGoing: true });
  }

  async addUser(id: string, name: string): Promise<void> {
    if (!this.databases.has(id)) throw new Error(`no database ${id}`);
    this.users.set(name, id);
  }

  async removeUser(name: string): Promise<void> {
    const id = this.users.get(name);
    if (id !== undefined && !this.databases.has(id)) throw new Error(`no database ${id}`);
    this.users.delete(name);
  }
}

/** Whether no database remains without a shop. */
function noDatabases(world: World): boolean {
  const { databases } = world.external as Databases;
  return world.list(Shop).length > 0 || databases.size === 0;
}

/** A tenant and a member that needs it are deleted at the same time. */
async function deleteTogether(world: World): Promise<void> {
  const place = { namespace, name: "red" };
  await world.client.create(tenant());
  await world.client.create(Member, { metadata: place, spec: { owner: "red" } });
  await world.settled();
  await world.client.delete(Tenant, tenantKey);
  await world.client.delete(Member, place);
  await world.settled();
}

async function forTenants(mgr: Manager, reconcile: (owner: Stored<Tenant>) => Promise<unknown>): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Tenant)
    .watches(
      Member,
      enqueueRequestsFromMapFunc<Member>((_ctx, { spec }) => [{ name: spec.owner }]),
    )
    .complete(asReconciler(mgr.client, Tenant, { reconcile: async (_ctx, owner) => void (await reconcile(owner)) }));
}

/** Runs a reconciler for shops that also reacts to their copies in another namespace. */
function copying(reconcile: (owner: Stored<Shop>, client: Client) => Promise<unknown>): SimulateOptions["operator"] {
  return async (mgr) => {
    await newControllerManagedBy(mgr)
      .for(Shop)
      .watches(
        Secret,
        enqueueRequestsFromMapFunc((_ctx, { metadata }) => (metadata?.namespace === "kube-public" ? [key] : [])),
      )
      .complete(
        asReconciler(mgr.client, Shop, {
          reconcile: async (_ctx, owner) => void (await reconcile(owner, mgr.client)),
        }),
      );
  };
}

/** Defects of operators whose external work takes time, or has an order. */
export const operations: readonly Case[] = [
  {
    name: "operation in progress in memory",
    why: "after a restart, the operator doesn't find the database that it has begun to create",
    simulation: (isDefective) => {
      const databases = new Databases();
      return {
        external: databases as never,
        scenario: lifeOfShop,
        invariants: [eventually("no database without a Shop", noDatabases)],
        operator: operator(() => {
          const ids = new Map<string, string>();
          return async (owner, client) => {
            const { uid, deletionTimestamp, finalizers } = owner.metadata;
            const id = owner.status?.bucket ?? (isDefective ? ids.get(uid) : uid);
            if (deletionTimestamp) {
              if (!finalizers?.includes(finalizer)) return;
              if (id !== undefined && (await databases.state(id)) !== "missing") {
                await databases.remove(id);
                return { requeueAfter: 5000 };
              }
              return removeFinalizer(owner, client);
            }
            const present = await addFinalizer(owner, client);
            if (id === undefined || (await databases.state(id)) === "missing") {
              const created = isDefective ? await databases.create("north") : await databases.createOnce(uid, "north");
              ids.set(uid, created);
              return { requeueAfter: 5000 };
            }
            if ((await databases.state(id)) !== "running") return { requeueAfter: 5000 };
            await setStatus(present, client, { bucket: id });
          };
        }),
      };
    },
  },
  {
    name: "cleanup that isn't confirmed",
    why: "the object is gone while its database still runs, and a new one with its name gets it",
    simulation: (isDefective) => {
      const databases = new Databases();
      return {
        external: databases as never,
        faults: ["crash", "watch", "conflict", "lost", "errors", "time"],
        scenario: lifeOfShop,
        invariants: [always("a database ends before its Shop", noDatabases)],
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp, finalizers } = owner.metadata;
          if (deletionTimestamp) {
            if (!finalizers?.includes(finalizer)) return;
            await databases.remove(name);
            if (!isDefective && (await databases.state(name)) !== "missing") return { requeueAfter: 5000 };
            return removeFinalizer(owner, client);
          }
          await addFinalizer(owner, client);
          await databases.createOnce(name, "north");
        }),
      };
    },
  },
  {
    name: "database removed before its users",
    why: "users can't be removed without their database, so the cleanup never ends",
    simulation: (isDefective) => {
      const databases = new Databases();
      return {
        external: databases as never,
        scenario: lifeOfShop,
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp, finalizers } = owner.metadata;
          if (deletionTimestamp) {
            if (!finalizers?.includes(finalizer)) return;
            if (!isDefective) await databases.removeUser(name);
            if ((await databases.state(name)) !== "missing") {
              await databases.remove(name);
              return { requeueAfter: 5000 };
            }
            if (isDefective) await databases.removeUser(name);
            return removeFinalizer(owner, client);
          }
          await addFinalizer(owner, client);
          await databases.addUser(await databases.createOnce(name, "north"), name);
        }),
      };
    },
  },
  {
    name: "external object of the old spec",
    why: "the region can't be changed, so the operator creates another database, and forgets the first one",
    simulation: (isDefective) => {
      const databases = new Databases();
      return {
        external: databases as never,
        scenario: lifeOfShop,
        invariants: [
          eventually("no database without a Shop", noDatabases),
          eventually("one database per Shop", () => databases.databases.size <= 1),
        ],
        operator: operator(() => async (owner, client) => {
          const { uid, deletionTimestamp, finalizers } = owner.metadata;
          const wanted = `${uid} ${owner.spec.text}`;
          const isOld = (id: string): boolean => id.startsWith(uid) && (deletionTimestamp ? true : id !== wanted);
          if (deletionTimestamp && !finalizers?.includes(finalizer)) return;
          if (!deletionTimestamp) {
            await addFinalizer(owner, client);
            await databases.createOnce(wanted, owner.spec.text ?? "");
          }
          for (const id of [...databases.databases.keys()].filter(isOld)) {
            if (isDefective && !deletionTimestamp) continue;
            await databases.remove(id);
            if ((await databases.state(id)) !== "missing") return { requeueAfter: 5000 };
          }
          if (deletionTimestamp) await removeFinalizer(owner, client);
        }),
      };
    },
  },
  {
    name: "field of another writer removed from the status",
    why: "the update of the status contains only the own field, so the id of the database is lost",
    simulation: (isDefective) => {
      const databases = new Databases();
      return {
        external: databases as never,
        scenario: lifeOfShop,
        invariants: [eventually("no database without a Shop", noDatabases)],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Shop)
            .named("size")
            .complete(
              asReconciler(mgr.client, Shop, {
                reconcile: async (_ctx, owner) => {
                  if (owner.metadata.deletionTimestamp || owner.status?.count === owner.spec.size) return;
                  const status = { ...(isDefective ? {} : owner.status), count: owner.spec.size ?? 0 };
                  await mgr.client.status.update({ ...owner, status });
                },
              }),
            );
          await operator(() => async (owner, client) => {
            const { uid, deletionTimestamp, finalizers } = owner.metadata;
            const id = isDefective ? owner.status?.bucket : uid;
            if (deletionTimestamp) {
              if (!finalizers?.includes(finalizer)) return;
              if (id !== undefined && (await databases.state(id)) !== "missing") {
                await databases.remove(id);
                return { requeueAfter: 5000 };
              }
              return removeFinalizer(owner, client);
            }
            const present = await addFinalizer(owner, client);
            if (owner.status?.bucket !== undefined) return;
            const bucket = isDefective ? await databases.create("north") : await databases.createOnce(uid, "north");
            await setStatus(present, client, { ...present.status, bucket });
          })(mgr, undefined as never);
        },
      };
    },
  },
  {
    name: "dependency deleted before its dependents",
    why: "the member needs its tenant to clean up, and the tenant doesn't wait for it",
    simulation: (isDefective) => ({
      crds,
      scenario: deleteTogether,
      operator: async (mgr) => {
        await forTenants(mgr, async (owner) => {
          const { finalizers = [], name } = owner.metadata;
          if (!owner.metadata.deletionTimestamp) {
            if (!finalizers.includes(finalizer))
              await mgr.client.update({
                ...owner,
                metadata: { ...owner.metadata, finalizers: [...finalizers, finalizer] },
              });
            return;
          }
          if (!finalizers.includes(finalizer)) return;
          // The tenant is the last one to go.
          const { items } = await mgr.apiReader.list(Member);
          if (!isDefective && items.some(({ spec }) => spec.owner === name)) return;
          const left = finalizers.filter((one) => one !== finalizer);
          await mgr.client.update({ ...owner, metadata: { ...owner.metadata, finalizers: left } });
        });
        await newControllerManagedBy(mgr)
          .for(Member)
          .complete(
            asReconciler(mgr.client, Member, {
              reconcile: async (_ctx, member) => {
                const { finalizers = [], deletionTimestamp } = member.metadata;
                if (!deletionTimestamp) {
                  if (finalizers.includes(finalizer)) return;
                  // Without its tenant, the member couldn't clean up.
                  await mgr.client.get(Tenant, { name: member.spec.owner });
                  await mgr.client.update({
                    ...member,
                    metadata: { ...member.metadata, finalizers: [...finalizers, finalizer] },
                  });
                  return;
                }
                if (!finalizers.includes(finalizer)) return;
                await mgr.client.get(Tenant, { name: member.spec.owner });
                const left = finalizers.filter((one) => one !== finalizer);
                await mgr.client.update({ ...member, metadata: { ...member.metadata, finalizers: left } });
              },
            }),
          );
      },
    }),
  },
  {
    name: "copy in another namespace without cleanup",
    why: "an owner reference can't cross namespaces, and nothing else deletes the copy",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: copying(async (owner, client) => {
        const { name, deletionTimestamp, finalizers } = owner.metadata;
        const place = { namespace: "kube-public", name };
        if (deletionTimestamp) {
          if (isDefective || !finalizers?.includes(finalizer)) return;
          await ignoreNotFound(client.delete(Secret, place));
          return removeFinalizer(owner, client);
        }
        if (!isDefective) await addFinalizer(owner, client);
        const stringData = { text: owner.spec.text ?? "" };
        const data = { text: Buffer.from(stringData.text).toString("base64") };
        const secret = await ignoreNotFound(client.get(Secret, place));
        if (!secret) return client.create(Secret, { metadata: place, data });
        if (secret.data?.text !== data.text) await client.update({ ...secret, data });
      }),
    }),
  },
  {
    name: "timer outside of the manager",
    why: "it runs in each process, also in those without the lease, and after the end of the work",
    simulation: (isDefective) => ({
      replicas: 2,
      scenario: lifeOfShop,
      operator: async (mgr) => {
        const sync = async (): Promise<void> => {
          const owner = await ignoreNotFound(mgr.apiReader.get(Shop, key));
          if (!owner || owner.metadata.deletionTimestamp) return;
          await setStatus(owner, mgr.client, { count: owner.spec.size ?? 0 });
        };
        if (isDefective) setInterval(() => void sync().catch(() => {}), 30_000);
        await newControllerManagedBy(mgr)
          .for(Shop)
          .complete({ reconcile: () => (isDefective ? Promise.resolve() : sync()) });
      },
    }),
  },
];
