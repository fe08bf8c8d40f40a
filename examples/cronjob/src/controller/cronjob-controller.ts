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
import { CronJob } from "#api/v1/index.ts";
import { type Jobs, jobFor, jobOwner, jobOwnerField, latestScheduledAt, sortJobs } from "./jobs.ts";
import { type Runs, runsOf } from "./runs.ts";
import { setStatus } from "./status.ts";

// #region rbac
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=batch.tutorial.kubebuilder.io,resources=cronjobs/finalizers,verbs=update
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;delete
// #endregion rbac

/** CronJobReconciler starts the Jobs of each CronJob when they are due, and deletes old finished Jobs. */
export class CronJobReconciler implements Reconciler {
  private readonly client: Client;
  private readonly clock: Clock;

  // #region clock
  /** @param clock source of the current time; tests pass one that they control */
  constructor(client: Client, clock: Clock = systemClock) {
    this.client = client;
    this.clock = clock;
  }
  // #endregion clock

  // #region reconcile
  async reconcile(ctx: Context, req: Request): Promise<Result | undefined> {
    const cronJob = await ignoreNotFound(this.client.get(CronJob, req));
    // The CronJob was deleted or is being deleted. Kubernetes deletes its Jobs through their owner references.
    if (!cronJob || cronJob.metadata.deletionTimestamp) return undefined;

    const now = this.clock.date();
    const fields = { [jobOwnerField]: cronJob.metadata.uid };
    const { items } = await this.client.list(Job, { namespace: req.namespace, fields });
    const jobs = sortJobs(items);
    // Use the status too: the Job of the latest run may have been deleted.
    const last = later(latestScheduledAt(items), cronJob.status?.lastScheduleTime);
    await this.clearHistory(ctx, cronJob, jobs);

    const runs = runsOf(cronJob, last, now);
    const started = await this.startDue(ctx, cronJob, jobs, runs);
    await patchStatus(this.client, cronJob, (copy) => setStatus(copy, { jobs, runs, last: started ?? last, now }));

    // Nothing in the cluster changes when the next run is due, so requeue the request for that time.
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
  /** Starts the run that is due, if the concurrency policy allows it. Returns the scheduled time of the started run. */
  private async startDue(ctx: Context, cronJob: Stored<CronJob>, jobs: Jobs, runs: Runs): Promise<Date | undefined> {
    const { due, tooLate } = runs;
    if (!due || tooLate || cronJob.spec.suspend) return undefined;
    if (jobs.active.length > 0 && cronJob.spec.concurrencyPolicy === "Forbid") {
      // The run stays due. When an active Job finishes, its event triggers a reconcile.
      ctx.log.info("the run waits for active Jobs", { due, active: jobs.active.length });
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
  /** Deletes the oldest Jobs above the history limits, and removes them from the lists. */
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
      // By default, deleting a Job leaves its Pods.
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
