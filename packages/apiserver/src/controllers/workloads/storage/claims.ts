import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { ApiObject } from "../../../model/resource.ts";
import { compareAmounts } from "../../../validation/amounts.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { isTerminal, keyOf, type Pod, splitKey } from "../common/objects.ts";
import { EphemeralClaims } from "./ephemeral-claims.ts";
import { type Claim, claimNamesOf, requestOf, type StorageClass, type Volume } from "./types.ts";
import { bestVolume, claimReference, defaultClass, newVolume } from "./volumes.ts";

const boundByController = "pv.kubernetes.io/bound-by-controller";
const claimProtection = "kubernetes.io/pvc-protection";
const volumeProtection = "kubernetes.io/pv-protection";

/** Binds PersistentVolumeClaims to volumes, which it provisions for every StorageClass. */
export class ClaimController {
  readonly #client: SystemClient;
  readonly #claimProtection: SystemClient;
  readonly #volumeProtection: SystemClient;
  readonly #events: EventRecorder;
  readonly #claims: Informer<Claim>;
  readonly #volumes: Informer<Volume>;
  readonly #classes: Informer<StorageClass>;
  readonly #podsByClaim: (key: string) => Pod[];
  readonly #claimQueue: WorkQueue;
  readonly #volumeQueue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#client = new SystemClient(engine, "persistent-volume-binder");
    this.#claimProtection = new SystemClient(engine, "pvc-protection-controller");
    this.#volumeProtection = new SystemClient(engine, "pv-protection-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "persistentvolume-controller" });
    this.#claimQueue = new WorkQueue(engine, (key) => this.#syncClaim(key));
    const ephemeral = new EphemeralClaims(context);
    this.#volumeQueue = new WorkQueue(engine, (key) => this.#syncVolume(key));
    this.#claims = context.informer<Claim>("", "persistentvolumeclaims");
    this.#volumes = context.informer<Volume>("", "persistentvolumes");
    this.#classes = context.informer<StorageClass>("storage.k8s.io", "storageclasses");
    const claimKeys = (pod: Pod): string[] => claimNamesOf(pod).map((name) => `${pod.metadata.namespace}/${name}`);
    this.#podsByClaim = context.pods.index(claimKeys);
    /** The claims that aren't bound. */
    const open = new Set<string>();
    this.#claims.onChange((claim, old) => {
      const key = keyOf((claim ?? old) as Claim);
      if (claim !== undefined && claim.status?.phase !== "Bound") open.add(key);
      else open.delete(key);
      if (claim !== undefined) this.#claimQueue.add(key);
      const { volumeName } = ((claim ?? old) as Claim).spec;
      if (volumeName) this.#volumeQueue.add(volumeName);
    });
    const retry = (): void => {
      for (const key of open) this.#claimQueue.add(key);
    };
    this.#volumes.onChange((volume, old) => {
      if (volume !== undefined) this.#volumeQueue.add(keyOf(volume));
      const { claimRef } = ((volume ?? old) as Volume).spec;
      if (claimRef?.name !== undefined) this.#claimQueue.add(`${claimRef.namespace}/${claimRef.name}`);
      else retry();
    });
    this.#classes.onChange(retry);
    context.pods.onChange((pod, old) => {
      // A claim waits for its first Pod, and is protected until the end of its last one.
      const changed = old === undefined || pod === undefined || isTerminal(pod) !== isTerminal(old);
      if (changed) for (const key of claimKeys((pod ?? old) as Pod)) this.#claimQueue.add(key);
      if (pod !== undefined && old === undefined) ephemeral.add(pod);
    });
  }

  /** Creates the default StorageClass, unless it exists. */
  async createDefaultClass(): Promise<void> {
    if (this.#classes.get("", defaultClass.metadata.name as string) !== undefined) return;
    await this.#client.create(this.#classes.type, defaultClass);
  }

  async #syncClaim(key: string): Promise<void> {
    const claim = this.#claims.byKey(key);
    if (claim === undefined) return;
    if (claim.metadata.deletionTimestamp !== undefined) return this.#release(key, claim);
    if (claim.spec.volumeName) return this.#finish(claim);
    const { storageClassName } = claim.spec;
    const volume = bestVolume(this.#volumes.all(), claim);
    const storageClass = storageClassName ? this.#classes.get("", storageClassName) : undefined;
    const waits = storageClass?.volumeBindingMode === "WaitForFirstConsumer" && this.#podsByClaim(key).length === 0;
    if (waits) {
      const message = "waiting for first consumer to be created before binding";
      this.#events.normal(claim, "WaitForFirstConsumer", message);
    } else if (volume !== undefined) await this.#bind(claim, volume);
    else if (!storageClassName) {
      const message = "no persistent volumes available for this claim and no storage class is set";
      this.#events.normal(claim, "FailedBinding", message);
    } else if (storageClass === undefined) {
      const message = `storageclass.storage.k8s.io "${storageClassName}" not found`;
      this.#events.warning(claim, "ProvisioningFailed", message);
    } else await this.#provision(claim, storageClass);
  }

  async #provision(claim: Claim, storageClass: StorageClass): Promise<void> {
    const { provisioner } = storageClass;
    const volume = newVolume(claim, storageClass);
    const present = this.#volumes.get("", volume.metadata.name as string);
    const created = present ?? ((await this.#client.create(this.#volumes.type, volume)) as Volume);
    const message = `Successfully provisioned volume ${volume.metadata.name} using ${provisioner}`;
    this.#events.normal(claim, "ProvisioningSucceeded", message);
    await this.#bind(claim, created, provisioner);
  }

  async #bind(claim: Claim, volume: Volume, provisioner?: string): Promise<void> {
    await this.#client.update(this.#idOfVolume(volume), (object) => {
      const { spec, metadata } = object as Volume;
      if (spec.claimRef?.uid !== undefined) return;
      if (spec.claimRef === undefined) metadata.annotations = { ...metadata.annotations, [boundByController]: "yes" };
      spec.claimRef = claimReference(claim);
    });
    await this.#client.update(this.#idOfClaim(claim), (object) => {
      const { spec, metadata } = object as Claim;
      spec.volumeName = volume.metadata.name as string;
      metadata.annotations = {
        ...metadata.annotations,
        "pv.kubernetes.io/bind-completed": "yes",
        [boundByController]: "yes",
        ...(provisioner === undefined ? {} : { "volume.kubernetes.io/storage-provisioner": provisioner }),
      };
    });
  }

  /** Shows the volume in the status of a claim, and lets it grow. */
  async #finish(claim: Claim): Promise<void> {
    const volume = this.#volumes.get("", claim.spec.volumeName as string);
    const { phase } = claim.status ?? {};
    if (volume === undefined) {
      if (phase !== "Bound") return;
      const message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
      await this.#setStatus(claim, { phase: "Lost" });
      this.#events.warning(claim, "ClaimLost", message);
      return;
    }
    if (volume.spec.claimRef === undefined) return this.#bind(claim, volume);
    if (volume.spec.claimRef.uid !== claim.metadata.uid) return;
    const { accessModes = [] } = volume.spec;
    const capacity = { ...volume.spec.capacity };
    if (phase === "Bound" && compareAmounts(requestOf(claim), capacity.storage ?? "0") > 0) {
      capacity.storage = requestOf(claim);
      await this.#client.update(this.#idOfVolume(volume), (object) => {
        (object as Volume).spec.capacity = { ...capacity };
      });
    }
    await this.#setStatus(claim, { phase: "Bound", accessModes: [...accessModes], capacity });
  }

  async #setStatus(claim: Claim, status: NonNullable<Claim["status"]>): Promise<void> {
    await this.#client.update(
      this.#idOfClaim(claim),
      (object) => (object.status = { ...(object as Claim).status, ...status }),
      "status",
    );
  }

  /** Removes the protection of a claim that no Pod uses. */
  async #release(key: string, claim: Claim): Promise<void> {
    if (this.#podsByClaim(key).some((pod) => !isTerminal(pod))) return;
    await this.#claimProtection.update(this.#idOfClaim(claim), (object) => removeFinalizer(object, claimProtection));
  }

  async #syncVolume(name: string): Promise<void> {
    const volume = this.#volumes.byKey(name);
    if (volume === undefined) return;
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
    const present = claimRef && this.#claims.get(claimRef.namespace ?? "", claimRef.name ?? "");
    const bound = present !== undefined && present.metadata.uid === claimRef?.uid;
    const phase = bound ? "Bound" : claimRef?.uid === undefined ? "Available" : "Released";
    if (volume.metadata.deletionTimestamp !== undefined) {
      if (bound) return;
      const id = this.#idOfVolume(volume);
      await this.#volumeProtection.update(id, (object) => removeFinalizer(object, volumeProtection));
      return;
    }
    if (volume.status?.phase !== phase) {
      await this.#client.update(
        this.#idOfVolume(volume),
        (object) => (object.status = { ...(object as Volume).status, phase }),
        "status",
      );
    }
    if (phase === "Released" && persistentVolumeReclaimPolicy === "Delete") {
      await this.#client.delete(this.#idOfVolume(volume), volume.metadata.uid as string);
    }
  }

  #idOfClaim(claim: Claim) {
    const [namespace, name] = splitKey(keyOf(claim));
    return { type: this.#claims.type, namespace, name };
  }

  #idOfVolume({ metadata }: Volume) {
    return { type: this.#volumes.type, namespace: "", name: metadata.name as string };
  }
}

function removeFinalizer({ metadata }: ApiObject, finalizer: string): void {
  const rest = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
  if (rest.length > 0) metadata.finalizers = rest;
  else delete metadata.finalizers;
}
