import { createHash } from "node:crypto";
import { timestamp } from "../../../model/metadata.ts";
import { type Container, type ContainerState, type ContainerStatus, type Pod, timeOf } from "../common/objects.ts";
import { type Exit, exitOf, type Simulation, simulationOf } from "./simulation.ts";

const firstBackOff = 10_000;
const longestBackOff = 300_000;
/** After running for so long, a container restarts at once again. */
const forgiven = 2 * longestBackOff;
const pullBackOffAfter = 2000;

type Kind = "init" | "sidecar" | "app";

/** A container as the simulation sees it. Times are in milliseconds. */
export interface ContainerRun {
  name: string;
  image: string;
  kind: Kind;
  state: "waiting" | "running" | "exited";
  waiting: { reason: string; message?: string };
  /** When it starts again; undefined if nothing is planned. */
  startAt: number | undefined;
  startedAt: number;
  finishedAt: number;
  exit: { code: number; reason: string };
  last: ContainerState;
  restarts: number;
  backOff: number;
  id: string;
}

/** An event about a container, or about the Pod if the container is empty. */
export interface PodEvent {
  container: string;
  type: "Normal" | "Warning";
  reason: string;
  message: string;
}

/** The settings of the simulation. */
export interface ProcessSettings {
  /** How long containers take to start, in milliseconds. */
  readyAfter: number;
  random: () => number;
  /** How often earlier Pods of the same Job failed. */
  earlierFailures: number;
}

/** The reason why the node ended a Pod. */
export interface PodEnd {
  reason: string;
  message: string;
}

/** The containers of one Pod on the node. Time passes by {@link PodProcess.step}. */
export class PodProcess {
  readonly runs: ContainerRun[];
  /** Set when the node ends the Pod. */
  end: PodEnd | undefined;
  /** True once all containers are stopped for the deletion of the Pod. */
  stopped = false;
  readonly #settings: ProcessSettings;
  #boundAt: number;
  #stopAt: number | undefined;
  #events: PodEvent[] = [];

  /**
   * @param pod - the Pod, whose status continues if it has one
   * @param now - when it was assigned to the node
   * @param settings - the settings
   */
  constructor(pod: Pod, now: number, settings: ProcessSettings) {
    const { spec, status } = pod;
    this.#settings = settings;
    this.#boundAt = status?.startTime === undefined ? now : Math.min(now, timeOf(status.startTime));
    const create = (container: Container, kind: Kind): ContainerRun => {
      const statuses = kind === "app" ? status?.containerStatuses : status?.initContainerStatuses;
      return restore(
        container,
        kind,
        statuses?.find(({ name }) => name === container.name),
      );
    };
    this.runs = [
      ...(spec.initContainers ?? []).map((init) => create(init, init.restartPolicy === "Always" ? "sidecar" : "init")),
      ...spec.containers.map((one) => create(one, "app")),
    ];
    if (status?.phase === "Failed") this.end = { reason: status.reason ?? "", message: status.message ?? "" };
  }

  /** Returns the events since the last call. */
  takeEvents(): PodEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /**
   * Moves all times after a change of the wall clock. Otherwise, containers would wait for hours, or end at once.
   *
   * @param milliseconds - how far the clock was set forward; negative for back
   */
  shift(milliseconds: number): void {
    this.#boundAt += milliseconds;
    if (this.#stopAt !== undefined) this.#stopAt += milliseconds;
    for (const run of this.runs) {
      run.startedAt += milliseconds;
      run.finishedAt += milliseconds;
      if (run.startAt !== undefined) run.startAt += milliseconds;
    }
  }

  /**
   * Lets the containers do what is due.
   *
   * @param pod - the Pod
   * @param now - the time
   * @returns when the next step is due; undefined if nothing is planned
   */
  step(pod: Pod, now: number): number | undefined {
    const { simulation } = simulationOf(pod);
    if (pod.metadata.deletionTimestamp !== undefined) return this.#stop(pod, simulation, now);
    if (this.end !== undefined) return undefined;
    const deadline = this.#checkEnd(pod, simulation, now);
    if (this.end !== undefined) {
      for (const run of this.runs) if (run.state === "running") exit(run, now, 137, "Error");
      return undefined;
    }
    const readyAt = this.#boundAt + (simulation.readyAfter ?? this.#settings.readyAfter);
    const due: number[] = deadline === undefined ? [] : [deadline];
    for (const run of this.runs) {
      if (run.kind === "app" && !this.initialized) break;
      const next = this.#stepContainer(pod, simulation, run, readyAt, now);
      if (next !== undefined) due.push(next);
      if (run.kind === "init" && !isDone(run)) break;
    }
    if (this.#isFinished(pod)) for (const run of this.runs) if (run.kind === "sidecar") exit(run, now, 0, "Completed");
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  /** True once all init containers have succeeded. */
  get initialized(): boolean {
    return this.runs.every((run) => run.kind !== "init" || isDone(run));
  }

  #checkEnd(pod: Pod, { fail }: Simulation, now: number): number | undefined {
    if (fail === "evict") {
      const message = "The node was low on resource: memory. ";
      this.end = { reason: "Evicted", message };
      this.#event("", "Warning", "Evicted", message);
      return undefined;
    }
    const seconds = pod.spec.activeDeadlineSeconds;
    if (typeof seconds !== "number" || this.#isFinished(pod)) return undefined;
    const deadline = this.#boundAt + seconds * 1000;
    if (now < deadline) return deadline;
    const message = "Pod was active on the node longer than the specified deadline";
    this.end = { reason: "DeadlineExceeded", message };
    this.#event("", "Normal", "DeadlineExceeded", message);
    return undefined;
  }

  #stepContainer(
    pod: Pod,
    simulation: Simulation,
    run: ContainerRun,
    readyAt: number,
    now: number,
  ): number | undefined {
    for (;;) {
      if (run.state === "waiting") {
        const startAt = run.startAt ?? readyAt;
        if (now < startAt) return startAt;
        const blocked = this.#blocks(simulation, run, now);
        if (blocked !== undefined) return blocked === 0 ? undefined : blocked;
        this.#start(run, now);
      }
      if (run.state === "running") {
        const planned = this.#exitOf(pod, simulation, run, readyAt);
        const exitAt = planned && run.startedAt + planned.after;
        if (planned === undefined || exitAt === undefined) return undefined;
        if (now < exitAt) return exitAt;
        exit(run, Math.max(run.startedAt, exitAt), planned.code, planned.reason);
      }
      if (run.state === "exited" && !this.#restart(pod, run, now)) return undefined;
    }
  }

  /** Checks commands that keep a container from its start. Returns undefined for none, 0 for good, or the time of the next check. */
  #blocks({ fail, failContainer }: Simulation, run: ContainerRun, now: number): number | undefined {
    if ((failContainer ?? run.name) !== run.name) return undefined;
    if (fail === "creating") return 0;
    if (fail !== "image-pull") return undefined;
    const { image } = run;
    if (run.waiting.reason === "ImagePullBackOff") return 0;
    if (run.waiting.reason === "ErrImagePull") {
      const { message } = run.waiting;
      run.waiting = {
        reason: "ImagePullBackOff",
        message: `Back-off pulling image "${image}": ErrImagePull: ${message}`,
      };
      this.#event(run.name, "Normal", "BackOff", `Back-off pulling image "${image}"`);
      this.#event(run.name, "Warning", "Failed", "Error: ImagePullBackOff");
      return 0;
    }
    const problem = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
    const message = `rpc error: code = NotFound desc = ${problem}`;
    run.waiting = { reason: "ErrImagePull", message };
    run.startAt = now + pullBackOffAfter;
    this.#event(run.name, "Normal", "Pulling", `Pulling image "${image}"`);
    this.#event(run.name, "Warning", "Failed", `Failed to pull image "${image}": ${message}`);
    this.#event(run.name, "Warning", "Failed", "Error: ErrImagePull");
    return run.startAt;
  }

  #start(run: ContainerRun, now: number): void {
    run.state = "running";
    run.startedAt = now;
    if (run.last.terminated !== undefined) run.restarts++;
    run.id = `containerd://${hexadecimal(this.#settings.random)}`;
    const present = `Container image "${run.image}" already present on machine and can be accessed by the pod`;
    this.#event(run.name, "Normal", "Pulled", present);
    this.#event(run.name, "Normal", "Created", "Container created");
    this.#event(run.name, "Normal", "Started", "Container started");
  }

  #exitOf({ spec }: Pod, simulation: Simulation, run: ContainerRun, readyAt: number): Exit | undefined {
    const failures = run.restarts + this.#settings.earlierFailures;
    if (run.kind === "init") {
      const { failContainer } = simulation;
      // A failure without a name means the containers of the Pod.
      if (failContainer === run.name) return exitOf(simulation, run.name, failures, 0);
      return { after: 0, code: 0, reason: "Completed" };
    }
    const forever = run.kind === "sidecar" || (spec.restartPolicy ?? "Always") === "Always";
    const { runFor: _runFor, ...rest } = simulation;
    return exitOf(
      run.kind === "sidecar" ? rest : simulation,
      run.name,
      failures,
      forever ? undefined : readyAt - this.#boundAt,
    );
  }

  /** Plans the restart of a container that ended. Returns false if it stays as it is. */
  #restart(pod: Pod, run: ContainerRun, now: number): boolean {
    const { code } = run.exit;
    const policy = run.kind === "sidecar" ? "Always" : (pod.spec.restartPolicy ?? "Always");
    const restarts =
      run.kind === "init"
        ? code !== 0 && policy !== "Never"
        : policy === "Always" || (policy === "OnFailure" && code !== 0);
    if (!restarts) return false;
    run.last = stateOf(run);
    run.state = "waiting";
    if (run.finishedAt - run.startedAt > forgiven) run.backOff = 0;
    if (run.backOff === 0) {
      run.backOff = firstBackOff;
      run.startAt = now;
      run.waiting = { reason: "ContainerCreating" };
      return true;
    }
    const full = `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
    const message = `back-off ${goDuration(run.backOff)} restarting failed container=${run.name} pod=${full}`;
    run.waiting = { reason: "CrashLoopBackOff", message };
    run.startAt = run.finishedAt + run.backOff;
    run.backOff = Math.min(longestBackOff, run.backOff * 2);
    const event = `Back-off restarting failed container ${run.name} in pod ${full}`;
    this.#event(run.name, "Warning", "BackOff", event);
    return true;
  }

  /** True if all containers have ended for good. */
  #isFinished({ spec }: Pod): boolean {
    const policy = spec.restartPolicy ?? "Always";
    if (policy === "Always") return false;
    const failedInit = this.runs.some((run) => run.kind === "init" && run.state === "exited" && run.exit.code !== 0);
    return failedInit || this.runs.every((run) => run.kind !== "app" || run.state === "exited");
  }

  /** Stops all containers within the grace period. */
  #stop({ metadata }: Pod, { stopAfter }: Simulation, now: number): number | undefined {
    if (this.stopped) return undefined;
    const grace = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    const running = this.runs.filter(({ state }) => state === "running");
    if (this.#stopAt === undefined) {
      for (const { name } of running) this.#event(name, "Normal", "Killing", `Stopping container ${name}`);
      this.#stopAt = running.length === 0 ? now : now + stopAfter;
    }
    const killedAt = Math.max(now, timeOf(metadata.deletionTimestamp));
    const stopAt = Math.min(this.#stopAt, grace === 0 ? now : killedAt);
    if (now < stopAt) return stopAt;
    const killed = this.#stopAt > stopAt;
    for (const run of running) exit(run, now, killed ? 137 : 0, killed ? "Error" : "Completed");
    this.stopped = true;
    return undefined;
  }

  #event(container: string, type: "Normal" | "Warning", reason: string, message: string): void {
    this.#events.push({ container, type, reason, message });
  }
}

function isDone(run: ContainerRun): boolean {
  return run.state === "exited" && run.exit.code === 0;
}

function exit(run: ContainerRun, at: number, code: number, reason: string): void {
  run.state = "exited";
  run.finishedAt = at;
  run.exit = { code, reason };
}

/** Returns the state of a container as its status shows it. */
export function stateOf(run: ContainerRun): ContainerState {
  if (run.state === "waiting") return { waiting: { ...run.waiting } };
  if (run.state === "running") return { running: { startedAt: timestamp(run.startedAt) } };
  return {
    terminated: {
      containerID: run.id,
      exitCode: run.exit.code,
      finishedAt: timestamp(run.finishedAt),
      reason: run.exit.reason,
      startedAt: timestamp(run.startedAt),
    },
  };
}

/** Continues a container from its status. */
function restore({ name, image = "" }: Container, kind: Kind, status: ContainerStatus | undefined): ContainerRun {
  const run: ContainerRun = {
    name,
    image,
    kind,
    state: "waiting",
    waiting: { reason: kind === "app" ? "ContainerCreating" : "PodInitializing" },
    startAt: undefined,
    startedAt: 0,
    finishedAt: 0,
    exit: { code: 0, reason: "" },
    last: status?.lastState ?? {},
    restarts: status?.restartCount ?? 0,
    backOff: 0,
    id: status?.containerID ?? "",
  };
  const { running, terminated, waiting } = status?.state ?? {};
  if (running !== undefined) {
    run.state = "running";
    run.startedAt = timeOf(running.startedAt);
  } else if (terminated !== undefined) {
    run.state = "exited";
    run.startedAt = timeOf(terminated.startedAt);
    run.finishedAt = timeOf(terminated.finishedAt);
    run.exit = { code: terminated.exitCode, reason: terminated.reason ?? "" };
  } else if (waiting?.reason !== undefined) {
    run.waiting = { ...waiting, reason: waiting.reason };
  }
  if (run.restarts > 0) run.backOff = Math.min(longestBackOff, firstBackOff * 2 ** (run.restarts - 1));
  if (run.waiting.reason === "CrashLoopBackOff") {
    run.startAt = timeOf(run.last.terminated?.finishedAt) + run.backOff;
    run.backOff = Math.min(longestBackOff, run.backOff * 2);
  }
  return run;
}

const digests = new Map<string, string>();
const rememberedImages = 1000;

/** Returns the identifier of an image, which follows from its name. */
export function imageId(image: string): string {
  let digest = digests.get(image);
  if (digest === undefined) {
    digest = createHash("sha256").update(image).digest("hex");
    if (digests.size >= rememberedImages) digests.clear();
    digests.set(image, digest);
  }
  return `${nameOf(image)}@sha256:${digest}`;
}

/** Returns an image without its tag or digest. */
function nameOf(image: string): string {
  const digest = image.indexOf("@sha256:");
  const end = digest >= 0 ? digest : image.lastIndexOf(":");
  return end > image.lastIndexOf("/") ? image.slice(0, end) : image;
}

function hexadecimal(random: () => number): string {
  let text = "";
  while (text.length < 64)
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return text;
}

/** Formats whole seconds as Go does. */
function goDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
