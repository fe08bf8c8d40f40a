import { WorkQueue } from "../../client/work-queue.ts";
import type { Engine } from "../../registry/scope.ts";
import { WorkloadContext } from "./common/context.ts";
import { CronJobController } from "./cron-job/cron-job.ts";
import { DaemonSetController } from "./daemon-set.ts";
import { DeploymentController } from "./deployment/deployment.ts";
import { DisruptionBudgetController } from "./disruption-budget.ts";
import { EndpointsController } from "./endpoints/endpoints.ts";
import { JobController } from "./job/job.ts";
import { startCertificatePublisher, startDefaultAccounts } from "./namespace-defaults.ts";
import { Kubelet } from "./pod/kubelet.ts";
import { registerNode } from "./pod/node.ts";
import { Scheduler } from "./pod/scheduler.ts";
import { startPodGarbageCollector } from "./pod-garbage-collector.ts";
import { startReplicaSets, startReplicationControllers } from "./replica-set.ts";
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
  /**
   * The names of kube-controller-manager's controllers to run, without scheduler and node, so that Pods stay pending.
   *
   * @defaultValue all of those that are simulated, with scheduler and node
   */
  controllers?: readonly string[];
  /**
   * False for Services without endpoints.
   *
   * @defaultValue true
   */
  endpoints?: boolean;
}

const defaultReadyAfter = 100;
const retryAfter = 1000;
const endpointsController = "endpointslice-controller";

/** How each controller starts, by the names that kube-controller-manager gives them. */
const starts: Readonly<Record<string, (context: WorkloadContext, caBundle: string) => void>> = {
  "serviceaccount-controller": startDefaultAccounts,
  "root-ca-certificate-publisher-controller": startCertificatePublisher,
  "deployment-controller": (context) => void new DeploymentController(context),
  "replicaset-controller": startReplicaSets,
  "replicationcontroller-controller": startReplicationControllers,
  "statefulset-controller": (context) => void new StatefulSetController(context),
  "daemonset-controller": (context) => void new DaemonSetController(context),
  "job-controller": (context) => void new JobController(context),
  "cronjob-controller": (context) => void new CronJobController(context),
  [endpointsController]: (context) => void new EndpointsController(context),
  "pod-garbage-collector-controller": startPodGarbageCollector,
  "disruption-controller": (context) => void new DisruptionBudgetController(context),
};

/** The names of kube-controller-manager's controllers that are simulated. */
export const workloadControllers: readonly string[] = Object.keys(starts);

/**
 * Starts the controllers that simulate workloads: those of kube-controller-manager, a scheduler and one node.
 *
 * @param engine - the server
 * @param settings - the settings
 * @param caBundle - the authority that signs the certificate of the server, in PEM
 * @param hasObjects - whether the node and the storage class exist already
 * @returns a function that stops them, once the node exists
 */
export async function startWorkloads(
  engine: Engine,
  settings: WorkloadSettings,
  caBundle: string,
  hasObjects = false,
): Promise<() => void> {
  const { podReadyAfter = defaultReadyAfter, controllers, endpoints = true } = settings;
  const context = new WorkloadContext(engine);
  for (const [name, start] of Object.entries(starts)) {
    if (name === endpointsController && !endpoints) continue;
    if (controllers === undefined || controllers.includes(name)) start(context, caBundle);
  }
  if (controllers !== undefined) return context.start();
  const claims = new ClaimController(context);
  new Scheduler(context);
  new Kubelet(context, podReadyAfter);
  const stop = context.start();
  if (hasObjects) return stop;
  const objects: Readonly<Record<string, () => Promise<void>>> = {
    node: () => registerNode(context),
    "storage class": () => claims.createDefaultClass(),
  };
  // A webhook may refuse these objects for now.
  const retry = new WorkQueue(engine, async (name) => objects[name]?.());
  for (const [name, create] of Object.entries(objects)) await create().catch(() => retry.addAfter(name, retryAfter));
  return stop;
}
