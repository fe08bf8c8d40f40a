import type { KubernetesObject } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { linkSignals } from "../../clock/abort.ts";
import type { Clock } from "../../clock/clock.ts";
import { errorText } from "../../log/error-text.ts";
import { type Logger, silentLogger } from "../../log/logger.ts";
import type { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import type { SimulatedProcess } from "../../session/simulated-process.ts";
import type { ShardGroup } from "../../shard-group/shard-group.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import type { Program } from "../programs/program.ts";
import { createProcess } from "../programs/program-process.ts";
import { builtIn } from "../report/verdict.ts";
import { Actor } from "../schedule/actor.ts";
import { drained } from "../schedule/scheduler.ts";
import { type Elector, type LeaseKey, leader, leaseName } from "./lease.ts";
import { Network, noResponse } from "./network.ts";
import { type ActiveReconcile, reconcileTracer } from "./reconcile-tracer.ts";
import { RecordingClient } from "./recording-client.ts";
import type { RequestFaults } from "./request-faults.ts";
import type { RunWorld } from "./run-world.ts";
import { ShardReconciles } from "./shard-reconciles.ts";
import { isOfUsers, type Tracked } from "./state.ts";
import { isBlindPatch, isBookkeeping, type Target } from "./target.ts";
import { electionTimes, stopTime } from "./times.ts";

/** The code that each process of the operator runs. */
export interface OperatorCode {
  /** The version of the operator, in a simulation of an upgrade. */
  readonly version?: string;
  /** Whether the processes elect a leader. A program decides that itself. */
  readonly leaderElection: boolean;
  /** Whether the processes share the objects. */
  readonly sharding: ManagerOptions["sharding"];
  /** The class of managers of the runtime of the version. */
  readonly manager: typeof Manager;
  /** Sets up the controllers with the manager of a process. */
  operator(mgr: Manager): Promise<void>;
  /** The program that creates its manager itself, in place of `operator`. */
  readonly program?: Program;
  /** The external systems that take the place of those that programs declare. */
  readonly external: NonNullable<SimulatedProcess["external"]>;
  /** Creates the faults of a process that starts. With `isStaleStart`, the server is behind meanwhile. */
  newFaults(process: Elector, isStaleStart: boolean): RequestFaults;
}

/** The user agent of an operator that isn't a program, from which the server derives the field manager. */
const operatorAgent = "operator";

/** One process of the operator: its manager, connection and clock. A crash ends it, and a new one starts in its place. */
export class OperatorProcess {
  readonly name: string;
  /** The version of the operator that it runs. */
  readonly version: string;
  /** The manager of the latest start. */
  manager: Manager | undefined;
  /** Called with each request that writes, when it is sent. */
  onSend: ((process: OperatorProcess, request: TransportRequest) => void) | undefined;
  readonly reconciles: Set<ActiveReconcile> = new Set();
  /** The errors of requests whose last reconcile failed. They are retried with a growing delay. */
  readonly failing: Map<string, Error> = new Map();
  network: Network | undefined;
  faults: RequestFaults;
  actor: Actor;
  /** Identity in the lease. */
  identity = "";
  starts = 0;
  /** Virtual time of the latest start. */
  startedAt = 0;
  /** Time in milliseconds by which its wall clock is wrong. */
  skew = 0;
  /** Its reconciles, if processes share the objects. */
  readonly shards: ShardReconciles = new ShardReconciles();
  /** The lease that it needs to lead, once its manager exists. */
  lease: LeaseKey | undefined;
  /** Whether it leads, as far as it has found out. */
  isElected = false;
  /** Why its program ended before it created a manager. */
  problem: string | undefined;
  /** UIDs of objects that the process has created, and whose events it hasn't received. */
  readonly #created = new Set<string>();
  readonly #world: RunWorld;
  readonly #code: OperatorCode;
  /** End the managers of the process. */
  readonly #stops: AbortController[] = [];
  readonly #running: Promise<void>[] = [];
  #ends = 0;
  #onStopped: (() => void) | undefined;
  /** End the orderly stops that still wait, as their time limit does. */
  readonly #limits = new Set<() => void>();

  /**
   * @param name - the name of its actor
   * @param world - the parts of the run
   * @param code - what it runs
   */
  constructor(name: string, world: RunWorld, code: OperatorCode) {
    this.name = name;
    this.#world = world;
    this.#code = code;
    this.version = code.version ?? "";
    this.actor = new Actor(name);
    this.faults = code.newFaults(this, false);
  }

  /**
   * Starts the process.
   *
   * @param isStale - whether its first lists may be old
   */
  start(isStale = false): void {
    this.actor = new Actor(this.name);
    this.faults = this.#code.newFaults(this, isStale);
    this.identity = `${this.name}-${++this.starts}`;
    this.startedAt = this.#world.scheduler.now;
    this.isElected = false;
    this.lease = undefined;
    this.#created.clear();
    const stop = new AbortController();
    this.#stops.push(stop);
    const { actor } = this;
    const { program } = this.#code;
    if (program) {
      void this.#runProgram(program, stop.signal);
      return;
    }
    this.#running.push(
      this.#run(stop.signal).then(
        () => this.#exited(actor, "the manager ended"),
        (error: unknown) => this.#exited(actor, errorText(error)),
      ),
    );
  }

  /** Its name as a member of a group that shares the objects. */
  get member(): string {
    return this.#group?.name ?? this.identity;
  }

  get #group(): ShardGroup | undefined {
    return (this.manager?.shards as { group?: ShardGroup } | undefined)?.group;
  }

  /** Stops the process as SIGTERM does. It doesn't start again. */
  stop(onStopped: () => void): void {
    this.#onStopped ??= onStopped;
    this.#stops.at(-1)?.abort();
    // It has crashed, and would start again.
    if (this.actor.isEnded) {
      this.end();
      onStopped();
    }
  }

  /** Whether the process watches a resource, and hasn't received the event of an object that it has created. */
  awaitsEvent({ resource, object }: Tracked): boolean {
    return this.#created.has(object.metadata?.uid ?? "") && (this.network?.watched.has(resource) ?? false);
  }

  /** Notes that the process has created an object. */
  created(object: unknown): void {
    this.#created.add((object as KubernetesObject).metadata?.uid ?? "");
  }

  /** Ends the process at once: nothing that it does from now on reaches the world. It starts again after a time. */
  crash(milliseconds: number, isStale = false): void {
    const { scheduler, timeline } = this.#world;
    this.shards.clear();
    scheduler.end(this.actor);
    this.network?.cut();
    this.reconciles.clear();
    this.failing.clear();
    const ends = ++this.#ends;
    if (this.#onStopped) {
      scheduler.after(0, this.#onStopped);
      return;
    }
    scheduler.after(milliseconds, () => {
      // A restart while the process is down takes the place of its later start, or two would run under one name.
      if (ends !== this.#ends) return;
      timeline.add(this.name, "start");
      this.start(isStale);
    });
  }

  /** Ends the process for good. */
  end(): void {
    this.#ends++;
    this.shards.clear();
    this.#world.scheduler.end(this.actor);
    this.network?.cut();
    this.reconciles.clear();
    this.failing.clear();
  }

  /** Ends all managers of the process, so that nothing of them remains. */
  async dispose(): Promise<void> {
    for (const stop of this.#stops) stop.abort();
    this.#world.scheduler.end(this.actor);
    this.network?.cut();
    if (!this.#code.sharding) return;
    // Time passes no longer, so a manager would wait forever, and stay in the memory.
    await drained();
    for (const end of this.#limits) end();
  }

  #exited(actor: Actor, reason: string): void {
    if (actor.isEnded || actor !== this.actor) return;
    this.#world.timeline.add(this.name, "exit", "", "", reason);
    this.crash(1000);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { actor } = this;
    const options = this.#managerOptions({
      leaderElection: this.#code.leaderElection,
      leaderElectionID: leaseName,
    });
    const mgr = await this.#code.manager.create({ host: "http://simulation" }, options);
    this.#use(mgr, actor, operatorAgent);
    await this.#code.operator(mgr);
    if (!actor.isEnded) await mgr.start(signal);
  }

  /** Runs a program, which creates its manager itself. It ends when it exits, or with its manager. */
  async #runProgram(program: Program, stop: AbortSignal): Promise<void> {
    const { actor } = this;
    const ended = (reason: string): void => {
      if (!this.manager && actor === this.actor && !actor.isEnded) this.problem ??= reason;
      this.#exited(actor, reason);
    };
    let agent = operatorAgent;
    const simulated = createProcess(program, this.identity, {
      onExit: ended,
      external: this.#code.external,
      managers: {
        options: (given, name) => {
          agent = name;
          return this.#managerOptions(given, name) as typeof given;
        },
        created: (mgr) => this.#use(mgr as Manager, actor, agent),
        run: async (start, signal) => {
          if (actor.isEnded) return noResponse();
          const linked = linkSignals(signal, stop);
          try {
            await start(linked.signal);
            ended("the manager ended");
          } catch (error) {
            ended(errorText(error));
            throw error;
          } finally {
            linked.release();
          }
        },
      },
    });
    await program.run(simulated).catch((error: unknown) => ended(errorText(error)));
  }

  /** Returns the options of a manager whose connection, clock and random numbers are those of the simulation. */
  #managerOptions(given: ManagerOptions, agent = operatorAgent): ManagerOptions {
    const { choices } = this.#world;
    const { actor } = this;
    const network = this.#connect(actor, agent);
    this.network = network;
    const { leaderElection = false, leaderElectionConfig: _, leaderElectionNamespace = "default", ...other } = given;
    const wrap = given.client?.wrap;
    if (leaderElection) this.lease = { namespace: leaderElectionNamespace, name: given.leaderElectionID ?? "" };
    return {
      ...other,
      sharding: this.#code.sharding ?? false,
      transport: network,
      clock: this.#clock(actor),
      random: () => choices.operator.next(),
      logger: this.#logger(),
      tracer: reconcileTracer(this, this.#world, () => actor === this.actor && !actor.isEnded),
      metrics: { bindAddress: "0" },
      healthProbeBindAddress: "0",
      pprofBindAddress: "0",
      inspect: false,
      // Nothing calls them, and a server would wait for real files and sockets.
      webhook: { port: -1 },
      // Only with shards, processes stop in an orderly way.
      gracefulShutdownTimeout: this.#code.sharding ? stopTime : 0,
      client: {
        ...given.client,
        wrap: (client) => new RecordingClient(wrap?.(client) ?? client, actor, this.#world),
      },
      ...(leaderElection
        ? {
            leaderElection,
            leaderElectionNamespace,
            leaderElectionIdentity: this.identity,
            ...electionTimes,
          }
        : {}),
    };
  }

  /** Returns the clock of a start. Its wall clock can be wrong. */
  #clock(actor: Actor): Clock {
    const { scheduler } = this.#world;
    const clock = scheduler.clock(actor);
    if (!this.#code.sharding) return clock;
    const date = (): Date => new Date(scheduler.time + this.skew);
    const setTimeout: Clock["setTimeout"] = (callback, milliseconds) => {
      if (milliseconds === stopTime) this.#limits.add(callback);
      return clock.setTimeout(callback, milliseconds);
    };
    return { ...clock, date, setTimeout, background: { ...(clock.background as Clock), date } };
  }

  #connect(actor: Actor, agent: string): Network {
    const { server, scheduler, usage } = this.#world;
    return new Network({
      server,
      scheduler,
      actor,
      faults: this.faults,
      crash: () => this.#crashedByFault(actor),
      usage,
      isForPredecessor: (target, request) => isBlindPatch(request, target) && this.#knowsPredecessorOnly(actor, target),
      agent,
      onSend: (target, request) => {
        if (actor !== this.actor) return;
        if (this.lease && !this.#code.sharding) this.#checkLease(target, this.lease);
        this.onSend?.(this, request);
      },
      onEvent: (type, object) => this.#onEvent(type, object as KubernetesObject),
    });
  }

  /** Observes the manager of a start. */
  #use(mgr: Manager, actor: Actor, agent: string): void {
    void mgr.elected.then(() => {
      if (actor === this.actor) this.isElected = true;
    });
    // Reads that bypass the cache are part of the timeline, too.
    Object.assign(mgr, {
      apiReader: new RecordingClient(mgr.apiReader as Client, actor, this.#world),
      childrenObserver: this.#world.children.observer(actor, agent, () => this.#world.state.revision),
    });
    if (actor !== this.actor) return;
    this.manager = mgr;
    if (this.#group) this.shards.observe(this.#group, () => actor === this.actor);
  }

  /**
   * Whether a process has read an object of the user, but not the one that has its name now. A patch without a UID would then
   * change the wrong one. In a cluster this is unlikely, and it affects each operator with such patches.
   */
  #knowsPredecessorOnly(actor: Actor, target: Target): boolean {
    const tracked = this.#world.state.find(target);
    const last = tracked && isOfUsers(tracked) ? this.#world.sightings.last(actor, tracked.id) : undefined;
    return tracked !== undefined && last !== undefined && last < tracked.since;
  }

  /**
   * Checks a write that the process sends: it must not be one of the leader's while another process holds the lease.
   *
   * @param target - what it writes
   * @param lease - its lease
   */
  #checkLease(target: Target, lease: LeaseKey): void {
    const { api, state, verdict } = this.#world;
    const holder = leader(api, lease);
    if (isBookkeeping(target) || !holder || holder === this.identity) return;
    // Each process may prepare objects of its own, but not change those of users.
    const tracked = this.reconciles.size === 0 ? state.find(target) : undefined;
    if (this.reconciles.size === 0 && !(tracked && isOfUsers(tracked))) return;
    const message = `${this.identity} writes ${target.resource} ${target.name}, but ${holder} holds the lease`;
    verdict.violated({ invariant: builtIn.writers, message });
  }

  #crashedByFault(actor: Actor): void {
    if (actor.isEnded) return;
    const wait = [0, 1000, 30_000][this.#world.choices.detail("crash", "restart", 2)] as number;
    this.crash(wait);
  }

  #onEvent(type: string, { kind = "", metadata }: KubernetesObject): void {
    if (type === "BOOKMARK") return;
    this.#created.delete(metadata?.uid ?? "");
    const title = `${kind} ${[metadata?.namespace, metadata?.name].filter(Boolean).join("/")}`;
    this.#world.timeline.add(this.name, "event", title, metadata?.resourceVersion ?? "", type);
  }

  #logger(): Logger {
    return {
      ...silentLogger,
      error: (error, message) => {
        if (message === "Reconciler error") this.#world.timeline.add(this.name, "error", "", "", errorText(error));
      },
      with: () => this.#logger(),
    };
  }
}
