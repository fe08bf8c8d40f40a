import { cloneJson, equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { StatusError } from "../../../model/status.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { controllerOf, controllerReference, keyOf, timeOf } from "../common/objects.ts";
import { isNamespaceTerminating } from "../common/pods.ts";
import { finishedCondition, type Job } from "../job/types.ts";
import { isTimeZone, parseSchedule, pastTimes, type Schedule, zonedTime } from "./schedule.ts";

const timeAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";
/** A time of a schedule has certainly passed then. */
const delay = 100;

interface CronJobStatus extends JsonObject {
  active?: (JsonObject & { name: string; uid: string })[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

interface CronJob extends ApiObject {
  spec: JsonObject & {
    schedule: string;
    timeZone?: string;
    suspend?: boolean;
    concurrencyPolicy?: string;
    startingDeadlineSeconds?: number;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate: JsonObject & { metadata?: ApiObject["metadata"]; spec: JsonObject };
  };
  status?: CronJobStatus;
}

/** Creates Jobs by the schedules of CronJobs. */
export class CronJobController {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #informer: Informer<CronJob>;
  readonly #jobs: Informer<Job>;
  readonly #jobsByOwner: (uid: string) => Job[];
  readonly #queue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "cronjob-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "cronjob-controller" });
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#informer = context.informer<CronJob>("batch", "cronjobs");
    this.#jobs = context.informer<Job>("batch", "jobs");
    this.#jobsByOwner = this.#jobs.index((job) => {
      const owner = controllerOf(job);
      return owner === undefined ? [] : [owner.uid];
    });
    this.#informer.onChange((cronJob, old) => {
      if (old !== undefined && cronJob?.spec.schedule !== old.spec.schedule) this.#queue.forget(keyOf(old));
      if (cronJob !== undefined) this.#queue.add(keyOf(cronJob));
    });
    this.#jobs.onChange((job, old) => {
      for (const state of [job, old]) {
        const owner = state && controllerOf(state);
        if (owner?.kind === "CronJob") this.#queue.add(`${state?.metadata.namespace}/${owner.name}`);
      }
    });
  }

  async #sync(key: string): Promise<void> {
    const cronJob = this.#informer.byKey(key);
    if (cronJob === undefined) return;
    const status = cloneJson(cronJob.status ?? {}) as CronJobStatus;
    const jobs = this.#jobsByOwner(cronJob.metadata.uid as string);
    await this.#cleanUp(cronJob, status, jobs);
    this.#observe(cronJob, status, jobs);
    let problem: Error | undefined;
    try {
      if (cronJob.metadata.deletionTimestamp === undefined) await this.#start(key, cronJob, status);
    } catch (error) {
      problem = error as Error;
    }
    if (status.active?.length === 0) delete status.active;
    if (!equalJson(status, cronJob.status ?? {})) {
      const id = { type: this.#informer.type, ...nameOf(cronJob) };
      await this.#client.update(id, (object) => (object.status = cloneJson(status)), "status");
    }
    if (problem !== undefined) throw problem;
  }

  /** Deletes finished Jobs beyond the limits of the history. */
  async #cleanUp(cronJob: CronJob, status: CronJobStatus, jobs: readonly Job[]): Promise<void> {
    const limits = {
      Complete: cronJob.spec.successfulJobsHistoryLimit,
      Failed: cronJob.spec.failedJobsHistoryLimit,
    };
    for (const [type, limit] of Object.entries(limits)) {
      const finished = jobs.filter((job) => finishedCondition(job)?.type === type);
      if (limit === undefined || finished.length <= limit) continue;
      const start = (job: Job): number => timeOf(job.status?.startTime) || Number.POSITIVE_INFINITY;
      finished.sort((a, b) => start(a) - start(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
      for (const job of finished.slice(0, finished.length - limit)) await this.#delete(cronJob, status, job);
    }
  }

  async #delete(cronJob: CronJob, status: CronJobStatus, job: Job): Promise<void> {
    try {
      await this.#client.delete({ type: this.#jobs.type, ...nameOf(job) }, job.metadata.uid as string);
    } catch (error) {
      this.#events.warning(cronJob, "FailedDelete", `Deleted job: ${(error as Error).message}`);
      throw error;
    }
    status.active = (status.active ?? []).filter(({ uid }) => uid !== job.metadata.uid);
    this.#events.normal(cronJob, "SuccessfulDelete", `Deleted job ${job.metadata.name}`);
  }

  /** Brings the list of active Jobs up to date. */
  #observe(cronJob: CronJob, status: CronJobStatus, jobs: readonly Job[]): void {
    const active = status.active ?? [];
    const isListed = (job: Job): boolean => active.some(({ uid }) => uid === job.metadata.uid);
    for (const job of jobs) {
      const { name } = job.metadata;
      const finished = finishedCondition(job);
      if (finished === undefined) {
        if (isListed(job)) continue;
        const message = `Saw a job that the controller did not create or forgot: ${name}`;
        this.#events.warning(cronJob, "UnexpectedJob", message);
        continue;
      }
      if (isListed(job)) {
        status.active = (status.active ?? []).filter(({ uid }) => uid !== job.metadata.uid);
        const message = `Saw completed job: ${name}, condition: ${finished.type}`;
        this.#events.normal(cronJob, "SawCompletedJob", message);
      }
      const { completionTime } = job.status ?? {};
      if (finished.type === "Complete" && timeOf(completionTime) > timeOf(status.lastSuccessfulTime)) {
        status.lastSuccessfulTime = completionTime as string;
      }
    }
    for (const { uid, name } of status.active ?? []) {
      if (this.#jobs.get(cronJob.metadata.namespace as string, name)?.metadata.uid === uid) continue;
      status.active = (status.active ?? []).filter((one) => one.uid !== uid);
      this.#events.normal(cronJob, "MissingJob", `Active job went missing: ${name}`);
    }
  }

  /** Creates the Job of the last time that has passed, if it is due. */
  async #start(key: string, cronJob: CronJob, status: CronJobStatus): Promise<void> {
    const { spec } = cronJob;
    if (spec.timeZone !== undefined && !isTimeZone(spec.timeZone)) {
      const message = `invalid timeZone: ${JSON.stringify(spec.timeZone)}: unknown time zone ${spec.timeZone}`;
      this.#events.warning(cronJob, "UnknownTimeZone", message);
      return;
    }
    if (spec.suspend === true) return;
    let schedule: Schedule;
    try {
      schedule = parseSchedule(spec.schedule, spec.timeZone);
    } catch (error) {
      const message = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${(error as Error).message}`;
      this.#events.warning(cronJob, "UnparseableSchedule", message);
      return;
    }
    const now = this.#context.now();
    const due = this.#dueTime(cronJob, status, schedule, now);
    if (due !== undefined) await this.#run(cronJob, status, due, now);
    const since = timeOf(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp);
    const { recent, earliest } = pastTimes(schedule, since, now);
    const next = schedule.next(recent ?? earliest);
    if (next !== undefined) this.#queue.addAfter(key, next + delay - now);
  }

  #dueTime(cronJob: CronJob, status: CronJobStatus, schedule: Schedule, now: number): number | undefined {
    const { startingDeadlineSeconds } = cronJob.spec;
    let earliest = timeOf(status.lastScheduleTime ?? cronJob.metadata.creationTimestamp);
    if (startingDeadlineSeconds !== undefined) earliest = Math.max(earliest, now - startingDeadlineSeconds * 1000);
    const { recent, missed } = pastTimes(schedule, earliest, now);
    if (missed === "many") {
      const message = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      this.#events.warning(cronJob, "TooManyMissedTimes", message);
    }
    return recent;
  }

  async #run(cronJob: CronJob, status: CronJobStatus, due: number, now: number): Promise<void> {
    const { spec } = cronJob;
    const { startingDeadlineSeconds, concurrencyPolicy } = spec;
    if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < now) {
      const shown = new Date(due).toUTCString().replace("GMT", "+0000");
      this.#events.warning(cronJob, "MissSchedule", `Missed scheduled time to start a job: ${shown}`);
      return;
    }
    const job = newJob(cronJob, due);
    const active = status.active ?? [];
    const started = active.some(({ name }) => name === job.metadata.name);
    if (started || timeOf(status.lastScheduleTime) === due) return;
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
      this.#events.normal(cronJob, "JobAlreadyActive", message);
      return;
    }
    if (concurrencyPolicy === "Replace") {
      for (const { name } of active) {
        const present = this.#jobs.get(cronJob.metadata.namespace as string, name);
        if (present !== undefined) await this.#delete(cronJob, status, present);
      }
    }
    const created = await this.#create(cronJob, job);
    if (created === undefined) return;
    const { name, namespace, uid, resourceVersion } = created.metadata as Record<string, string>;
    const reference = { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion } as JsonObject;
    status.active = [...(status.active ?? []), reference as NonNullable<CronJobStatus["active"]>[number]];
    status.lastScheduleTime = timestamp(due);
  }

  /** Returns the new Job, or the one that exists if it belongs to the CronJob. */
  async #create(cronJob: CronJob, job: ApiObject): Promise<ApiObject | undefined> {
    try {
      const created = await this.#client.create(this.#jobs.type, job);
      this.#events.normal(cronJob, "SuccessfulCreate", `Created job ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      if (error instanceof StatusError && error.reason === "AlreadyExists") {
        const present = this.#jobs.get(cronJob.metadata.namespace as string, job.metadata.name as string);
        return present && controllerOf(present)?.uid === cronJob.metadata.uid ? present : undefined;
      }
      this.#events.warning(cronJob, "FailedCreate", `Error creating job: ${(error as Error).message}`);
      throw error;
    }
  }
}

function newJob(cronJob: CronJob, time: number): ApiObject {
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${cronJob.metadata.name}-${Math.floor(time / 60_000)}`,
      namespace: cronJob.metadata.namespace as string,
      ...(metadata.labels === undefined ? {} : { labels: { ...metadata.labels } }),
      annotations: { ...metadata.annotations, [timeAnnotation]: zonedTime(time, cronJob.spec.timeZone) },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: cloneJson(spec),
  };
}

function nameOf({ metadata }: ApiObject): { namespace: string; name: string } {
  return { namespace: metadata.namespace as string, name: metadata.name as string };
}
