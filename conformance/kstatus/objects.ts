import { Random } from "../kubernetes-values/random.ts";

const kinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  ["v1", "Service"],
  ["v1", "Pod"],
  ["v1", "Secret"],
  ["v1", "ConfigMap"],
  ["v1", "PersistentVolumeClaim"],
  ["v1", "Namespace"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["extensions/v1beta1", "DaemonSet"],
  ["apps/v1", "Deployment"],
  ["extensions/v1beta1", "Deployment"],
  ["apps/v1", "ReplicaSet"],
  ["policy/v1", "PodDisruptionBudget"],
  ["batch/v1", "CronJob"],
  ["batch/v1", "Job"],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
  ["myapp.example.com/v1", "Game"],
  ["a/b/c", "Deployment"],
  ["/", "Pod"],
  ["/v1", "Pod"],
  ["v1", "Deployment"],
];

const types = [
  "Ready",
  "Reconciling",
  "Stalled",
  "Available",
  "Progressing",
  "PodScheduled",
  "ReplicaFailure",
  "Complete",
  "Failed",
  "NamesAccepted",
  "Established",
];
const reasons = [
  "ProgressDeadlineExceeded",
  "NewReplicaSetAvailable",
  "Unschedulable",
  "Installing",
  "ListKindConflict",
  "Because",
];
const phases = ["Pending", "Running", "Succeeded", "Failed", "Unknown", "Bound", "Lost"];
const counts = [
  "replicas",
  "readyReplicas",
  "currentReplicas",
  "updatedReplicas",
  "availableReplicas",
  "fullyLabeledReplicas",
  "desiredNumberScheduled",
  "currentNumberScheduled",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberReady",
  "succeeded",
  "active",
  "failed",
];

/** Values that have no place in the fields that kstatus reads. */
const wrong: readonly unknown[] = [null, 5, 2.5, "x", true, [], {}, [[]], [null], ""];

/** Creates random objects, most of them as Kubernetes stores them, some with values of wrong types. */
export class RandomObjects {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(): Record<string, unknown> {
    const random = this.#random;
    const [apiVersion, kind] = random.pick(kinds);
    return {
      apiVersion,
      kind,
      metadata: this.#orWrong({
        name: "a",
        ...this.#maybe(90, "generation", () => random.below(3)),
        ...this.#maybe(4, "deletionTimestamp", () => random.pick(["2026-01-02T03:04:05Z", ""])),
        ...this.#maybe(80, "creationTimestamp", () => random.pick(["2020-01-02T03:04:05Z", "2100-01-02T03:04:05Z"])),
      }),
      ...this.#maybe(90, "spec", () => this.#spec()),
      ...this.#maybe(92, "status", () => this.#status()),
    };
  }

  #spec(): Record<string, unknown> {
    const random = this.#random;
    return {
      ...this.#maybe(70, "replicas", () => random.below(3)),
      ...this.#maybe(30, "progressDeadlineSeconds", () => random.pick([600, 2 ** 31 - 1])),
      ...this.#maybe(30, "completions", () => random.below(4)),
      ...this.#maybe(30, "parallelism", () => random.below(4)),
      ...this.#maybe(50, "type", () => random.pick(["LoadBalancer", "ClusterIP", "NodePort"])),
      ...this.#maybe(50, "clusterIP", () => random.pick(["", "10.0.0.1", "None"])),
      ...this.#maybe(50, "updateStrategy", () => ({
        ...this.#maybe(60, "type", () => random.pick(["OnDelete", "RollingUpdate"])),
        ...this.#maybe(60, "rollingUpdate", () => this.#maybe(80, "partition", () => random.below(3))),
      })),
    };
  }

  #status(): Record<string, unknown> {
    const random = this.#random;
    // Equal counts reach the later rules.
    const usual = random.below(3);
    const pairs = counts.map((name) => this.#maybe(85, name, () => (random.chance(75) ? usual : random.below(3))));
    return Object.assign(
      {},
      ...pairs,
      this.#maybe(60, "observedGeneration", () => random.below(3)),
      this.#maybe(60, "phase", () => random.pick(phases)),
      this.#maybe(60, "startTime", () => random.pick(["2026-01-02T03:04:05Z", ""])),
      this.#maybe(50, "currentRevision", () => random.pick(["a", "b"])),
      this.#maybe(50, "updateRevision", () => random.pick(["a", "b"])),
      this.#maybe(40, "containerStatuses", () => this.#containers()),
      this.#maybe(75, "conditions", () => Array.from({ length: random.below(4) }, () => this.#condition())),
    );
  }

  #condition(): unknown {
    const random = this.#random;
    return this.#orWrong({
      ...this.#maybe(97, "type", () => random.pick(types)),
      ...this.#maybe(97, "status", () => random.pick(["True", "True", "False", "Unknown", "true", ""])),
      ...this.#maybe(80, "reason", () => random.pick(reasons)),
      ...this.#maybe(80, "message", () => random.pick(["", "a message", "1 of 2"])),
    });
  }

  /** Well-formed, because the module crashes for others. */
  #containers(): unknown[] {
    const random = this.#random;
    return Array.from({ length: 1 + random.below(2) }, (_, index) => ({
      name: `c${index}`,
      state: random.pick([{ running: {} }, { waiting: { reason: "CrashLoopBackOff" } }, { waiting: { reason: "X" } }]),
    }));
  }

  #maybe(percent: number, name: string, make: () => unknown): Record<string, unknown> {
    if (!this.#random.chance(percent)) return {};
    const value = make();
    return { [name]: name === "containerStatuses" ? value : this.#orWrong(value) };
  }

  #orWrong(value: unknown): unknown {
    return this.#random.chance(2) && this.#random.chance(30) ? this.#random.pick(wrong) : value;
  }
}
