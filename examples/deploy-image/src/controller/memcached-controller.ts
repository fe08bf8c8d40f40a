import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  createOrUpdate,
  type EventRecorder,
  ignoreNotFound,
  type Manager,
  type NewCondition,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  removeFinalizer,
  type Stored,
  setControllerReference,
  setStatusCondition,
  TerminalError,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Available, Degraded, Memcached } from "#api/v1alpha1/index.ts";
import { imageFromEnvironment, newDeployment, setDeployment } from "./deployment.ts";

const finalizer = "example.com.testproject.org/finalizer";

// +kubebuilder:rbac:groups=example.com.testproject.org,resources=memcacheds,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=example.com.testproject.org,resources=memcacheds/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=example.com.testproject.org,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete

/** MemcachedReconciler runs the image of MEMCACHED_IMAGE in a Deployment for each Memcached. */
export class MemcachedReconciler implements Reconciler {
  private readonly client: Client;
  private recorder: EventRecorder | undefined;

  constructor(client: Client, recorder?: EventRecorder) {
    this.client = client;
    this.recorder = recorder;
  }

  // #region reconcile
  async reconcile(ctx: Context, req: Request): Promise<void> {
    const memcached = await ignoreNotFound(this.client.get(Memcached, req));
    if (!memcached) return;
    if (memcached.metadata.deletionTimestamp) return this.finalize(ctx, memcached);

    if (!memcached.status?.conditions?.length) {
      await this.setConditions(memcached, { type: Available, status: "Unknown", reason: "Reconciling" });
      // The write causes an event, which triggers the next reconcile.
      return;
    }
    if (addFinalizer(memcached, finalizer)) {
      await this.client.update(memcached);
      return;
    }
    const deployment = await this.syncDeployment(ctx, memcached);
    await this.setConditions(memcached, availability(memcached, deployment), degradation(deployment));
  }
  // #endregion reconcile

  // #region setup
  async setupWithManager(mgr: Manager): Promise<void> {
    this.recorder ??= mgr.recorder("memcached-controller");
    await newControllerManagedBy(mgr).for(Memcached).named("memcached").owns(Deployment).complete(this);
  }
  // #endregion setup

  // #region sync
  /** Creates the Deployment, or reverts changes that others made to it. */
  private async syncDeployment(ctx: Context, memcached: Stored<Memcached>): Promise<Deployment> {
    const { name } = memcached.metadata;
    const image = await this.image(memcached);
    const deployment = newDeployment(memcached);
    const result = await createOrUpdate(this.client, deployment, (found) => {
      setControllerReference(memcached, found);
      setDeployment(found, memcached, image);
    });
    if (result === "created") this.event(memcached, "Created", `Created the Deployment ${name}`);
    if (result === "updated") this.event(memcached, "Updated", `Updated the Deployment ${name}`);
    if (result !== "unchanged") ctx.log.info("synced deployment", { result });
    return deployment;
  }

  private async image(memcached: Stored<Memcached>): Promise<string> {
    try {
      return imageFromEnvironment();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      await this.setConditions(memcached, { type: Available, status: "False", reason: "NoImage", message });
      // Retrying doesn't help: the environment of a process doesn't change.
      throw new TerminalError(message, { cause });
    }
  }
  // #endregion sync

  // #region finalize
  /** Cleans up before a Memcached is deleted. Kubernetes deletes the Deployment through its owner reference. */
  private async finalize(ctx: Context, memcached: Stored<Memcached>): Promise<void> {
    if (!containsFinalizer(memcached, finalizer)) return;
    const { namespace, name } = memcached.metadata;
    const condition = {
      type: Degraded,
      status: "True",
      reason: "Finalizing",
      message: `${name} is being removed`,
    } as const;
    const marked = await this.setConditions(memcached, condition);
    // Clean up resources outside the cluster here. If this throws, the finalizer stays and the request is retried.
    this.event(marked, "Deleting", `Memcached ${name} is being deleted from the namespace ${namespace}`, "Warning");
    removeFinalizer(marked, finalizer);
    await this.client.update(marked);
    ctx.log.info("finalized");
  }
  // #endregion finalize

  private event(memcached: Memcached, reason: string, note: string, type: "Normal" | "Warning" = "Normal"): void {
    this.recorder?.event(memcached, type, reason, note);
  }

  private setConditions(memcached: Stored<Memcached>, ...conditions: NewCondition[]): Promise<Stored<Memcached>> {
    const observedGeneration = memcached.metadata.generation;
    return patchStatus(this.client, memcached, (copy) => {
      for (const condition of conditions) setStatusCondition(copy, { ...condition, observedGeneration });
    });
  }
}

// #region conditions
/** Returns the Available condition: whether all instances serve, according to the Deployment. */
function availability({ spec: { size = 0 } }: Memcached, { metadata, status = {} }: Deployment): NewCondition {
  const { availableReplicas = 0, updatedReplicas = 0, replicas = 0, observedGeneration } = status;
  const message = `${availableReplicas} of ${size} instances are available`;
  // A status with another generation describes a previous spec.
  const isCurrent = observedGeneration === metadata?.generation;
  const isDone = isCurrent && [availableReplicas, updatedReplicas, replicas].every((count) => count === size);
  return isDone
    ? { type: Available, status: "True", reason: "DeploymentReady", message }
    : { type: Available, status: "False", reason: "Deploying", message };
}

/** Returns the Degraded condition: whether the rollout of the Deployment has failed, and why. */
function degradation({ status }: Deployment): NewCondition {
  const failure = status?.conditions?.find(
    ({ type, status }) =>
      (type === "ReplicaFailure" && status === "True") || (type === "Progressing" && status === "False"),
  );
  if (!failure) return { type: Degraded, status: "False", reason: "AsExpected", message: "" };
  return { type: Degraded, status: "True", reason: failure.reason ?? "RolloutFailed", message: failure.message ?? "" };
}
// #endregion conditions
