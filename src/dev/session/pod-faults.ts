import { readFileSync, rmSync } from "node:fs";
import type { ActiveFault, Engine } from "@kubewright/dashboard/protocol";
import { fieldManager, type KubeClient, type KubeObject, pathOf, statusOf } from "../client/kube-client.ts";
import { writeSecret } from "../setup/files.ts";

/** Annotation of the simulated workloads. */
const failAnnotation = "apiserver.kubewright.dev/fail";

/** A Pod that fails, and what it had before. */
interface FailedPod {
  readonly namespace: string;
  readonly name: string;
  /** Another Pod can have the same name later. */
  readonly uid: string;
  readonly before: object;
}

interface Pod extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The cluster of {@link PodFaults}. */
export interface PodFaultsOptions {
  readonly client: KubeClient;
  readonly engine: Engine;
  /** Path of the file that remembers the Pods after a killed session. */
  readonly file: string;
}

/** The Pods that fail at the request of a person: with simulated workloads by an annotation, and else by their status. */
export class PodFaults {
  readonly #options: PodFaultsOptions;
  #pods: readonly FailedPod[] = [];

  constructor(options: PodFaultsOptions) {
    this.#options = options;
  }

  /** Lets a Pod fail until {@link clear}. */
  async inject(namespace: string, name: string): Promise<void> {
    const { metadata = {}, status = {} } = await this.#get(namespace, name);
    const { uid = "" } = metadata;
    if (!this.#pods.some((pod) => pod.uid === uid)) {
      const { phase = null, reason = null, message = null } = status;
      const annotations = { [failAnnotation]: metadata.annotations?.[failAnnotation] ?? null };
      const before = this.#isSimulated ? { metadata: { annotations } } : { status: { phase, reason, message } };
      // Before the change, so that a session that is killed now leaves a record of it.
      this.#save([...this.#pods, { namespace, name, uid, before }]);
    }
    const failed = { phase: "Failed", reason: "Fault", message: "failed by scaffold dev" };
    await this.#patch(
      { namespace, name },
      this.#isSimulated ? { metadata: { annotations: { [failAnnotation]: "crash" } } } : { status: failed },
    );
  }

  /** Returns the Pods that fail. Those that were deleted don't. */
  async active(): Promise<readonly ActiveFault[]> {
    const isLeft = await Promise.all(this.#pods.map((pod) => this.#exists(pod)));
    const left = this.#pods.filter((_, index) => isLeft[index]);
    if (left.length < this.#pods.length) this.#save(left);
    return left.map(({ namespace, name }) => ({ fault: "pod-fails", namespace, name }));
  }

  /** Lets all Pods work again. */
  async clear(): Promise<void> {
    for (const pod of this.#pods) {
      if (await this.#exists(pod)) await this.#patch(pod, pod.before);
      this.#save(this.#pods.filter((other) => other !== pod));
    }
  }

  /** Ends the faults of a session that was killed. */
  async clearLeft(): Promise<void> {
    try {
      this.#pods = JSON.parse(readFileSync(this.#options.file, "utf8")) as FailedPod[];
    } catch {
      return;
    }
    await this.clear();
  }

  get #isSimulated(): boolean {
    return this.#options.engine === "embedded";
  }

  #save(pods: readonly FailedPod[]): void {
    this.#pods = pods;
    if (pods.length === 0) rmSync(this.#options.file, { force: true });
    else writeSecret(this.#options.file, JSON.stringify(pods));
  }

  async #get(namespace: string, name: string): Promise<Pod> {
    const { client } = this.#options;
    return client.get(await client.resourceOf("v1", "Pod"), namespace, name);
  }

  async #exists({ namespace, name, uid }: FailedPod): Promise<boolean> {
    try {
      return (await this.#get(namespace, name)).metadata?.uid === uid;
    } catch (error) {
      if (statusOf(error) === 404) return false;
      throw error;
    }
  }

  async #patch({ namespace, name }: Pick<FailedPod, "namespace" | "name">, body: object): Promise<void> {
    const { client } = this.#options;
    const pod = await client.resourceOf("v1", "Pod");
    const path = pathOf(pod, namespace, name, this.#isSimulated ? "" : "status");
    const query = { fieldManager };
    await client.request({ method: "PATCH", path, query, contentType: "application/merge-patch+json", body });
  }
}
