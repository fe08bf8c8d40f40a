import { cloneJson, equalJson } from "@kubewright/cel/json";
import type { Informer } from "../../../client/informer.ts";
import { type ObjectId, SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { StatusError } from "../../../model/status.ts";
import { matchesLabels } from "../../../request/label-selector.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import { claimObjects } from "../common/claims.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { templateHash } from "../common/hash.ts";
import {
  conditionOf,
  controllerOf,
  controllerReference,
  isTerminal,
  keyOf,
  type ReplicaSet,
  splitKey,
} from "../common/objects.ts";
import { isNamespaceTerminating } from "../common/pods.ts";
import {
  annotateNew,
  annotateReplicas,
  desiredOf,
  equalTemplates,
  findNew,
  hashLabel,
  maxRevision,
  revisionAnnotation,
} from "./revisions.ts";
import { allowedSize, cleanUp, recreate, roll, scale } from "./rollout.ts";
import { hasDeadline, rolloutStatusOf, setCondition, statusOf, timedOut, untilDeadline } from "./status.ts";
import type { Deployment, ReplicaSetWriter, Rollout } from "./types.ts";

const longestName = 253;

/** Rolls out the templates of Deployments by ReplicaSets. */
export class DeploymentController implements ReplicaSetWriter {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #setsByOwner: (uid: string) => ReplicaSet[];
  readonly #deploymentsByNamespace: (namespace: string) => Deployment[];
  readonly #queue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "deployment-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "deployment-controller" });
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
    this.#deployments = context.informer<Deployment>("apps", "deployments");
    this.#sets = context.informer<ReplicaSet>("apps", "replicasets");
    this.#deploymentsByNamespace = this.#deployments.index(({ metadata }) => [metadata.namespace as string]);
    this.#setsByOwner = this.#sets.index((set) => [controllerOf(set)?.uid ?? `orphan ${set.metadata.namespace}`]);
    this.#deployments.onChange((deployment, old) => {
      if (deployment !== undefined) this.#queue.add(keyOf(deployment));
      else if (old !== undefined) this.#queue.forget(keyOf(old));
    });
    this.#sets.onChange((set, old) => this.#setChanged(set, old));
    context.pods.onChange((pod, old) => {
      // Only a rollout with Recreate waits for Pods, until they end or are gone.
      const ended = old !== undefined && !isTerminal(old) && (pod === undefined || isTerminal(pod));
      const reference = ended ? controllerOf(old) : undefined;
      if (reference?.kind !== "ReplicaSet") return;
      const set = this.#sets.get(old?.metadata.namespace as string, reference.name);
      const owner = set && controllerOf(set);
      if (owner?.kind !== "Deployment") return;
      const deployment = this.#deployments.get(set?.metadata.namespace as string, owner.name);
      if (deployment?.spec.strategy?.type === "Recreate") this.#queue.add(keyOf(deployment));
    });
  }

  #setChanged(set: ReplicaSet | undefined, old: ReplicaSet | undefined): void {
    const { namespace } = ((set ?? old) as ReplicaSet).metadata;
    for (const state of [set, old]) {
      const owner = state && controllerOf(state);
      if (owner?.kind === "Deployment") this.#queue.add(`${namespace}/${owner.name}`);
    }
    if (set === undefined || controllerOf(set) !== undefined) return;
    if (old !== undefined && !controllerOf(old) && equalJson(set.metadata.labels, old.metadata.labels)) return;
    for (const deployment of this.#deploymentsByNamespace(namespace as string)) {
      const selector = selectorOfObject(deployment.spec.selector);
      if (selector.length > 0 && matchesLabels(selector, set.metadata.labels)) this.#queue.add(keyOf(deployment));
    }
  }

  async #sync(key: string): Promise<void> {
    const stored = this.#deployments.byKey(key);
    if (stored === undefined) return;
    const deployment = cloneJson(stored);
    const selector = selectorOfObject(deployment.spec.selector);
    if (selector.length === 0) return;
    const { uid, namespace } = deployment.metadata;
    const candidates = [...this.#setsByOwner(uid as string), ...this.#setsByOwner(`orphan ${namespace}`)];
    const sets = await claimObjects(this.#client, this.#sets.type, deployment, selector, candidates);
    const current = findNew(deployment, sets);
    const old = sets.filter((set) => set.metadata.uid !== current?.metadata.uid);
    const rollout: Rollout = { deployment, current, old };
    if (deployment.metadata.deletionTimestamp !== undefined) return this.#writeStatus(rollout, false);
    await this.#showPause(rollout);
    await this.#prepareCurrent(rollout, false);
    if (deployment.spec.paused === true || this.#isScaled(rollout)) {
      await scale(this, rollout);
      if (deployment.spec.paused === true) await cleanUp(this, rollout);
      return this.#writeStatus(rollout, false);
    }
    if (deployment.spec.strategy?.type === "Recreate") await recreate(this, rollout);
    else await roll(this, rollout);
    await this.#writeStatus(rollout, true);
  }

  #isScaled({ deployment, current, old }: Rollout): boolean {
    return [...(current === undefined ? [] : [current]), ...old].some((set) => {
      const desired = (set.spec.replicas ?? 0) > 0 ? desiredOf(set) : undefined;
      return desired !== undefined && desired !== (deployment.spec.replicas ?? 1);
    });
  }

  /** A pause isn't a lack of progress. */
  async #showPause({ deployment }: Rollout): Promise<void> {
    if (!hasDeadline(deployment)) return;
    const present = conditionOf(deployment.status, "Progressing");
    if (present?.reason === timedOut) return;
    const paused = deployment.spec.paused === true;
    if (paused === (present?.reason === "DeploymentPaused")) return;
    deployment.status ??= {};
    const [reason, message] = paused
      ? ["DeploymentPaused", "Deployment is paused"]
      : ["DeploymentResumed", "Deployment is resumed"];
    setCondition(
      deployment.status,
      this.#context.time(),
      "Progressing",
      "Unknown",
      reason as string,
      message as string,
    );
    await this.#write(deployment);
  }

  /**
   * Finds or creates the ReplicaSet of the template and sets its revision.
   *
   * @param rollout - receives the ReplicaSet
   * @param create - true to create it
   */
  async #prepareCurrent(rollout: Rollout, create: boolean): Promise<void> {
    const { deployment, old } = rollout;
    const revision = maxRevision(old) + 1n;
    if (rollout.current === undefined) {
      if (create) await this.#createCurrent(rollout, revision);
      return;
    }
    const set = cloneJson(rollout.current);
    const annotated = annotateNew(deployment, set, revision, true);
    const { minReadySeconds } = deployment.spec;
    if (annotated || (set.spec.minReadySeconds ?? 0) !== (minReadySeconds ?? 0)) {
      const updated = await this.#client.update(this.#idOf(set), (object) => {
        object.metadata.annotations = { ...set.metadata.annotations };
        const spec = object.spec as ReplicaSet["spec"];
        if (minReadySeconds) spec.minReadySeconds = minReadySeconds;
        else delete spec.minReadySeconds;
      });
      if (updated !== undefined) rollout.current = updated as ReplicaSet;
    }
    let changed = setRevision(deployment, rollout.current?.metadata.annotations?.[revisionAnnotation] ?? "");
    if (hasDeadline(deployment) && conditionOf(deployment.status, "Progressing") === undefined) {
      deployment.status ??= {};
      const message = `Found new replica set "${set.metadata.name}"`;
      setCondition(deployment.status, this.#context.time(), "Progressing", "True", "FoundNewReplicaSet", message);
      changed = true;
    }
    if (changed) await this.#write(deployment);
  }

  async ensureCurrent(rollout: Rollout): Promise<ReplicaSet | undefined> {
    if (rollout.current === undefined) await this.#prepareCurrent(rollout, true);
    return rollout.current;
  }

  async #createCurrent(rollout: Rollout, revision: bigint): Promise<void> {
    const { deployment, old } = rollout;
    deployment.status ??= {};
    const { status } = deployment;
    const hash = templateHash(deployment.spec.template, status.collisionCount);
    const set = newReplicaSet(deployment, hash);
    const size = allowedSize(deployment, old, 0);
    set.spec.replicas = size;
    annotateNew(deployment, set, revision, false);
    const name = set.metadata.name as string;
    let created: ReplicaSet;
    try {
      created = (await this.#client.create(this.#sets.type, set)) as ReplicaSet;
    } catch (error) {
      if (isNamespaceTerminating(error)) throw error;
      if (error instanceof StatusError && error.reason === "AlreadyExists") {
        const present = this.#sets.get(deployment.metadata.namespace as string, name);
        const mine = present !== undefined && controllerOf(present)?.uid === deployment.metadata.uid;
        if (mine && equalTemplates(present.spec.template, deployment.spec.template)) {
          rollout.current = present;
          return;
        }
        // Another object has this name: the next hash differs.
        status.collisionCount = (status.collisionCount ?? 0) + 1;
        await this.#write(deployment);
        throw error;
      }
      const message = `Failed to create new replica set "${name}": ${(error as Error).message}`;
      if (hasDeadline(deployment)) {
        setCondition(status, this.#context.time(), "Progressing", "False", "ReplicaSetCreateError", message);
        await this.#write(deployment);
      }
      this.#events.warning(deployment, "ReplicaSetCreateError", message);
      throw error;
    }
    rollout.current = created;
    if (size > 0) {
      this.#events.normal(deployment, "ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${size}`);
    }
    let changed = setRevision(deployment, String(revision));
    if (hasDeadline(deployment)) {
      const message = `Created new replica set "${name}"`;
      setCondition(status, this.#context.time(), "Progressing", "True", "NewReplicaSetCreated", message);
      changed = true;
    }
    if (changed) await this.#write(deployment);
  }

  async resize(
    deployment: Deployment,
    set: ReplicaSet,
    size: number,
    force = false,
  ): Promise<{ set: ReplicaSet; changed: boolean }> {
    const before = set.spec.replicas ?? 0;
    const changed = before !== size;
    if (!changed && (!force || !annotateReplicas(deployment, cloneJson(set)))) return { set, changed: false };
    const updated = await this.#client.update(this.#idOf(set), (object) => {
      (object.spec as ReplicaSet["spec"]).replicas = size;
      annotateReplicas(deployment, object as ReplicaSet);
    });
    if (changed && updated !== undefined) {
      const direction = before < size ? "up" : "down";
      const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${size}`;
      this.#events.normal(deployment, "ScalingReplicaSet", message);
    }
    return { set: (updated as ReplicaSet | undefined) ?? set, changed };
  }

  async remove(set: ReplicaSet): Promise<void> {
    await this.#client.delete(this.#idOf(set), set.metadata.uid as string);
  }

  hasOldPods({ old }: Rollout): boolean {
    return old.some(
      (set) => (set.status?.replicas ?? 0) > 0 || this.#context.podsOf(set, false).some((pod) => !isTerminal(pod)),
    );
  }

  async #writeStatus(rollout: Rollout, estimate: boolean): Promise<void> {
    const { deployment } = rollout;
    const latest = (set: ReplicaSet): ReplicaSet => this.#sets.byKey(keyOf(set)) ?? set;
    const current = rollout.current && latest(rollout.current);
    const old = rollout.old.map(latest);
    const now = this.#context.now();
    const next = estimate
      ? rolloutStatusOf(deployment, current, old, this.#context.time(), now)
      : statusOf(deployment, current, old, this.#context.time());
    const changed = !equalJson(next, deployment.status ?? {});
    deployment.status = next;
    if (changed) await this.#write(deployment);
    const wait = estimate ? untilDeadline(deployment, now) : undefined;
    if (wait !== undefined) this.#queue.addAfter(keyOf(deployment), wait);
  }

  /** Writes status and revision of a Deployment. */
  async #write(deployment: Deployment): Promise<void> {
    const { annotations } = deployment.metadata;
    const id = { ...this.#idOf(deployment), type: this.#deployments.type };
    await this.#client.update(
      id,
      (object) => {
        object.status = cloneJson(deployment.status ?? {});
        const revision = annotations?.[revisionAnnotation];
        if (revision !== undefined) {
          object.metadata.annotations = { ...object.metadata.annotations, [revisionAnnotation]: revision };
        }
      },
      "status",
    );
  }

  #idOf(object: ApiObject): ObjectId {
    const [namespace, name] = splitKey(keyOf(object));
    return { type: this.#sets.type, namespace, name };
  }
}

function setRevision({ metadata }: Deployment, revision: string): boolean {
  if (metadata.annotations?.[revisionAnnotation] === revision) return false;
  metadata.annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
  return true;
}

function newReplicaSet(deployment: Deployment, hash: string): ReplicaSet {
  const { metadata, spec } = deployment;
  const template = cloneJson(spec.template);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  template.metadata = { ...template.metadata, labels };
  const selector = cloneJson(spec.selector ?? {});
  const name = (metadata.name as string).slice(0, longestName - hash.length - 1);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      namespace: metadata.namespace as string,
      labels: { ...labels },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds ? { minReadySeconds: spec.minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template,
    },
  };
}
