import {
  addFinalizer,
  asReconciler,
  containsFinalizer,
  groupVersion,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  patchStatus,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

/** An order that moves money, and an application that has an account. */
interface Order extends KubernetesObject {
  spec: { amount: number; image?: string; rotation?: number };
  status?: { phase?: string; id?: string; rotation?: number; paid?: number };
}

const Order: Kind<Order> = groupVersion("bank.test", "v1").kind<Order>("Order");
const crds = [definition("bank.test", "Order", "orders")];
const key = { namespace: "default", name: "rent" };
const finalizer = "bank.test/account";

function order(spec: Partial<Order["spec"]> = {}): Order {
  return {
    apiVersion: "bank.test/v1",
    kind: "Order",
    metadata: { ...key },
    spec: { amount: 10, image: "app:1", rotation: 1, ...spec },
  };
}

async function life(world: World): Promise<void> {
  await world.client.create(order());
  await world.settled();
  await world.client.patch(Order, key, { spec: { amount: 25, rotation: 2 } });
  await world.settled();
  await world.client.delete(Order, key);
  await world.settled();
}

class Bank {
  readonly balance = { from: 1000, to: 0 };
  readonly bookings = new Set<string>();
  readonly accounts = new Map<string, { owner: string; passwords: string[] }>();
  #ids = 0;

  async debit(amount: number): Promise<void> {
    this.balance.from -= amount;
  }

  async credit(amount: number): Promise<void> {
    this.balance.to += amount;
  }

  /** Moves money, once per booking. */
  async transfer(booking: string, amount: number): Promise<void> {
    if (this.bookings.has(booking)) return;
    this.bookings.add(booking);
    this.balance.from -= amount;
    this.balance.to += amount;
  }

  async open(owner: string): Promise<string> {
    const id = `account-${++this.#ids}`;
    this.accounts.set(id, { owner, passwords: [] });
    return id;
  }

  async find(owner: string): Promise<string | undefined> {
    for (const [id, account] of this.accounts) if (account.owner === owner) return id;
    return undefined;
  }

  async close(id: string): Promise<void> {
    this.accounts.delete(id);
  }

  async addPassword(id: string, password: string): Promise<void> {
    const account = this.accounts.get(id) ?? { owner: id, passwords: [] };
    this.accounts.set(id, account);
    if (!account.passwords.includes(password)) account.passwords.push(password);
  }

  async keepPassword(id: string, password: string): Promise<void> {
    const account = this.accounts.get(id);
    if (account) account.passwords = account.passwords.filter((one) => one === password);
  }
}

async function run(
  mgr: Manager,
  owned: readonly Kind[],
  reconcile: (order: Stored<Order>) => Promise<unknown>,
): Promise<void> {
  const builder = newControllerManagedBy(mgr).for(Order);
  for (const kind of owned) builder.owns(kind);
  await builder.complete(
    asReconciler(mgr.client, Order, {
      reconcile: async (_ctx, order) => ((await reconcile(order)) ?? {}) as object,
    }),
  );
}

/** Adds or removes the finalizer. */
async function setFinalizer(mgr: Manager, order: Stored<Order>, isWanted: boolean): Promise<Stored<Order>> {
  const copy = structuredClone(order);
  const isChanged = isWanted ? addFinalizer(copy, finalizer) : removeFinalizer(copy, finalizer);
  return isChanged ? mgr.client.patch(copy, mergeFrom(order, { optimisticLock: true })) : order;
}

/** Defects between two calls of an external system. */
export const transfers: readonly Case[] = [
  {
    name: "debit without its credit",
    why: "the process ends between the two calls, and the next one begins with the first call again",
    simulation: (isDefective) => {
      const bank = new Bank();
      return {
        crds,
        external: bank as never,
        scenario: life,
        invariants: [eventually("no money is lost", () => bank.balance.from + bank.balance.to === 1000)],
        operator: (mgr) =>
          run(mgr, [], async (order) => {
            const { generation = 0, uid } = order.metadata;
            if (order.metadata.deletionTimestamp || order.status?.paid === generation) return;
            if (isDefective) {
              await bank.debit(order.spec.amount);
              await bank.credit(order.spec.amount);
            } else await bank.transfer(`${uid}/${generation}`, order.spec.amount);
            await patchStatus(mgr.client, order, (copy) => {
              copy.status = { ...copy.status, paid: generation };
            });
          }),
      };
    },
  },
  {
    name: "idempotency key that changes with each attempt",
    why: "the key contains the resource version, so the bank takes a repetition for another booking",
    simulation: (isDefective) => {
      const bank = new Bank();
      return {
        crds,
        external: bank as never,
        scenario: life,
        invariants: [always("each order is booked once for each amount", () => bank.bookings.size <= 2)],
        faults: ["crash", "stale", "lost", "errors", "conflict", "watch", "time"],
        operator: (mgr) =>
          run(mgr, [], async (order) => {
            const { generation = 0, uid, resourceVersion } = order.metadata;
            if (order.metadata.deletionTimestamp || order.status?.paid === generation) return;
            if (order.status?.phase !== "Paying") {
              await mgr.client.status.update({ ...order, status: { ...order.status, phase: "Paying" } });
              return;
            }
            const booking = isDefective ? `${uid}/${resourceVersion}` : `${uid}/${generation}`;
            await bank.transfer(booking, order.spec.amount);
            await patchStatus(mgr.client, order, (copy) => {
              copy.status = { phase: "Paid", paid: generation };
            });
          }),
      };
    },
  },
  {
    name: "cleanup that needs the id in the status",
    why: "the object is deleted before its id is stored, and an empty status means that nothing exists",
    simulation: (isDefective) => {
      const bank = new Bank();
      return {
        crds,
        external: bank as never,
        scenario: async (world) => {
          await world.client.create(order());
          await world.client.delete(Order, key);
          await world.settled();
        },
        operator: (mgr) =>
          run(mgr, [], async (stored) => {
            const { uid, deletionTimestamp } = stored.metadata;
            if (deletionTimestamp) {
              if (!containsFinalizer(stored, finalizer)) return;
              const id = stored.status?.id ?? (isDefective ? undefined : await bank.find(uid));
              if (id) await bank.close(id);
              await setFinalizer(mgr, stored, false);
              return;
            }
            if (!containsFinalizer(stored, finalizer)) {
              await setFinalizer(mgr, stored, true);
              return;
            }
            if (stored.status?.id) return;
            const id = (await bank.find(uid)) ?? (await bank.open(uid));
            await patchStatus(mgr.client, stored, (copy) => {
              copy.status = { ...copy.status, id };
            });
          }),
      };
    },
  },
  {
    name: "credentials deleted before the Job that needs them",
    why: "after a crash the Secret is gone, and the Job of the cleanup can no longer be created",
    simulation: (isDefective) => ({
      crds,
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas"],
      scenario: life,
      operator: (mgr) =>
        run(mgr, [Job], async (order) => {
          const { uid, name, deletionTimestamp } = order.metadata;
          const secretKey = { namespace: key.namespace, name: `${name}-${uid.slice(0, 6)}` };
          const secret = await ignoreNotFound(mgr.client.get(Secret, secretKey));
          if (!deletionTimestamp) {
            await setFinalizer(mgr, order, true);
            if (!secret) await mgr.client.create(Secret, { metadata: secretKey, stringData: { token: "secret" } });
            return;
          }
          if (!containsFinalizer(order, finalizer)) return;
          const jobKey = { namespace: key.namespace, name: `cleanup-${uid.slice(0, 6)}` };
          const job = await ignoreNotFound(mgr.client.get(Job, jobKey));
          if (!job) {
            if (!secret) throw new Error("the cleanup needs the credentials");
            if (isDefective) await mgr.client.delete(secret);
            const cleanup: Job = {
              apiVersion: "batch/v1",
              kind: "Job",
              metadata: { ...jobKey },
              spec: {
                template: {
                  spec: {
                    restartPolicy: "OnFailure",
                    containers: [
                      { name: "cleanup", image: "cleanup", env: [{ name: "TOKEN", value: secret.data?.token ?? "" }] },
                    ],
                  },
                },
              },
            };
            setControllerReference(order, cleanup);
            await mgr.client.create(cleanup);
            return;
          }
          if ((job.status?.succeeded ?? 0) === 0) return;
          if (secret) await ignoreNotFound(mgr.client.delete(secret));
          await setFinalizer(mgr, order, false);
        }),
    }),
  },
  {
    name: "password that is revoked before the roll-out",
    why: "the application still runs with the old password when the operator revokes it",
    simulation: (isDefective) => {
      const bank = new Bank();
      const rotationOf = (world: World): string | undefined =>
        world.object(Deployment, key)?.spec?.template.metadata?.annotations?.["bank.test/password"];
      return {
        crds,
        external: bank as never,
        scenario: life,
        invariants: [
          always("the application has a valid password", (world) => {
            const used = rotationOf(world);
            const account = bank.accounts.get(key.name);
            return used === undefined || !account || account.passwords.includes(used);
          }),
          eventually("only one password is valid", () => {
            const account = bank.accounts.get(key.name);
            return !account || account.passwords.length === 1;
          }),
        ],
        operator: (mgr) =>
          run(mgr, [Secret, Deployment], async (order) => {
            const { deletionTimestamp, name } = order.metadata;
            const { image = "app", rotation = 1 } = order.spec;
            if (deletionTimestamp) {
              if (!containsFinalizer(order, finalizer)) return;
              const app = await ignoreNotFound(mgr.client.get(Deployment, key));
              if (app) {
                await ignoreNotFound(mgr.client.delete(app, { preconditions: { uid: app.metadata.uid } }));
                return { requeueAfter: 1000 };
              }
              await bank.close(name);
              await setFinalizer(mgr, order, false);
              return;
            }
            const owner = await setFinalizer(mgr, order, true);
            const password = `password-${rotation}`;
            await bank.addPassword(name, password);
            if (isDefective) await bank.keepPassword(name, password);
            const secret: Secret = {
              apiVersion: "v1",
              kind: "Secret",
              metadata: { ...key },
              data: { password: Buffer.from(password).toString("base64") },
            };
            setControllerReference(owner, secret);
            await mgr.client.apply(secret, { fieldOwner: "bank", force: true });
            const labels = { app: name };
            const wanted: Deployment = {
              apiVersion: "apps/v1",
              kind: "Deployment",
              metadata: { ...key },
              spec: {
                replicas: 2,
                selector: { matchLabels: labels },
                template: {
                  metadata: { labels, annotations: { "bank.test/password": password } },
                  spec: { containers: [{ name: "app", image }] },
                },
              },
            };
            setControllerReference(owner, wanted);
            const app = await mgr.client.apply(wanted, { fieldOwner: "bank", force: true });
            const { observedGeneration, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = app.status ?? {};
            const isRolledOut =
              observedGeneration === app.metadata.generation &&
              updatedReplicas === 2 &&
              availableReplicas === 2 &&
              replicas === 2;
            if (isRolledOut && !isDefective) await bank.keepPassword(name, password);
          }),
      };
    },
  },
];
