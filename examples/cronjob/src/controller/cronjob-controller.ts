import {
  type Client,
  type Clock,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Result,
  type Stored,
  systemClock,
} from "@kubewright/runtime";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { CronJob } from "../../api/v1/index.ts";
import { type Jobs, jobFor, jobOwner, jobOwnerField, latestScheduledAt, sortJobs } from "./jobs.ts";
import { type Runs, runsOf } from "./runs.ts";
import { setStatus } from "./status.ts";

// #region rbac
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/finalizers,verbs=update
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;delete
// #endregion rbac

/** CronJobReconciler starts the Jobs of each CronJob when they are due, and clears away those that have ended. */
export class CronJobReconciler implements Reconciler {
  private readonly client: Client;
  private readonly clock: Clock;

  // #region clock
  /** @param clock what time it is; tests bring one that they set */
  constructor(client: Client, clock: Clock = systemClock) {
    this.client = client;
    this.clock = clock;
  }
  // #endregion clock

  // #region reconcile
  async reconcile(ctx: Context, req: Request): Promise<Result | undefined> {
    const cronJob = await ignoreNotFound(this.client.get(CronJob, req));
    // Gone or going: its Jobs go with it, through their owner references.
    if (!cronJob || cronJob.metadata.deletionTimestamp) return undefined;

    const now = this.clock.date();
    const fields = { [jobOwnerField]: cronJob.metadata.uid };
    const { items } = await this.client.list(Job, { namespace: req.namespace, fields });
    const jobs = sortJobs(items);
    // What the status says counts too: the Job of the latest run may have been cleared away.
    const last = later(latestScheduledAt(items), cronJob.status?.lastScheduleTime);
    await this.clearHistory(ctx, cronJob, jobs);

    const runs = runsOf(cronJob, last, now);
    const started = await this.startDue(ctx, cronJob, jobs, runs);
    await patchStatus(this.client, cronJob, (copy) => setStatus(copy, { jobs, runs, last: started ?? last, now }));

    // Nothing in the cluster changes when the next run comes: the queue is asked to call again.
    if (cronJob.spec.suspend || !runs.next) return undefined;
    return { requeueAfter: runs.next.getTime() - now.getTime() };
  }
  // #endregion reconcile

  // #region setup
  async setupWithManager(mgr: Manager): Promise<void> {
    mgr.cache.indexField(Job, jobOwnerField, jobOwner);
    await newControllerManagedBy(mgr).for(CronJob).named("cronjob").owns(Job).complete(this);
  }
  // #endregion setup

  // #region start
  /** Starts the run that is due, if there is one and nothing is against it. Gives the time of the run that it started. */
  private async startDue(ctx: Context, cronJob: Stored<CronJob>, jobs: Jobs, runs: Runs): Promise<Date | undefined> {
    const { due, tooLate } = runs;
    if (!due || tooLate || cronJob.spec.suspend) return undefined;
    if (jobs.active.length > 0 && cronJob.spec.concurrencyPolicy === "Forbid") {
      // The run stays due: the end of the Job that is at work leads here again.
      ctx.log.info("a run waits for the one before", { due, active: jobs.active.length });
      return undefined;
    }
    if (cronJob.spec.concurrencyPolicy === "Replace") await this.delete(ctx, jobs.active.splice(0));
    const job = await this.client.create(jobFor(cronJob, due));
    jobs.active.push(job);
    ctx.log.info("started a run", { due, job: job.metadata.name });
    return due;
  }
  // #endregion start

  // #region history
  /** Deletes the oldest Jobs beyond those that are to be kept, and takes them out of the lists. */
  private async clearHistory(ctx: Context, { spec }: Stored<CronJob>, { succeeded, failed }: Jobs): Promise<void> {
    const limits = [
      [succeeded, spec.successfulJobsHistoryLimit],
      [failed, spec.failedJobsHistoryLimit],
    ] as const;
    for (const [jobs, limit = jobs.length] of limits) {
      await this.delete(ctx, jobs.splice(0, Math.max(0, jobs.length - limit)));
    }
  }

  private async delete(ctx: Context, jobs: readonly Stored<Job>[]): Promise<void> {
    for (const job of jobs) {
      // By default Jobs leave their Pods behind.
      await ignoreNotFound(this.client.delete(job, { propagationPolicy: "Background" }));
      ctx.log.info("deleted a Job", { job: job.metadata.name });
    }
  }
  // #endregion history
}

function later(a: Date | undefined, b: string | undefined): Date | undefined {
  if (b === undefined) return a;
  const other = new Date(b);
  return a && a > other ? a : other;
}
