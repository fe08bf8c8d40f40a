import type { Engine } from "../../registry/scope.ts";
import { WorkQueue } from "../work-queue.ts";
import { WorkloadContext } from "./context.ts";
import { CronJobController } from "./cron-job/cron-job.ts";
import { DaemonSetController } from "./daemon-set.ts";
import { DeploymentController } from "./deployment/deployment.ts";
import { DisruptionBudgetController } from "./disruption-budget.ts";
import { EndpointsController } from "./endpoints/endpoints.ts";
import { JobController } from "./job/job.ts";
import { NamespaceDefaults } from "./namespace-defaults.ts";
import { Kubelet } from "./pod/kubelet.ts";
import { registerNode } from "./pod/node.ts";
import { Scheduler } from "./pod/scheduler.ts";
import { ReplicaSetController } from "./replica-set.ts";
import { StatefulSetController } from "./stateful-set/stateful-set.ts";
import { ClaimController } from "./storage/claims.ts";

/** The settings of the simulated workloads. */
export interface WorkloadSettings {
  /**
   * How long the containers of a Pod take to become ready, in milliseconds.
   *
   * @defaultValue 100
   */
  podReadyAfter?: number;
}

const defaultReadyAfter = 100;

/**
 * Starts the controllers that simulate workloads: those of kube-controller-manager, a scheduler and one node.
 *
 * @param engine - the server
 * @param settings - the settings
 * @param caBundle - the authority that signs the certificate of the server, in PEM
 * @returns a function that stops them
 */
export function startWorkloads(engine: Engine, settings: WorkloadSettings, caBundle: string): () => void {
  const context = new WorkloadContext(engine);
  new NamespaceDefaults(context, caBundle);
  new DeploymentController(context);
  ReplicaSetController.startAll(context);
  new StatefulSetController(context);
  new DaemonSetController(context);
  new JobController(context);
  new CronJobController(context);
  new EndpointsController(context);
  new DisruptionBudgetController(context);
  const claims = new ClaimController(context);
  new Scheduler(context);
  new Kubelet(context, settings.podReadyAfter ?? defaultReadyAfter);
  const stop = context.start();
  // The queue tries again if a webhook refuses these objects.
  const setup = new WorkQueue(engine, (what) =>
    what === "node" ? registerNode(context) : claims.createDefaultClass(),
  );
  setup.add("node");
  setup.add("storage class");
  return stop;
}
