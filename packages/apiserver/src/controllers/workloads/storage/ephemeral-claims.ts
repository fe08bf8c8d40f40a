import type { Informer } from "../../../client/informer.ts";
import { SystemClient } from "../../../client/system-client.ts";
import { WorkQueue } from "../../../client/work-queue.ts";
import type { WorkloadContext } from "../common/context.ts";
import { EventRecorder } from "../common/events.ts";
import { controllerOf, keyOf, type Pod } from "../common/objects.ts";
import { type Claim, ephemeralClaimsOf } from "./types.ts";

/** Creates the claims of the ephemeral volumes of Pods, which go with their Pods. */
export class EphemeralClaims {
  readonly #context: WorkloadContext;
  readonly #client: SystemClient;
  readonly #events: EventRecorder;
  readonly #claims: Informer<Claim>;
  readonly #queue: WorkQueue;

  /** @param context - what the controllers share */
  constructor(context: WorkloadContext) {
    const { engine } = context;
    this.#context = context;
    this.#client = new SystemClient(engine, "ephemeral-volume-controller");
    this.#events = new EventRecorder(engine, this.#client, { component: "ephemeral_volume" });
    this.#claims = context.informer<Claim>("", "persistentvolumeclaims");
    this.#queue = new WorkQueue(engine, (key) => this.#sync(key));
  }

  /** Adds a Pod. */
  add(pod: Pod): void {
    if (ephemeralClaimsOf(pod).length > 0) this.#queue.add(keyOf(pod));
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#context.pods.byKey(key);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    for (const claim of ephemeralClaimsOf(pod)) {
      const present = this.#claims.byKey(keyOf(claim));
      if (present === undefined) {
        await this.#client.create(this.#claims.type, claim);
      } else if (controllerOf(present)?.uid !== pod.metadata.uid) {
        const volume = (claim.metadata.name as string).slice((pod.metadata.name as string).length + 1);
        const message = `PVC ${keyOf(claim)} was not created for pod ${key} (pod is not owner)`;
        this.#events.warning(pod, "FailedBinding", `ephemeral volume ${volume}: ${message}`);
        throw new Error(message);
      }
    }
  }
}
