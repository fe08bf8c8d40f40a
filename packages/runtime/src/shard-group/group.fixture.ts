import type { KubernetesObject } from "../api/index.ts";
import { ConnectionGate } from "../cache/connection-gate.ts";
import type { ListWatch } from "../cache/list-watch.ts";
import type { Client, Stored } from "../client/client.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import type { Lease } from "../leader-election/lease.ts";
import { leaseDurations } from "../leader-election/options.ts";
import type { LogFields, Logger } from "../log/logger.ts";
import { shardHash } from "../shards/hash.ts";
import { containsHash, type HashRange, mergeRanges, subtractRanges } from "../shards/ranges.ts";
import type { ShardGroupOptions } from "./group-options.ts";
import { ShardGroup } from "./shard-group.ts";
import { tableOf } from "./shard-leases.ts";

interface Event {
  type: string;
  object: KubernetesObject;
}

/** Failures between one process and the server. */
export class Connection {
  isDown = false;
  /** Keeps deletions waiting for their answer. */
  isSlow = false;
  /** Drops the response of the next writes whose name matches. The server has stored them. */
  losesAnswersTo: RegExp | undefined;
  /** Keeps the next matching updates under way. They reach the server when `arrive` is called. */
  delays: RegExp | undefined;
  readonly delayed: (() => void)[] = [];
  readonly requests: string[] = [];

  check(request: string): void {
    this.requests.push(request);
    if (this.isDown) throw new TransportError("ECONNREFUSED", "no connection");
  }
}

/** A server with Leases, optimistic locking and watches. */
export class LeaseCluster {
  readonly leases: Map<string, Stored<Lease>> = new Map();
  readonly #watchers = new Set<(event: Event) => void>();
  #version = 100;
  #uid = 0;

  /** Returns the client of a process. */
  client(connection: Connection, tick: () => Promise<void> = async () => {}): Client {
    const answer = async <T>(request: string, run: () => T): Promise<T> => {
      connection.check(request);
      if (connection.delays?.test(request)) {
        connection.delayed.push(run);
        throw new TransportError("ETIMEDOUT", "no response");
      }
      const result = run();
      if (connection.losesAnswersTo?.test(request)) throw new TransportError("ECONNRESET", "the response is lost");
      return structuredClone(result);
    };
    const existing = (name: string): Stored<Lease> => {
      const lease = this.leases.get(name);
      if (!lease) throw ApiError.notFound("Lease", name);
      return lease;
    };
    return {
      list: () => answer("list", () => ({ items: [...this.leases.values()], metadata: {} })),
      get: (_kind: unknown, { name }: { name: string }) => answer(`get ${name}`, () => existing(name)),
      create: (lease: Lease) =>
        answer(`create ${lease.metadata.name}`, () => {
          const name = lease.metadata.name!;
          if (this.leases.has(name)) throw ApiError.alreadyExists("Lease", name);
          return this.#store("ADDED", lease, `uid-${++this.#uid}`);
        }),
      update: (lease: Stored<Lease>) =>
        answer(`update ${lease.metadata.name}`, () => {
          const stored = existing(lease.metadata.name);
          if (stored.metadata.resourceVersion !== lease.metadata.resourceVersion) {
            throw ApiError.conflict("Lease", lease.metadata.name, "the object has been modified");
          }
          return this.#store("MODIFIED", lease, stored.metadata.uid);
        }),
      delete: async (lease: Stored<Lease>, options: { preconditions: { uid: string; resourceVersion?: string } }) => {
        while (connection.isSlow) await tick();
        return answer(`delete ${lease.metadata.name}`, () => {
          const { uid, resourceVersion } = existing(lease.metadata.name).metadata;
          const wanted = options.preconditions;
          if (wanted.uid !== uid || (wanted.resourceVersion ?? resourceVersion) !== resourceVersion) {
            throw ApiError.conflict("Lease", lease.metadata.name, "the precondition failed");
          }
          this.remove(lease.metadata.name);
        });
      },
    } as unknown as Client;
  }

  listWatch(connection: Connection): ListWatch {
    return {
      list: async () => {
        connection.check("list");
        return { items: structuredClone([...this.leases.values()]), resourceVersion: String(this.#version) };
      },
      watch: async ({ sendInitialEvents, signal }) => {
        connection.check("watch");
        if (sendInitialEvents)
          throw new ApiError({ kind: "Status", status: "Failure", code: 400, reason: "BadRequest" } as never);
        const queue: Event[] = [];
        let wake = (): void => {};
        const push = (event: Event): void => {
          queue.push(structuredClone(event));
          wake();
        };
        this.#watchers.add(push);
        const end = (): void => {
          this.#watchers.delete(push);
          wake();
        };
        signal.addEventListener("abort", end);
        return {
          close: async () => end(),
          async *[Symbol.asyncIterator]() {
            while (!signal.aborted) {
              const event = queue.shift();
              if (event && connection.isDown) throw new TransportError("ECONNRESET", "the watch is lost");
              if (event) yield event;
              else
                await new Promise<void>((resolve) => {
                  wake = resolve;
                });
            }
          },
        };
      },
    };
  }

  /** Deletes a Lease, as another client. */
  remove(name: string): void {
    const lease = this.leases.get(name)!;
    this.leases.delete(name);
    this.#emit("DELETED", { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } });
  }

  /** Writes a Lease, as another client. */
  put(lease: Lease): void {
    const stored = this.leases.get(lease.metadata.name!);
    this.#store(stored ? "MODIFIED" : "ADDED", lease, stored?.metadata.uid ?? `uid-${++this.#uid}`);
  }

  #store(type: string, lease: Lease, uid: string): Stored<Lease> {
    const metadata = { ...lease.metadata, uid, resourceVersion: String(++this.#version) };
    const stored = structuredClone({ ...lease, metadata }) as Stored<Lease>;
    this.leases.set(stored.metadata.name, stored);
    this.#emit(type, stored);
    return stored;
  }

  #emit(type: string, object: KubernetesObject): void {
    for (const push of this.#watchers) push({ type, object });
  }
}

/** The clock of one process: it can be suspended, and its wall clock can be wrong. */
export class ProcessClock implements Clock {
  readonly #shared: VirtualClock;
  isSuspended = false;
  /** Time in milliseconds by which the wall clock is wrong. */
  skew = 0;
  /** Time in milliseconds for which the monotonic clock stood still. */
  stoodStill = 0;
  #due: (() => void)[] = [];

  constructor(shared: VirtualClock) {
    this.#shared = shared;
  }

  now(): number {
    return this.#shared.now() - this.stoodStill;
  }

  date(): Date {
    return new Date(this.#shared.date().getTime() + this.skew);
  }

  setTimeout(callback: () => void, milliseconds: number): Timer {
    return this.#shared.setTimeout(() => {
      if (this.isSuspended) this.#due.push(callback);
      else callback();
    }, milliseconds);
  }

  clearTimeout(timer: Timer | undefined): void {
    this.#shared.clearTimeout(timer);
  }

  resume(): void {
    this.isSuspended = false;
    for (const callback of this.#due.splice(0)) callback();
  }
}

/** A process with a member of the group. Its cache contains the objects of its ranges. */
export class TestProcess {
  readonly connection: Connection = new Connection();
  readonly clock: ProcessClock;
  readonly group: ShardGroup;
  readonly lines: string[] = [];
  /** Reconciles that a test keeps running, by key. */
  readonly signals: Map<string, AbortSignal> = new Map();
  readonly #world: TestWorld;
  readonly #stop = new AbortController();
  #ranges: HashRange[] = [];
  lastUnanswered: number = Number.NEGATIVE_INFINITY;
  isListingSlow = false;
  error: Error | undefined;
  isLeader = false;
  /** Whether it doesn't see who leads. */
  isBlind = false;
  hasLeft = false;

  constructor(world: TestWorld, name: string, options: Partial<ShardGroupOptions> = {}) {
    this.#world = world;
    this.clock = new ProcessClock(world.clock);
    const write = (line: string, fields?: LogFields): void =>
      void this.lines.push(`${line} ${JSON.stringify(fields ?? {})}`);
    const log: Logger = {
      debug: () => {},
      info: write,
      warn: write,
      error: (error, message, fields) => write(`${message}: ${(error as Error).message}`, fields),
      with: () => log,
    };
    const gate = new ConnectionGate({
      clock: this.clock,
      probe: async () => this.connection.check("probe"),
    });
    this.group = new ShardGroup({
      ...leaseDurations({}),
      client: world.cluster.client(this.connection, () => world.tick()),
      listWatch: world.cluster.listWatch(this.connection),
      gate,
      group: { namespace: "ns", id: "op" },
      name,
      identity: name,
      settings: { key: "namespace", tolerance: 0.1, drainTimeout: 30_000 },
      leader: {
        isSafe: () => world.foreignLeader === undefined && world.leader === this && !this.connection.isDown,
        holder: () => (this.isBlind ? "" : (world.foreignLeader ?? world.leader?.group.name ?? "")),
      },
      work: {
        count: async (ranges) => new Map([...world.objects].filter(([key]) => containsHash(ranges, world.hashOf(key)))),
        counted: () => new Map([...world.objects].filter(([key]) => containsHash(this.#ranges, world.hashOf(key)))),
        acquire: async (ranges, signal) => {
          while (this.isListingSlow && !signal.aborted) await world.tick();
          if (!signal.aborted) this.#ranges = mergeRanges([...this.#ranges, ...ranges]);
        },
        release: (ranges) => {
          this.#ranges = subtractRanges(this.#ranges, ranges);
        },
        lastUnansweredWrite: () => this.lastUnanswered,
      },
      clock: this.clock,
      random: () => 0.5,
      log,
      onChange: () => world.check(),
      ...options,
    });
  }

  start(): void {
    this.group.lost.catch((error: Error) => {
      this.error = error;
    });
    void this.group.run(this.#stop.signal);
  }

  /** Ends as after SIGTERM. */
  async leave(): Promise<void> {
    await this.group.leave();
    await this.group.end();
    this.hasLeft = true;
  }

  /** Ends like `kill -9`: nothing more is sent. */
  kill(): void {
    this.clock.isSuspended = true;
    this.connection.isDown = true;
    this.#world.processes.splice(this.#world.processes.indexOf(this), 1);
  }

  /** Starts a reconcile of a key and keeps it running. Returns the function that ends it. */
  reconcile(key: string): () => void {
    const { signal, end } = this.group.begin(shardHash(key), new AbortController().signal);
    this.signals.set(key, signal);
    return () => {
      this.signals.delete(key);
      end();
    };
  }

  /** The keys whose reconciles may start. */
  get keys(): string[] {
    return [...this.#world.objects.keys()].filter((key) => this.group.mayStart(this.#world.hashOf(key)));
  }
}

/** A cluster with objects and the processes of an operator. */
export class TestWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly cluster: LeaseCluster = new LeaseCluster();
  readonly objects: Map<string, number>;
  readonly processes: TestProcess[] = [];
  /** Keys that two processes could reconcile at the same time. */
  readonly conflicts: string[] = [];
  foreignLeader: string | undefined;
  readonly #hashes = new Map<string, bigint>();
  #names = 0;

  constructor(namespaces = 100, objectsOf: (index: number) => number = () => 10) {
    this.objects = new Map(Array.from({ length: namespaces }, (_, index) => [`team-${index}`, objectsOf(index)]));
  }

  hashOf(key: string): bigint {
    const hash = this.#hashes.get(key) ?? shardHash(key);
    this.#hashes.set(key, hash);
    return hash;
  }

  /** Starts a process. The first one leads. */
  add(options?: Partial<ShardGroupOptions>): TestProcess {
    const process = new TestProcess(this, `p${this.#names++}`, options);
    if (!this.processes.some(({ isLeader }) => isLeader)) process.isLeader = true;
    this.processes.push(process);
    process.start();
    return process;
  }

  /** Starts processes and waits until they share all objects. */
  async settled(count: number): Promise<TestProcess[]> {
    const processes = Array.from({ length: count }, () => this.add());
    await this.advance(30_000);
    return processes;
  }

  async advance(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      await this.clock.advance(Math.min(250, milliseconds - passed));
      this.check();
    }
  }

  async tick(): Promise<void> {
    await new Promise<void>((resolve) => this.clock.setTimeout(resolve, 100));
  }

  /** Records keys with two owners. */
  check(): void {
    const owners = new Map<string, string>();
    for (const { group, keys, signals } of this.processes.filter(({ clock }) => !clock.isSuspended)) {
      for (const key of new Set([...keys, ...signals.keys()])) {
        const other = owners.get(key);
        if (other !== undefined && !this.conflicts.includes(key))
          this.conflicts.push(`${key}: ${other} and ${group.name}`);
        owners.set(key, group.name);
      }
    }
  }

  /** The process whose Lease as the leader hasn't expired. */
  get leader(): TestProcess | undefined {
    return this.processes.find(({ isLeader, error, hasLeft }) => isLeader && !error && !hasLeft);
  }

  /** The keys without an owner. */
  get unowned(): string[] {
    const owned = new Set(this.processes.flatMap(({ keys }) => keys));
    return [...this.objects.keys()].filter((key) => !owned.has(key));
  }

  /** The number of objects per process. */
  get shares(): number[] {
    return this.processes.map(({ keys }) => keys.reduce((sum, key) => sum + this.objects.get(key)!, 0));
  }

  get table(): { owner: string; objects: number }[] {
    return tableOf(this.cluster.leases.get("op-shards")!).ranges.map(({ owner, objects }) => ({ owner, objects }));
  }
}
