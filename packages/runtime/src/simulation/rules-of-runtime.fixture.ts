// An operator that compares what the runtime does with the rules of docs/reference/conformance.md.

import { Lease } from "../api/coordination/v1.ts";
import { ConfigMap } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { ObjectKey, Stored } from "../client/client.ts";
import { sleep } from "../clock/clock.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import type { Manager } from "../manager/manager.ts";
import { ExponentialBackoff, type RateLimiter } from "../queue/rate-limiter.ts";
import type { Context } from "../reconcile/context.ts";
import type { Request } from "../reconcile/request.ts";
import { Shop, shop } from "./shop.fixture.ts";
import { leaseName } from "./world/lease.ts";
import type { World } from "./world/world.ts";

/** The rules, with their numbers in the table. */
export const rules = {
  leader: "only the holder of the lease starts a reconcile (M7, M12)",
  ownWrites: "a read is never older than a write of the same process (I17)",
  once: "a request runs once at a time (Q1, Q3)",
  complete: "the last state of each object is reconciled (Q1, I5)",
  backoff: "the delay doubles with each failure, and success resets it (Q8, R1, R5)",
  early: "a retry waits until its delay is over (Q8, Q9)",
  order: "the events of an object come in order, one at a time (I2, I7, I8, I9)",
  state: "handlers have received the last state of each object (I5, I7)",
} as const;

const finalizer = "simulation.test/cleanup";
/** Virtual times in milliseconds. */
const pulse = 10_000;
const slowHandler = 100;
/** Deliberate failures end here: a delay of many minutes would outlast the time in which a schedule has to settle. */
const mostFailures = 10;
/** The cache keeps a write for this time at most, if the watch is so far behind. */
const longestLag = 75_000;

/** The processes of one schedule, and the rules that they have broken. */
export class Book {
  readonly processes: Process[] = [];
  /** The process of each identity in the lease. */
  readonly leaders: Map<string, Process> = new Map();
  readonly #broken = new Map<string, string>();

  broken(rule: string, message: string): void {
    if (!this.#broken.has(rule)) this.#broken.set(rule, message);
  }

  check(rule: string): true {
    const message = this.#broken.get(rule);
    if (message !== undefined) throw new Error(message);
    return true;
  }

  /** Checks that the leader of a settled world has reconciled the last state of each object. */
  checkReconciled(world: World): true {
    const reconciled = this.leaders.get(holderOf(world))?.reconciled ?? new Map<string, string>();
    const current = new Map(world.list(Shop).map((one) => [titleOf(one), versionOf(one)]));
    for (const name of new Set([...current.keys(), ...reconciled.keys()])) {
      const [version = "none", seen = "none"] = [current.get(name), reconciled.get(name)];
      if (version !== seen)
        this.broken(rules.complete, `last reconcile of ${name}: ${seen}, the server has ${version}`);
    }
    return this.check(rules.complete);
  }

  /** Checks that the handlers of each process that still runs have received the last state. */
  checkInformed(world: World): void {
    const last = Math.max(...this.processes.map(({ beat }) => beat));
    for (const { beat, informed } of this.processes) {
      if (last - beat > pulse) continue;
      for (const [kind, objects] of informed) {
        const current = textOf(world.list(kind));
        const received = textOf([...objects.values()]);
        if (current !== received) this.broken(rules.state, `received ${received}, the server has ${current}`);
      }
    }
  }
}

/** One process of the operator, from its start to its end. */
export class Process implements RateLimiter {
  /** Virtual time of the last sign of life. */
  beat = 0;
  /** The objects of each kind as handlers have received them. */
  readonly informed: Map<Kind, Map<string, KubernetesObject>> = new Map();
  /** The version of each shop that its last reconcile has read, if it succeeded. */
  readonly reconciled: Map<string, string> = new Map();
  readonly #mgr: Manager;
  readonly #world: World;
  readonly #book: Book;
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #retryAt = new Map<string, number>();
  /** The last write of each object by this process, and the time until which reads contain it. */
  readonly #newest = new Map<string, { object: KubernetesObject; until: number }>();
  readonly #attempts = new Map<string, number>();
  readonly #backoff = new ExponentialBackoff();
  #identity: string | undefined;

  constructor(mgr: Manager, world: World, book: Book) {
    this.#mgr = mgr;
    this.#world = world;
    this.#book = book;
  }

  async setUp(): Promise<void> {
    const clock = this.#mgr.clock.background ?? this.#mgr.clock;
    await this.#mgr.add({
      needLeaderElection: () => false,
      start: async (signal) => {
        for (; !signal.aborted; await sleep(clock, pulse, signal)) this.beat = clock.now();
      },
    });
    this.#inform(Shop, slowHandler);
    this.#inform(ConfigMap, 0);
    await newControllerManagedBy(this.#mgr)
      .for(Shop)
      .owns(ConfigMap)
      .withOptions({ maxConcurrentReconciles: 2, rateLimiter: this })
      .complete({ reconcile: (ctx, request) => this.#reconcile(ctx, request) });
  }

  when(key: string): number {
    const delay = this.#backoff.when(key);
    const failures = this.#failures.get(key) ?? 0;
    const wanted = Math.min(5 * 2 ** (failures - 1), 1_000_000);
    if (delay !== wanted) this.#book.broken(rules.backoff, `${key}: failure ${failures} waits ${delay} ms`);
    this.#retryAt.set(key, this.#mgr.clock.now() + delay);
    return delay;
  }

  forget(key: string): void {
    this.#backoff.forget(key);
  }

  retries(key: string): number {
    return this.#backoff.retries(key);
  }

  /** Checks that the events of each object begin where the last one has ended. */
  #inform<T extends KubernetesObject>(kind: Kind<T>, takes: number): void {
    const objects = new Map<string, KubernetesObject>();
    const busy = new Set<string>();
    this.informed.set(kind as Kind, objects);
    const handle = async (type: string, before: T | undefined, after: T | undefined): Promise<void> => {
      const name = titleOf((after ?? before) as T);
      const stored = objects.get(name);
      const isNext =
        type === "create"
          ? !stored
          : type === "delete"
            ? stored !== undefined
            : follows(stored, before, after) && (!isSame(stored, after) || isOlder(stored, after));
      if (!isNext || busy.has(name)) {
        const [from, to] = [versionOf(stored), versionOf(after)];
        this.#book.broken(rules.order, `${kind.kind} ${name}: ${type} to ${to}, but the handler has ${from}`);
      }
      if (after) objects.set(name, after);
      else objects.delete(name);
      if (takes === 0) return;
      busy.add(name);
      await sleep(this.#mgr.clock, takes);
      busy.delete(name);
    };
    this.#mgr.cache.inform(kind).addHandler({
      create: ({ object }) => handle("create", undefined, object as T),
      update: ({ oldObject, object }) => handle("update", oldObject as T, object as T),
      delete: ({ object }) => handle("delete", object as T, undefined),
    });
  }

  async #reconcile({ reasons }: Context, request: Request): Promise<void> {
    const key = `${request.namespace}/${request.name}`;
    const now = this.#mgr.clock.now();
    if (this.#running.has(key)) this.#book.broken(rules.once, `${key} already runs`);
    const isRetry = reasons.length > 0 && reasons.every(({ type }) => type === "retry");
    const due = this.#retryAt.get(key) ?? 0;
    // Timers may fire half a millisecond early.
    if (isRetry && now + 0.5 < due) this.#book.broken(rules.early, `${key}: retried ${due - now} ms early`);
    this.#checkLeader();
    this.#running.add(key);
    try {
      await this.#work(request, key);
      this.#failures.delete(key);
    } catch (error) {
      this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
      // A failed reconcile must be followed by another one.
      this.reconciled.set(key, "failed");
      throw error;
    } finally {
      this.#running.delete(key);
    }
  }

  /** An identity belongs to one process, so each holder of the lease must be the same one whenever it works. */
  #checkLeader(): void {
    const holder = holderOf(this.#world);
    const { leaders } = this.#book;
    if (!leaders.has(holder) && this.#identity === undefined) {
      leaders.set(holder, this);
      this.#identity = holder;
    }
    if (leaders.get(holder) === this) return;
    this.#book.broken(rules.leader, `${this.#identity} works, but ${holder} holds the lease`);
  }

  async #work(request: Request, key: string): Promise<void> {
    const { client } = this.#mgr;
    let shop = await this.#get(Shop, request);
    this.reconciled.set(key, versionOf(shop));
    if (!shop) return;
    const names = [shop.metadata.name, `${shop.metadata.name}-more`];
    if (shop.metadata.deletionTimestamp) {
      for (const name of names) await this.#remove(name);
      const { finalizers = [] } = shop.metadata;
      if (!finalizers.includes(finalizer)) return;
      const left = finalizers.filter((one) => one !== finalizer);
      await this.#wrote(Shop, await client.update({ ...shop, metadata: { ...shop.metadata, finalizers: left } }));
      return;
    }
    if (!shop.metadata.finalizers?.includes(finalizer)) {
      shop = await client.update({ ...shop, metadata: { ...shop.metadata, finalizers: [finalizer] } });
      await this.#wrote(Shop, shop);
    }
    this.#failAtFirst(shop, key);
    const { replicas = 0 } = shop.spec;
    await this.#sync(shop, shop.metadata.name);
    if (replicas > 2) await this.#sync(shop, names[1] as string);
    else await this.#remove(names[1] as string);
    if (shop.status?.ready === replicas) return;
    await this.#wrote(Shop, await client.status.update({ ...shop, status: { ready: replicas } }));
  }

  /** Fails as often as a shop has replicas. */
  #failAtFirst({ metadata, spec }: Stored<Shop>, key: string): void {
    if ((this.#failures.get(key) ?? 0) >= mostFailures) return;
    const id = `${metadata.uid} ${metadata.generation}`;
    const attempts = this.#attempts.get(id) ?? 0;
    this.#attempts.set(id, attempts + 1);
    if (attempts < (spec.replicas ?? 0)) throw new Error(`attempt ${attempts + 1} fails`);
  }

  async #sync(owner: Stored<Shop>, name: string): Promise<void> {
    const data = { replicas: String(owner.spec.replicas) };
    const wanted: ConfigMap = { ...configMap(name), data };
    setControllerReference(owner, wanted);
    const child = await this.#get(ConfigMap, { namespace: "default", name });
    if (!child) return this.#wrote(ConfigMap, await this.#mgr.client.create(wanted));
    const isOwned = child.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
    if (isOwned && child.data?.replicas === data.replicas) return;
    const { ownerReferences } = wanted.metadata ?? {};
    const next = { ...child, metadata: { ...child.metadata, ownerReferences }, data };
    await this.#wrote(ConfigMap, await this.#mgr.client.update(next));
  }

  async #remove(name: string): Promise<void> {
    const configMap = await this.#get(ConfigMap, { namespace: "default", name });
    if (!configMap) return;
    await this.#mgr.client.delete(configMap);
    await this.#checkGone(ConfigMap, configMap);
  }

  /** Reads from the cache. */
  async #get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Promise<Stored<T> | undefined> {
    const object = await ignoreNotFound(this.#mgr.client.get(kind, key));
    if (object) this.#checkRead(object);
    return object;
  }

  #checkRead(object: KubernetesObject): void {
    const id = `${object.kind} ${titleOf(object)}`;
    const { object: before, until = 0 } = this.#newest.get(id) ?? {};
    const isLate = this.#mgr.clock.now() >= until;
    if (before && isSame(before, object) && !isLate && isOlder(object, before)) {
      this.#book.broken(rules.ownWrites, `${id}: read ${versionOf(object)} after ${versionOf(before)}`);
    }
  }

  /** Checks that the next reads contain a write, unless another client has deleted the object since. */
  async #wrote<T extends KubernetesObject>(kind: Kind<T>, written: Stored<T>): Promise<void> {
    const { namespace, name, deletionTimestamp, finalizers = [] } = written.metadata;
    if (deletionTimestamp && finalizers.length === 0) return this.#checkGone(kind, written);
    const until = this.#mgr.clock.now() + longestLag;
    this.#newest.set(`${written.kind} ${titleOf(written)}`, { object: written, until });
    for (const read of await this.#reads(kind, { namespace, name })) {
      const current = this.#world.object(kind, { namespace, name });
      if (!isSame(current, written)) return;
      if (read && isSame(read, written) && !isOlder(read, written)) continue;
      const message = `${kind.kind} ${name}: wrote ${versionOf(written)}, then read ${versionOf(read)}`;
      this.#book.broken(rules.ownWrites, message);
    }
  }

  async #checkGone<T extends KubernetesObject>(kind: Kind<T>, gone: Stored<T>): Promise<void> {
    for (const read of await this.#reads(kind, gone.metadata)) {
      if (!read || !isSame(read, gone) || read.metadata.deletionTimestamp) continue;
      this.#book.broken(rules.ownWrites, `${kind.kind} ${gone.metadata.name}: read after its deletion`);
    }
  }

  async #reads<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Promise<(Stored<T> | undefined)[]> {
    const object = await ignoreNotFound(this.#mgr.client.get(kind, key));
    const { items } = await this.#mgr.client.list(kind, { namespace: key.namespace });
    return [object, items.find(({ metadata }) => metadata?.name === key.name) as Stored<T> | undefined];
  }
}

function configMap(name: string): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
}

function titleOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

function versionOf(object: KubernetesObject | undefined): string {
  return object?.metadata?.resourceVersion ?? "none";
}

/** Whether an update begins with the state that a handler has received, or with the deletion of that object: a full backlog merges events. */
function follows(
  earlier: KubernetesObject | undefined,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): boolean {
  if (versionOf(earlier) === versionOf(before)) return true;
  return isSame(earlier, before) && !isSame(before, after) && isOlder(earlier, before);
}

function isSame(one: KubernetesObject | undefined, other: KubernetesObject | undefined): boolean {
  return one?.metadata?.uid === other?.metadata?.uid;
}

function isOlder(one: KubernetesObject | undefined, other: KubernetesObject | undefined): boolean {
  return Number(versionOf(one)) < Number(versionOf(other));
}

function holderOf(world: World): string {
  return world.object(Lease, { namespace: "default", name: leaseName })?.spec?.holderIdentity ?? "";
}

function textOf(objects: readonly KubernetesObject[]): string {
  const texts = objects.map((object) => `${object.kind} ${titleOf(object)}@${versionOf(object)}`);
  return texts.sort().join(", ");
}

/** Creates, changes and deletes two shops, and creates one of them again. `check` is called when nothing is left to do. */
export async function life({ client, settled, advance }: World, check: () => void): Promise<void> {
  const a = { namespace: "default", name: "a" };
  const b = { namespace: "default", name: "b" };
  const rest = async (): Promise<void> => {
    await settled();
    // Each process that runs shows it meanwhile.
    await advance(3 * pulse);
    check();
  };
  await client.create(shop("a", 2));
  await client.create(shop("b", 0));
  await rest();
  await client.patch(Shop, a, { spec: { replicas: 5 } });
  await client.delete(Shop, b);
  await advance(200);
  await client.patch(Shop, a, { spec: { replicas: 1 } });
  await rest();
  await client.create(shop("b", 3));
  await client.delete(Shop, a);
  await rest();
}
