import {
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  parseDuration,
  patchStatus,
  type Reconciler,
  type Request,
  type Result,
  setReady,
} from "@kubewright/runtime";
import { Report } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=reports,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=reports/status,verbs=get;update;patch

/** Runs a function once per period. The time of the last run is in the status, so restarts of the operator don't matter. */
export class ReportReconciler implements Reconciler {
  readonly client: Client;
  readonly run: (name: string, signal: AbortSignal) => Promise<void>;
  readonly now: () => Date;

  constructor(client: Client, run: ReportReconciler["run"], now: () => Date = () => new Date()) {
    this.client = client;
    this.run = run;
    this.now = now;
  }

  async reconcile({ signal }: Context, req: Request): Promise<Result | undefined> {
    const report = await ignoreNotFound(this.client.get(Report, req));
    if (!report || report.metadata.deletionTimestamp) return undefined;
    const period = parseDuration(report.spec.every);
    const last = Date.parse(report.status?.lastRun ?? "");
    const wait = last + period - this.now().getTime();
    // A change of the object, or an event of a child, must not cause a run before its time.
    if (wait > 0) return { requeueAfter: wait };

    await this.run(report.metadata.name, signal);
    await patchStatus(this.client, report, (copy) => {
      copy.status = { ...copy.status, lastRun: this.now().toISOString() };
      setReady(copy, { reason: "Sent" });
    });
    return { requeueAfter: period };
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Report).complete(this);
  }
}
