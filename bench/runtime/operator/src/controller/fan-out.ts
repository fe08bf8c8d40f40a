import {
  type Context,
  enqueueRequestsFromMapFunc,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { ConfigMap, Secret } from "@kubewright/runtime/api/core/v1";
import { Sample } from "../../api/v1/index.ts";
import type { SampleReconciler } from "./sample-controller.ts";

const rounds = 20;
const warmUpRounds = 5;
const name = { name: "bench", namespace: "default" };

/** Changes a Secret for which all Samples are reconciled, again and again, and prints the number of reconciles per second. */
export class FanOut implements Reconciler {
  readonly #manager: Manager;
  readonly #inner: SampleReconciler;
  #left = 0;
  #finish: (() => void) | undefined;

  constructor(manager: Manager, inner: SampleReconciler) {
    this.#manager = manager;
    this.#inner = inner;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    await this.#inner.reconcile(ctx, req);
    if (--this.#left === 0) this.#finish?.();
  }

  async setupWithManager(workers: number): Promise<void> {
    const { client } = this.#manager;
    await newControllerManagedBy(this.#manager)
      .for(Sample)
      .owns(ConfigMap)
      .watches(
        Secret,
        enqueueRequestsFromMapFunc(async () => {
          const { items } = await client.list(Sample, { shared: true });
          return items.map(({ metadata }) => ({ name: metadata.name, namespace: metadata.namespace }));
        }),
      )
      .withOptions({ maxConcurrentReconciles: workers })
      .complete(this);
    this.#manager.add({ start: () => this.#run() });
  }

  async #run(): Promise<void> {
    const { client } = this.#manager;
    await client.create({ apiVersion: "v1", kind: "Secret", metadata: name } as Secret).catch(() => {});
    const { items } = await client.list(Sample, { shared: true });
    // The requests of the initial list come first.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    let [cpu, time] = [process.cpuUsage(), performance.now()];
    for (let round = 0; round < warmUpRounds + rounds; round++) {
      if (round === warmUpRounds) [cpu, time] = [process.cpuUsage(), performance.now()];
      this.#left = items.length;
      const finished = new Promise<void>((resolve) => {
        this.#finish = resolve;
      });
      const secret = await client.get(Secret, name);
      const before = mergeFrom(secret);
      secret.metadata.annotations = { round: String(round) };
      await client.patch(secret, before);
      await finished;
    }
    const done = rounds * items.length;
    const { user, system } = process.cpuUsage(cpu);
    console.log(`rate ${(done * 1000) / (performance.now() - time)} ${(done * 1e6) / (user + system)}`);
  }
}
