import type { ApiServer, StoredWrite } from "@kubewright/apiserver";
import type { Kind } from "../api/kind.ts";
import type { Client, ObjectKey } from "../client/client.ts";
import { createLiveClient } from "../client/live-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { errorText } from "../log/error-text.ts";
import type { Manager } from "../manager/manager.ts";
import { inProcessTransport } from "../testing/in-process-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { type Learned, nothingProbed, type ProbeResults } from "./checks/learned.ts";
import { RunChecks } from "./checks/run-checks.ts";
import { builtIn } from "./checks/settled.ts";
import { noVariation } from "./checks/snapshot.ts";
import { AmbientFaults } from "./faults/ambient.ts";
import { collectAfter } from "./faults/collect-after.ts";
import { FaultInjector } from "./faults/injector.ts";
import { realImmediate, useSources } from "./globals.ts";
import { Timeline } from "./report/timeline.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { Actor } from "./schedule/actor.ts";
import { Choices } from "./schedule/choices.ts";
import { type FaultName, noFaults } from "./schedule/fault-names.ts";
import { drained, Scheduler } from "./schedule/scheduler.ts";
import { createWorld, type WorldHost } from "./world/create-world.ts";
import { observeExternal } from "./world/external.ts";
import { leader } from "./world/lease.ts";
import { Network } from "./world/network.ts";
import { OperatorProcess, type ProcessHost, writesWithoutLease } from "./world/process.ts";
import { Sightings } from "./world/sightings.ts";
import { atStart, State, titleOf } from "./world/state.ts";
import { isBookkeeping, isEndpoints, type Target } from "./world/target.ts";
import { horizonOf, namespaceTime, podsAreReady, readyTimes, unending } from "./world/times.ts";
import { touchObject } from "./world/touch.ts";
import { type UserClient, userClient } from "./world/user-client.ts";
import type { External, World } from "./world/world.ts";

/** Runs one schedule. */
export class Run implements ProcessHost {
  readonly choices: Choices;
  readonly scheduler: Scheduler;
  readonly timeline: Timeline;
  readonly cluster: Actor = new Actor("cluster");
  readonly processes: OperatorProcess[] = [];
  readonly counts: Record<FaultName, number>;
  readonly custom: ReadonlySet<string>;
  readonly learned: Learned;
  readonly probed: ProbeResults;
  leaderElection = false;
  server!: Transport;
  state!: State;
  someone!: Client;
  #client!: UserClient;
  #api!: ApiServer;
  #firstRevision = 0;
  #stopObserving = (): void => {};
  readonly #settings: RunSettings;
  readonly #endpoints: boolean;
  readonly #ambient: AmbientFaults;
  readonly #user = new Actor("user");
  readonly #someoneElse = new Actor("someone");
  readonly #world: World;
  readonly #checks: RunChecks;
  readonly sightings: Sightings = new Sightings();
  #waiting: { until: number | undefined; resolve: () => void } | undefined;
  #usesRandom = false;
  #needs: RunResult["needs"];
  readonly #resources = new Set<string>();
  #external: External = {};

  constructor(settings: RunSettings) {
    this.#settings = settings;
    this.choices = new Choices(settings.seed, settings.faults, settings.decisions, settings.nature);
    this.scheduler = new Scheduler(this.#user, (count) => this.choices.next(count), settings.nature);
    this.timeline = new Timeline(() => ({ step: this.scheduler.steps, time: this.scheduler.now }));
    this.counts = noFaults();
    this.custom = settings.prepared.custom;
    this.#endpoints = settings.endpoints ?? settings.prepared.usesEndpoints;
    this.#ambient = new AmbientFaults(this);
    this.#world = this.#newWorld(false);
    this.#checks = new RunChecks({
      invariants: settings.prepared.options.invariants ?? [],
      custom: this.custom,
      foreignFinalizers: settings.prepared.foreignFinalizers,
      expected: settings.expected,
      trace: settings.trace,
      timeline: this.timeline,
      scheduler: this.scheduler,
      processes: this.processes,
      sightings: this.sightings,
      world: this.#newWorld(true),
      state: () => this.state,
    });
    this.learned = this.#checks.learned;
    this.probed = settings.expected?.probed ?? nothingProbed;
  }

  readonly random = (): number => this.choices.operator.next();
  readonly newFaults = (isStaleStart: boolean): FaultInjector => new FaultInjector(this, isStaleStart);

  /** Runs the schedule. */
  async execute(): Promise<RunResult> {
    const onRejection = (error: unknown): void =>
      this.#checks.violated({ invariant: builtIn.rejections, message: `unhandled rejection: ${errorText(error)}` });
    const stopObserving = this.#settings.prepared.observeRejections(onRejection);
    useSources({ clock: this.scheduler.clock(new Actor("code")), random: this.random });
    let scenarioError: unknown;
    try {
      scenarioError = await this.#play();
      for (const process of this.processes) await process.dispose();
      await drained();
    } finally {
      this.#stopObserving();
      await realImmediate();
      stopObserving();
    }
    return {
      ...this.#checks.results,
      scenarioError,
      varying: noVariation,
      resources: this.#resources,
      counts: this.counts,
      decisions: { order: this.choices.order, faults: this.choices.faults },
      timeline: this.timeline,
      steps: this.scheduler.steps,
      usesRandom: this.#usesRandom,
      needs: this.#needs,
    };
  }

  async #play(): Promise<unknown> {
    await this.#startServer();
    const { prepared } = this.#settings;
    this.#external = prepared.newExternal();
    const release = observeExternal(this.#external, this, () => this.#checks.isChecking);
    try {
      const { replicas = 1, leaderElection } = prepared.options;
      const extra = replicas === 1 && leaderElection !== false && this.choices.fault("replicas", "start", 1, 100) > 0;
      if (extra) this.injected("replicas", "two processes run, with a lease");
      this.leaderElection = leaderElection ?? (replicas > 1 || extra);
      for (let number = 1; number <= (extra ? 2 : replicas); number++) {
        const process = new OperatorProcess(`operator-${number}`, this);
        this.processes.push(process);
        process.start();
      }
      let outcome: { error: unknown } | undefined;
      void Promise.resolve()
        .then(() => prepared.options.scenario(this.#world))
        .then(
          () => (outcome = { error: undefined }),
          (error: unknown) => (outcome = { error }),
        );
      await this.#drive(() => outcome !== undefined);
      const error = this.#checks.isOver ? undefined : outcome?.error;
      if (!this.#checks.isOver && error === undefined) await this.#settle(true);
      return error;
    } finally {
      release();
    }
  }

  async #startServer(): Promise<void> {
    const { scheduler, choices } = this;
    const { prepared } = this.#settings;
    const ready = prepared.usesWorkloads ? choices.fault("children", "start", readyTimes.length - 1, 2) : 0;
    const podReadyAfter = readyTimes[ready] as number;
    scheduler.actor = this.cluster;
    const { api, revision, given } = await prepared.server(this.#settings.owners);
    this.#api = api;
    const late = (at: string, what: string): number => (this.state ? collectAfter(this, at, what) : 0);
    await api.restart(revision, {
      clock: scheduler.clock(this.cluster),
      random: () => choices.server.next(),
      controllers: {
        workloads: prepared.usesWorkloads && { podReadyAfter, events: false, endpoints: this.#endpoints },
        garbageCollector: { delay: () => late("owner", "garbage collector") },
        namespace: { delay: () => namespaceTime + late("namespace", "deletion of namespaces") },
      },
    });
    this.#checks.isStalled = podReadyAfter >= unending;
    if (ready > 0) this.injected("children", podsAreReady(podReadyAfter));
    await drained();
    while (scheduler.nextTimer <= scheduler.now && scheduler.turn()) await drained();
    this.#firstRevision = this.#api.revision;
    this.state = new State(this.#api, given, this.custom);
    this.server = inProcessTransport(async () => this.#api.handle);
    this.#client = userClient(this.#newClient(this.#user));
    this.someone = this.#newClient(this.#someoneElse);
    this.#stopObserving = this.#api.observation.onWrite((write) => this.#wrote(write));
  }

  #newClient(actor: Actor): Client {
    const { server, scheduler } = this;
    const on = {
      onUse: (resource: string) => this.used(resource),
      onApply: () => this.applied(),
      // A process that starts again can miss the write.
      onSend: () => actor === this.#user && this.#ambient.happen("user"),
    };
    const transport = new Network({ server, actor, scheduler, ...on });
    return createLiveClient({ transport, mapper: createRestMapper(transport, this.scheduler.clock(actor)) });
  }

  /** Lets things happen until the condition is met, or a rule is broken. */
  async #drive(isDone: () => boolean): Promise<void> {
    const { scheduler } = this;
    let idle = 0;
    for (;;) {
      await drained();
      if (this.#checks.isOver || isDone()) return;
      const waiting = this.#waiting;
      if (waiting?.until !== undefined && !scheduler.isBusy && scheduler.nextTimer > waiting.until) {
        scheduler.advanceTo(waiting.until);
        this.#waiting = undefined;
        waiting.resolve();
        continue;
      }
      if (waiting && waiting.until === undefined) {
        await this.#settle(false);
        if (this.#checks.isOver) return;
        this.#waiting = undefined;
        waiting.resolve();
        continue;
      }
      if (this.#turn()) idle = 0;
      else if (idle++ > 1000) throw new Error("the scenario waits for something that the world doesn't contain");
      else await realImmediate();
    }
  }

  #turn(): boolean {
    const { maxSteps = 20_000 } = this.#settings.prepared.options;
    this.#checks.overdue();
    // Timers, renewals and watches also take steps while nothing happens.
    if (this.scheduler.steps <= maxSteps * (1 + this.scheduler.now / 3_600_000)) return this.scheduler.turn();
    this.#checks.exhausted(this.scheduler.steps);
    return true;
  }

  /** Lets things happen until nothing is left to do, then checks the state. */
  async #settle(isLast: boolean): Promise<void> {
    this.#checks.beginSettling();
    await this.#quiet(true);
    await this.#settings.probe?.({
      ambient: this.#ambient,
      quiet: () => this.#quiet(false),
      restart: () => {
        for (const process of this.processes) process.crash(0);
      },
    });
    this.#checks.settled(isLast);
    if (this.#checks.isOver) return;
    const { expected, seed } = this.#settings;
    // A restart reconciles all objects. It costs time, so not every schedule does it.
    if (expected !== undefined && seed % 4 !== 0) return;
    this.#checks.isIdle = true;
    this.choices.mayFail = false;
    this.timeline.add("simulation", "check", "", "", "the operator starts again, and must write nothing");
    for (const process of this.processes) process.crash(0);
    await this.#quiet(false);
    this.#checks.isIdle = false;
    this.choices.mayFail = true;
  }

  async #quiet(withFaults: boolean): Promise<void> {
    let rested = false;
    const { scheduler } = this;
    for (;;) {
      await drained();
      if (this.#checks.violation) return;
      const isQuiet =
        !scheduler.isBusy &&
        !scheduler.isHolding &&
        scheduler.nextEffect > Math.max(this.#checks.lastEffect, scheduler.lastRelease) + horizonOf(this.processes) &&
        (!this.leaderElection || this.#hasLeader());
      // One fault per rest leaves others for later ones.
      if (withFaults && !(isQuiet && rested) && this.#ambient.happen(isQuiet ? "rest" : "other")) {
        rested ||= isQuiet;
        this.#checks.lastEffect = scheduler.now;
        continue;
      }
      if (isQuiet) return;
      if (!this.#turn()) return;
    }
  }

  #wrote(write: StoredWrite): void {
    const { actor } = this.scheduler;
    const process = this.processes.find((one) => one.actor === actor);
    const isEffect = this.state.apply(write, actor.name, (process?.reconciles.size ?? 0) > 0);
    if (write.isNew) process?.created(write.after);
    const action = write.isDeletion ? "delete" : write.isNew ? "create" : "update";
    const title = titleOf(write);
    if (!isEffect) {
      if (write.resource === "leases") this.#checks.wroteLease(write);
      this.timeline.add(actor.name, action, title, String(write.revision));
      return;
    }
    this.timeline.write(actor.name, action, title, write);
    this.#checks.wrote(write, action, process);
  }

  async operator(mgr: Manager): Promise<void> {
    await this.#settings.prepared.options.operator(mgr, this.#world);
  }

  record(actor: string, action: string, object = "", revision = "", detail = ""): void {
    if (action === "start" || action === "exit") this.#checks.lastEffect = this.scheduler.now;
    this.timeline.add(actor, action, object, revision, detail);
    if (action === "external") this.#checks.traced();
  }

  injected(name: FaultName, detail: string, object = ""): void {
    this.counts[name]++;
    this.#checks.disturbed(name, object);
    this.timeline.add("simulation", `fault ${name}`, object, "", detail);
  }

  revisions(): { first: number; current: number } {
    return { first: this.#firstRevision, current: this.#api.revision };
  }

  revisionOf(kind: Kind, { namespace = "", name }: ObjectKey): string {
    return String(this.#api.observation.revision(kind.group, kind.kind, namespace, name) ?? "");
  }

  read(actor: Actor, id: string, revision: string): void {
    // An object that exists, and isn't in the cache, was seen before its creation.
    const seen = revision === "" ? (this.state.objects.has(id) ? 0 : this.#api.revision) : Number(revision);
    if (this.sightings.isOutdated(actor, id, seen)) this.#checks.worksWithOlderState = true;
  }

  used(resource: string): void {
    this.#resources.add(resource);
    if (!this.#endpoints && isEndpoints(resource)) this.#incomplete("endpoints");
  }

  applied(): void {
    if (!(this.#settings.owners ?? this.#settings.prepared.appliesObjects)) this.#incomplete("owners");
  }

  /** Ends the run, because the server lacks something. It must be repeated with a server that has it. */
  #incomplete(needs: NonNullable<RunResult["needs"]>): void {
    this.#needs = needs;
    this.#checks.violated({ invariant: builtIn.convergence, message: `the run needs ${needs}` });
  }

  #hasLeader(): boolean {
    const holder = leader(this.#api);
    return this.processes.some(({ identity, isElected, actor }) => identity === holder && isElected && !actor.isEnded);
  }

  sent(process: OperatorProcess, target: Target): void {
    if (!this.leaderElection) return;
    const message = writesWithoutLease(process, target, this.state, leader(this.#api));
    if (message !== undefined) this.#checks.violated({ invariant: builtIn.writers, message });
  }

  stalled(): void {
    this.#checks.isStalled = true;
  }

  async touch(target: Target): Promise<void> {
    const tracked = this.state.find(target);
    if (!tracked) return;
    const isTracked = !isBookkeeping(target) && (tracked.creator === "user" || tracked.creator === atStart);
    const value = String(this.counts.conflict);
    await touchObject(tracked.object, value, this, this.#someoneElse);
    // The operator may own the annotations of its children.
    if (isTracked) this.#checks.touches.set(tracked.id, { uid: tracked.object.metadata?.uid, value });
  }

  #newWorld(isShared: boolean): World {
    const host: WorldHost = {
      client: () => this.#client,
      external: () => this.#external,
      server: () => this.#api,
      reads: ({ kind }) => isEndpoints(kind) && this.used(kind),
      wait: (milliseconds) => this.#wait(milliseconds === undefined ? undefined : this.scheduler.now + milliseconds),
      restart: async () => {
        for (const process of this.processes) process.crash(0);
      },
      fault: async (name, options) => {
        if (this.#settings.expected) this.#ambient.demand(name, options);
      },
      random: () => {
        this.#usesRandom = true;
        return this.choices.world.next();
      },
    };
    return createWorld(host, isShared);
  }

  #wait(until: number | undefined): Promise<void> {
    if (this.#waiting) throw new Error("the scenario already waits: await settled() and advance() one after another");
    return new Promise((resolve) => {
      this.#waiting = { until, resolve };
    });
  }
}
