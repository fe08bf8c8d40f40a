import { cloneJson, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import { claimObjects } from "../common/claims.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { type Condition, conditionOf, controllerOf, keyOf, type Pod, timeOf } from "../common/objects.ts";
import { isReady, PodControl } from "../common/pods.ts";
import { newJobPod, surplusPods } from "./pods.ts";
import { judge } from "./policies.ts";
import {
  type BackOff,
  endOf,
  evaluate,
  type JobSync,
  jobCondition,
  pendingIndexes,
  untilDeadline,
  waitAfter,
  waitOfIndex,
  wantedPods,
} from "./sync.ts";
import {
  finishedCondition,
  indexOf,
  isFailed,
  isIndexed,
  isTracked,
  type Job,
  type JobStatus,
  trackingFinalizer,
  waitsForFailure,
} from "./types.ts";

/** At most this many Pods are created, deleted or counted at once. */
const burst = 500;
const ownController = "kubernetes.io/job-controller";

/** Runs the Pods of Jobs to completion. */
export class JobController {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #pods: PodControl;
  readonly #informer: Informer<Job>;
  readonly #queue: WorkQueue;
  readonly #cleaner: SystemClient;
  readonly #backOffs = new Map<string, BackOff>();

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "job-controller");
    this.#cleaner = new SystemClient(engine, "ttl-after-finished-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "job-controller" });
    this.#pods = new PodControl(context, this.#client, this.#events);
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    const orphans = new WorkQueue(engine, (key) => this.#releaseOrphan(key));
    this.#informer = context.informer<Job>("batch", "jobs");
    this.#informer.onChange((job, old) => {
      if (job !== undefined) {
        this.#queue.add(keyOf(job));
        return;
      }
      this.#queue.forget(keyOf(old as Job));
      this.#backOffs.delete((old as Job).metadata.uid as string);
      for (const pod of context.podsOf(old as Job, false)) orphans.add(keyOf(pod));
    });
    context.pods.onChange((pod, old) => {
      for (const state of [pod, old]) {
        const owner = state && controllerOf(state);
        if (owner?.kind === "Job") this.#queue.add(`${state?.metadata.namespace}/${owner.name}`);
      }
      if (pod !== undefined && isTracked(pod) && this.#jobOf(pod) === undefined) orphans.add(keyOf(pod));
    });
  }

  #jobOf(pod: Pod): Job | undefined {
    const owner = controllerOf(pod);
    const job = owner && this.#informer.get(pod.metadata.namespace as string, owner.name);
    return job?.metadata.uid === owner?.uid ? job : undefined;
  }

  /** Removes the finalizer of a Pod whose Job is gone. */
  async #releaseOrphan(key: string): Promise<void> {
    const pod = this.#context.pods.byKey(key);
    if (pod !== undefined && isTracked(pod) && this.#jobOf(pod) === undefined) await this.#release(pod);
  }

  async #sync(key: string): Promise<void> {
    const job = this.#informer.byKey(key);
    if (job === undefined || (job.spec.managedBy ?? ownController) !== ownController) return;
    const finished = finishedCondition(job);
    if (finished !== undefined) return this.#expire(key, job, finished);
    const selector = selectorOfObject(job.spec.selector);
    const candidates = this.#context.podsOf(job, selector.length > 0);
    const claimed =
      selector.length === 0
        ? candidates
        : await claimObjects(this.#client, this.#context.pods.type, job, selector, candidates);
    const status = cloneJson(job.status ?? {}) as JobStatus;
    status.uncountedTerminatedPods ??= {};
    const time = this.#context.time();
    const now = this.#context.now();
    if (status.startTime === undefined && job.spec.suspend !== true) status.startTime = time;
    const backOff = this.#backOffs.get(job.metadata.uid as string) ?? { failures: 0, last: 0 };
    const sync = evaluate(job, status, claimed, backOff);
    const deadline = untilDeadline(sync, now);
    if (deadline !== undefined && deadline > 0) this.#queue.addAfter(key, deadline);
    let end = endOf(sync, now, time);
    let problem: Error | undefined;
    let active = sync.active.length;
    const keep = (error: Error): void => {
      problem = error;
    };
    if (end !== undefined) {
      for (const pod of sync.active) {
        await this.#pods.delete(job, pod).then(() => {
          active--;
          sync.terminating++;
          if (isReady(pod)) sync.ready--;
        }, keep);
      }
      if (active > 0) end = undefined;
    } else if (job.metadata.deletionTimestamp === undefined) {
      active = await this.#manage(key, sync).catch((error: Error) => {
        keep(error);
        return sync.active.length;
      });
      const { completions } = job.spec;
      const complete = (completions === undefined ? sync.succeeded > 0 : sync.succeeded >= completions) && active === 0;
      if (complete) {
        const message = "Reached expected number of succeeded pods";
        end = jobCondition("SuccessCriteriaMet", "True", "CompletionsReached", message, time);
      } else this.#showSuspension(job, status, time);
    }
    Object.assign(status, { active, ready: sync.ready, terminating: sync.terminating });
    await this.#count(sync, end, time);
    if (problem !== undefined) throw problem;
  }

  /** Creates or deletes Pods. Returns how many are active then. */
  async #manage(key: string, sync: JobSync): Promise<number> {
    const { job, active } = sync;
    const now = this.#context.now();
    const suspended = job.spec.suspend === true;
    const wanted = suspended ? 0 : wantedPods(sync);
    const surplus = surplusPods(job, active, Math.max(0, active.length - wanted)).slice(0, burst);
    if (surplus.length > 0) {
      for (const pod of surplus) {
        await this.#release(pod);
        await this.#pods.delete(job, pod);
        sync.terminating++;
        if (isReady(pod)) sync.ready--;
      }
      return active.length - surplus.length;
    }
    const missing = Math.min(burst, wanted - active.length - (waitsForFailure(job) ? sync.terminating : 0));
    if (suspended || missing <= 0) return active.length;
    const perIndex = job.spec.backoffLimitPerIndex !== undefined;
    const wait = perIndex ? 0 : waitAfter(sync.backOff, now);
    if (wait > 0) {
      this.#queue.addAfter(key, wait);
      return active.length;
    }
    let indexes: (number | undefined)[] = Array.from({ length: missing }, () => undefined);
    if (isIndexed(job)) {
      const pending = pendingIndexes(sync, missing);
      indexes = pending.filter((index) => waitOfIndex(sync.delayed.get(index), now) === 0);
      if (indexes.length < pending.length) {
        const waits = pending.map((index) => waitOfIndex(sync.delayed.get(index), now)).filter((one) => one > 0);
        this.#queue.addAfter(key, Math.min(...waits));
      }
    }
    for (const index of indexes) {
      await this.#pods.create(job, newJobPod(job, index, index === undefined ? undefined : sync.delayed.get(index)));
    }
    return active.length + indexes.length;
  }

  #showSuspension(job: Job, status: JobStatus, time: string): void {
    const suspended = job.spec.suspend === true;
    const present = conditionOf(status, "Suspended");
    if ((present?.status === "True") === suspended) return;
    const condition = suspended
      ? jobCondition("Suspended", "True", "JobSuspended", "Job suspended", time)
      : jobCondition("Suspended", "False", "JobResumed", "Job resumed", time);
    status.conditions = [...(status.conditions ?? []).filter((one) => one !== present), condition];
    this.#events.normal(job, suspended ? "Suspended" : "Resumed", condition.message as string);
    if (suspended) delete status.startTime;
    else status.startTime = time;
  }

  /**
   * Counts Pods that have ended. Their UIDs are in the status until their finalizers are gone, so that each counts once.
   */
  async #count(sync: JobSync, given: Condition | undefined, time: string): Promise<void> {
    const { job, status, pods } = sync;
    const uncounted = status.uncountedTerminatedPods as NonNullable<JobStatus["uncountedTerminatedPods"]>;
    const tracked = new Set(pods.filter(isTracked).map((pod) => pod.metadata.uid as string));
    settle(status, tracked);
    let end = given;
    const released: Pod[] = [];
    const indexes: number[] = [];
    for (const pod of pods.filter(isTracked).sort((a, b) => indexOf(a) - indexOf(b))) {
      if (released.length >= burst) break;
      if (!this.#mayRelease(sync, pod, end)) continue;
      released.push(pod);
      const uid = pod.metadata.uid as string;
      const index = indexOf(pod);
      const inRange = !isIndexed(job) || (index >= 0 && index < (job.spec.completions ?? 0));
      if (pod.status?.phase === "Succeeded" && uncounted.failed?.includes(uid) !== true) {
        if (isIndexed(job) && inRange && !sync.earlierIndexes.has(index)) indexes.push(index);
        else if (!isIndexed(job) && uncounted.succeeded?.includes(uid) !== true) {
          uncounted.succeeded = [...(uncounted.succeeded ?? []), uid];
        }
      } else if (isFailed(pod, job) || (end !== undefined && end.type !== "SuccessCriteriaMet")) {
        const counts = inRange && judge(job, pod).counts;
        if (counts && uncounted.failed?.includes(uid) !== true) uncounted.failed = [...(uncounted.failed ?? []), uid];
      }
    }
    if (isIndexed(job)) {
      const all = sync.succeededIndexes.with(indexes);
      status.succeeded = all.size;
      status.completedIndexes = all.toString();
      if (sync.failedIndexes !== undefined) status.failedIndexes = sync.failedIndexes.toString();
    }
    if (end?.type === "FailureTarget") {
      status.conditions = [...(status.conditions ?? []), end];
      end = jobCondition("Failed", "True", end.reason ?? "", end.message ?? "", time);
    } else if (end?.type === "SuccessCriteriaMet") {
      if (conditionOf(status, end.type) === undefined) status.conditions = [...(status.conditions ?? []), end];
      end = jobCondition("Complete", "True", end.reason ?? "", end.message ?? "", time);
    }
    await this.#write(job, status);
    this.#backOffs.set(job.metadata.uid as string, sync.backOff);
    for (const pod of released) {
      await this.#release(pod);
      tracked.delete(pod.metadata.uid as string);
    }
    settle(status, tracked);
    const open = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0) + sync.terminating;
    if (end !== undefined && open === 0 && released.length < burst) this.#finish(job, status, end);
    await this.#write(job, status);
  }

  #mayRelease({ job, delayed }: JobSync, pod: Pod, end: Condition | undefined): boolean {
    const ends = job.metadata.deletionTimestamp !== undefined || end !== undefined;
    if (ends || pod.status?.phase === "Succeeded") return true;
    return isFailed(pod, job) && delayed.get(indexOf(pod))?.metadata.uid !== pod.metadata.uid;
  }

  #finish(job: Job, status: JobStatus, end: Condition): void {
    status.conditions = [...(status.conditions ?? []), end];
    if (end.type !== "Complete") {
      this.#events.warning(job, end.reason ?? "", end.message ?? "");
      return;
    }
    status.completionTime = end.lastTransitionTime as string;
    if (job.spec.completions !== undefined && (status.succeeded ?? 0) > job.spec.completions) {
      const message = "Too many succeeded pods running after completion count reached";
      this.#events.warning(job, "TooManySucceededPods", message);
    }
    this.#events.normal(job, "Completed", "Job completed");
  }

  /** Deletes a Job some time after its end. */
  async #expire(key: string, job: Job, { lastTransitionTime }: Condition): Promise<void> {
    const { ttlSecondsAfterFinished } = job.spec;
    this.#backOffs.delete(job.metadata.uid as string);
    if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined) return;
    const left = timeOf(lastTransitionTime) + ttlSecondsAfterFinished * 1000 - this.#context.now();
    if (left > 0) this.#queue.addAfter(key, left);
    else await this.#cleaner.delete(this.#idOf(job), job.metadata.uid as string, "Foreground");
  }

  async #release(pod: Pod): Promise<void> {
    const { namespace, name, uid } = pod.metadata as { namespace: string; name: string; uid: string };
    await this.#client.update({ type: this.#context.pods.type, namespace, name }, ({ metadata }) => {
      if (metadata.uid !== uid) return;
      const rest = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer);
      if (rest.length > 0) metadata.finalizers = rest;
      else delete metadata.finalizers;
    });
  }

  async #write(job: Job, status: JobStatus): Promise<void> {
    const next: JsonObject = cloneJson(status);
    for (const field of ["active", "succeeded", "failed", "completedIndexes"]) if (!next[field]) delete next[field];
    const present = this.#informer.byKey(keyOf(job));
    if (present === undefined || equalJson(next, present.status ?? {})) return;
    await this.#client.update(this.#idOf(job), (object) => (object.status = next), "status");
  }

  #idOf({ metadata }: Job) {
    return { type: this.#informer.type, namespace: metadata.namespace as string, name: metadata.name as string };
  }
}

/** Moves the Pods without finalizers from the list to the counts. */
function settle(status: JobStatus, tracked: ReadonlySet<string>): void {
  const uncounted = status.uncountedTerminatedPods ?? {};
  for (const field of ["succeeded", "failed"] as const) {
    const open = (uncounted[field] ?? []).filter((uid) => tracked.has(uid));
    const settled = (uncounted[field] ?? []).length - open.length;
    if (settled > 0) status[field] = (status[field] ?? 0) + settled;
    if (open.length > 0) uncounted[field] = open;
    else delete uncounted[field];
  }
}
