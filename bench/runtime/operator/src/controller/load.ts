import {
  type Context,
  channelSource,
  enqueueRequestForObject,
  type GenericEvent,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Sample } from "../../api/v1/index.ts";
import type { SampleReconciler } from "./sample-controller.ts";

const warmUp = 2000;
const duration = 5000;
/** Number of concurrent requests: fewer than there are Samples, because otherwise two would be merged. */
const inFlight = 500;

/** Calls reconciles without work as fast as the queue allows, and prints their number per second. */
export class Load implements Reconciler {
  readonly #manager: Manager;
  readonly #inner: SampleReconciler;
  readonly #reads: boolean;
  #running = false;
  #finished = 0;
  #permits = inFlight;
  #wake: (() => void) | undefined;

  constructor(manager: Manager, inner: SampleReconciler, reads: boolean) {
    this.#manager = manager;
    this.#inner = inner;
    this.#reads = reads;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    if (!this.#running) return;
    if (this.#reads) await this.#inner.reconcile(ctx, req);
    this.#finished++;
    this.#permits++;
    this.#wake?.();
  }

  async setupWithManager(workers: number): Promise<void> {
    await newControllerManagedBy(this.#manager)
      .for(Sample)
      .owns(ConfigMap)
      .watchesRawSource(channelSource(this.#events(), enqueueRequestForObject()))
      .withOptions({ maxConcurrentReconciles: workers })
      .complete(this);
  }

  async *#events(): AsyncGenerator<GenericEvent> {
    await this.#manager.elected;
    const { items } = await this.#manager.client.list(Sample, { shared: true });
    // Handle the requests of the initial list first.
    await new Promise((resolve) => setTimeout(resolve, warmUp));
    this.#running = true;
    const begin = performance.now();
    let from: { finished: number; cpu: NodeJS.CpuUsage; time: number } | undefined;
    for (let i = 0; ; i++) {
      if (i % 1024 === 0) {
        const time = performance.now();
        if (!from && time - begin > warmUp) from = { finished: this.#finished, cpu: process.cpuUsage(), time };
        else if (from && time - from.time > duration) break;
      }
      while (this.#permits === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      this.#permits--;
      yield { object: items[i % items.length]! };
    }
    const done = this.#finished - from.finished;
    const { user, system } = process.cpuUsage(from.cpu);
    console.log(`rate ${(done * 1000) / (performance.now() - from.time)} ${(done * 1e6) / (user + system)}`);
  }
}
