import type { KubernetesObject } from "../../api/index.ts";
import { rawPatch } from "../../client/patch.ts";
import { kindOf } from "../checks/snapshot.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import type { OperatorProcess } from "../world/process.ts";
import { Replicas } from "../world/replicas.ts";
import type { RunWorld } from "../world/run-world.ts";
import { isOfUsers, type Tracked } from "../world/state.ts";
import type { FaultOptions } from "../world/world.ts";
import { ByHand, type Victim } from "./by-hand.ts";
import { pick, title } from "./pick.ts";

/** Nothing is left to do, a user writes, or any other moment. */
type Moment = "rest" | "user" | "other";

/** Times in milliseconds by which wall clocks are wrong. */
const skews = [3_600_000, -3_600_000, 70_000, -10_000, 0] as const;
const pauses = [5000, 20_000, 70_000, 120_000] as const;

/** Lets faults happen to the world: crashes at rest, pauses, edits by hand, late and failing controllers. */
export class AmbientFaults {
  readonly #world: RunWorld;
  readonly #operator: Victim;
  /** Objects that somebody creates and deletes again. */
  readonly #brief = new Set<string>();
  readonly hands: ByHand;
  /** The processes that share the objects. */
  replicas: Replicas | undefined;

  /**
   * @param world - the parts of the run
   * @param operator - the operator to which faults happen
   */
  constructor(world: RunWorld, operator: Victim) {
    this.#world = world;
    this.#operator = operator;
    this.hands = new ByHand(world, operator);
  }

  /**
   * Decides about one moment.
   *
   * @param moment - the moment
   * @returns whether a fault has happened
   */
  happen(moment: Moment): boolean {
    const { choices } = this.#world;
    const likelihood = likelihoods[moment];
    let happened = false;
    for (const name of choices.planned) {
      const variants = variantsOf[name];
      if (variants === undefined || (moment === "rest" && name === "children")) continue;
      if (moment === "user" && !ofProcesses.has(name)) continue;
      const variant = choices.fault(name, moment, variants, likelihood);
      // Several faults of one moment happen in any order.
      if (variant > 0) happened = this.#inject(name, variant, happened ? "other" : moment) || happened;
    }
    return happened;
  }

  /** Injects a fault that a scenario demands. */
  demand(name: FaultName, options: FaultOptions = {}): void {
    const { scheduler, timeline, actors } = this.#world;
    const { processes } = this.#operator;
    const milliseconds = options.for ?? 20_000;
    switch (name) {
      case "crash":
        for (const process of processes.slice(0, 1)) this.#crash(process, options.for ?? 0);
        return;
      case "stale":
      case "watch":
        for (const process of processes) {
          for (const watch of process.network?.watches ?? []) {
            if (options.kind && !matches(options.kind.kind, watch.resource)) continue;
            if (name === "watch") watch.cut(process.faults.cutError(3, watch.resource));
            else {
              timeline.fault("stale", `the cache of ${watch.resource} lags behind for ${milliseconds / 1000} s`);
              scheduler.hold(watch.lane, milliseconds);
            }
          }
        }
        return;
      case "time":
        for (const process of processes.slice(0, 1)) this.#pause(process, milliseconds);
        return;
      case "children":
      case "gc":
        timeline.fault(name, `the cluster's controllers stop for ${milliseconds / 1000} s`);
        scheduler.pause(actors.cluster, milliseconds);
        return;
      case "hands":
        this.hands.deleteChild(options);
        return;
      case "recreate":
        this.#recreate(options);
        return;
      case "conflict":
      case "lost":
      case "errors":
        for (const process of processes) process.faults.demand(name);
        return;
      case "replicas":
        return;
      case "rescale":
        for (const process of processes.slice(0, 1)) this.replicas?.change(4, process);
        return;
      case "skew":
        for (const process of processes.slice(0, 1)) this.#skew(process, 1);
        return;
    }
  }

  #inject(name: FaultName, variant: number, moment: Moment): boolean {
    const { choices, timeline } = this.#world;
    const { processes } = this.#operator;
    const process = processes[processes.length > 1 ? choices.detail(name, "process", processes.length - 1) : 0];
    if (!process || process.actor.isEnded) return false;
    switch (name) {
      case "stale":
        timeline.fault("stale", `${process.name} starts again, with a server that is behind`);
        process.crash(0, true);
        return true;
      case "crash":
        this.#crash(process, [0, 5000][variant - 1] as number);
        return true;
      case "time":
        this.#pause(process, pauses[variant - 1] as number);
        return true;
      case "watch": {
        const watches = [...(process.network?.watches ?? [])];
        const watch = watches[(variant - 1) % Math.max(1, watches.length)];
        if (!watch) return false;
        watch.cut(process.faults.cutError(1 + (variant % 3), watch.resource));
        return true;
      }
      case "hands":
        return this.hands.change(variant, moment === "rest");
      case "recreate":
        return this.#recreate({}, variant);
      case "children":
        return this.#children(variant);
      case "rescale":
        return this.replicas?.change(variant, process) ?? false;
      case "skew":
        return this.#skew(process, variant);
      default:
        return false;
    }
  }

  #crash(process: OperatorProcess, wait: number): void {
    this.#world.timeline.fault("crash", `${process.name} ends and starts again after ${wait / 1000} s`);
    process.crash(wait);
  }

  #skew(process: OperatorProcess, variant: number): boolean {
    const milliseconds = skews[variant - 1] as number;
    if (process.skew === milliseconds) return false;
    this.#world.timeline.fault("skew", `the wall clock of ${process.name} is wrong by ${milliseconds / 1000} s`);
    process.skew = milliseconds;
    return true;
  }

  #pause(process: OperatorProcess, milliseconds: number): void {
    if (process.actor.isPaused) return;
    this.#world.timeline.fault("time", `${process.name} is suspended for ${milliseconds / 1000} s`);
    this.#world.scheduler.pause(process.actor, milliseconds);
  }

  /** Returns the identifiers of the custom resources of users that nothing deletes at present. */
  idsOfUsers(): string[] {
    return this.#ofUsers().map(({ id }) => id);
  }

  /** Removes the finalizers of an object that is still being deleted. */
  release(id: string): boolean {
    const object = this.#world.state.objects.get(id)?.object;
    if (!object?.metadata?.deletionTimestamp) return false;
    const patch = rawPatch("application/merge-patch+json", { metadata: { finalizers: null } });
    void this.#world.someone.patch(object, patch).catch(() => {});
    return true;
  }

  /**
   * Deletes custom resources of users.
   *
   * @param ids - the identifiers
   * @returns a function that creates again those that are gone
   */
  delete(ids: readonly string[]): () => void {
    const { state, someone } = this.#world;
    const gone: KubernetesObject[] = [];
    for (const { id, object } of this.#ofUsers()) {
      if (!ids.includes(id)) continue;
      const next = asCreated(object);
      state.whenGone(id, () => gone.push(next));
      void someone.delete(object).catch(() => {});
    }
    return () => {
      for (const object of gone) void someone.create(object).catch(() => {});
    };
  }

  /** Returns the custom resources of users that nothing deletes at present, and nothing keeps. */
  #ofUsers(): Tracked[] {
    const { state, custom } = this.#world;
    return [...state.objects.values()].filter(
      ({ id, object, group, creator }) =>
        isOfUsers({ creator }) &&
        !state.isGoing(id) &&
        custom.has(`${group}/${object.kind}`) &&
        !object.metadata?.deletionTimestamp &&
        !state.isHeld(object),
    );
  }

  /** Deletes an object of the user, and creates it again as soon as it is gone. */
  #recreate({ kind, key }: FaultOptions, variant = 1): boolean {
    const { state } = this.#world;
    // The children of a deleted object don't remain, unlike those that the user keeps without their owner.
    if (this.hands.isRestoring || this.#operator.learned.orphans) return false;
    const deleted = [...state.objects.values()].filter(
      (tracked) => isOfUsers(tracked) && tracked.object.metadata?.deletionTimestamp,
    );
    const candidates = this.#ofUsers().filter(
      ({ id, object }) =>
        // No operator can clean up after an object that is deleted before it sees that its finalizer is missing.
        this.hands.isProtected(object) &&
        !this.#operator.probed.inUse.has(id) &&
        !state.hasChangedChild(object) &&
        !this.#brief.has(id) &&
        // An object that is being deleted can wait until others no longer use it, and is gone while they are.
        !deleted.some((other) => other.object.kind !== object.kind) &&
        (!kind || kind.kind === object.kind) &&
        (!key || key.name === object.metadata?.name),
    );
    const tracked = pick(candidates, variant);
    if (!tracked) return this.#createBriefly(variant);
    this.#world.timeline.fault("recreate", "somebody deletes the object, and creates it again", title(tracked.object));
    this.#createWhenGone(tracked);
    return true;
  }

  /** Deletes the custom resources of users, and creates each one again as soon as it is gone. */
  recreateAll(): void {
    for (const tracked of this.#ofUsers()) this.#createWhenGone(tracked);
  }

  #createWhenGone({ id, object }: Tracked): void {
    const { state, someone } = this.#world;
    const next = asCreated(object);
    state.whenGone(id, () => void someone.create(next).catch(() => {}));
    void someone.delete(object).catch(() => {});
  }

  /**
   * Creates an object again that the scenario has deleted, and deletes it at once: the operator may not have finished its first
   * reconcile. Only if all objects of users are gone, so that the state becomes the same again.
   */
  #createBriefly(variant: number): boolean {
    const { state, someone, custom } = this.#world;
    if ([...state.objects.values()].some(isOfUsers)) return false;
    const deleted = [...state.deleted].filter(([id]) => custom.has(kindOf(id)));
    const candidate = pick(deleted, variant);
    if (!candidate) return false;
    const [id, before] = candidate;
    const object = before();
    this.#brief.add(id);
    this.#world.timeline.fault("recreate", "somebody creates the object again, and deletes it at once", title(object));
    const next = asCreated(object);
    void someone
      .create(next)
      .then(() => someone.delete(next))
      .catch(() => {});
    return true;
  }

  #children(variant: number): boolean {
    const { scheduler, state, someone, actors } = this.#world;
    const { cluster } = actors;
    if (variant > 5) return this.#stall(variant);
    if (variant <= 3) {
      const milliseconds = pauses[variant - 1] as number;
      if (cluster.isPaused || ![...state.objects.values()].some(({ object }) => hasController(object))) return false;
      this.#world.timeline.fault("children", `the cluster's controllers stop for ${milliseconds / 1000} s`);
      scheduler.pause(cluster, milliseconds);
      return true;
    }
    const pods = [...state.objects.values()].filter(
      ({ object }) =>
        object.kind === "Pod" &&
        object.metadata?.ownerReferences?.some(({ kind }) => kind === "ReplicaSet" || kind === "StatefulSet") &&
        (object as { status?: { phase?: string } }).status?.phase === "Running",
    );
    const pod = pick(pods, variant);
    if (!pod) return false;
    this.#world.timeline.fault("children", "the Pod fails", title(pod.object));
    const patch = rawPatch("application/merge-patch+json", { status: { phase: "Failed", reason: "Evicted" } });
    void someone.status.patch(pod.object, patch).catch(() => {});
    return true;
  }

  /** Lets children stay as they are: the controllers of the cluster stop, or a Job fails for good. */
  #stall(variant: number): boolean {
    const { scheduler, state, someone, timeline, actors } = this.#world;
    const { cluster } = actors;
    const children = [...state.objects.values()].filter(({ object }) => hasController(object));
    if (cluster.isPaused || children.length === 0) return false;
    const job = children.find(({ object }) => object.kind === "Job" && !isFinished(object));
    if (variant === 7 && !job) return false;
    state.isStalled = true;
    timeline.fault("children", "the cluster's controllers stop for good", job && title(job.object));
    scheduler.stop(cluster);
    if (variant < 7 || !job) return true;
    const reason = {
      status: "True",
      reason: "BackoffLimitExceeded",
      lastTransitionTime: new Date(scheduler.time).toISOString().replace(/\.\d+/, ""),
    };
    const conditions = ["FailureTarget", "Failed"].map((type) => ({ type, ...reason }));
    const patch = rawPatch("application/merge-patch+json", { status: { failed: 1, active: 0, ready: 0, conditions } });
    void someone.status.patch(job.object, patch).catch(() => {});
    return true;
  }
}

function isFinished(job: KubernetesObject): boolean {
  const { conditions = [] } = (job as { status?: { conditions?: { type: string }[] } }).status ?? {};
  return conditions.some(({ type }) => type === "Complete" || type === "Failed");
}

/** Faults that happen to processes and their connections, not to objects. */
const ofProcesses: ReadonlySet<FaultName> = new Set(["stale", "crash", "time", "watch", "rescale", "skew"]);

/** Factors of the probability of a fault. */
const likelihoods: Readonly<Record<Moment, number>> = { rest: 4, user: 0.3, other: 0.1 };

/** Number of variants of faults that can happen at any moment. */
const variantsOf: Partial<Record<FaultName, number>> = {
  stale: 1,
  crash: 2,
  time: pauses.length,
  watch: 6,
  hands: ByHand.variants,
  recreate: 2,
  children: 7,
  rescale: Replicas.variants,
  skew: skews.length,
};

/** Returns an object without what the server and the operator have added. */
function asCreated(object: KubernetesObject): KubernetesObject {
  const { metadata, status: _, ...rest } = object as KubernetesObject & { status?: unknown };
  const { name, namespace, labels, annotations } = metadata ?? {};
  return {
    ...rest,
    metadata: { name, namespace, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
  } as KubernetesObject;
}

function hasController({ kind }: KubernetesObject): boolean {
  return ["Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet", "CronJob"].includes(kind ?? "");
}

function matches(kind: string, resource: string): boolean {
  return resource.startsWith(kind.toLowerCase().slice(0, -1));
}
