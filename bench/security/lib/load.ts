// The load of the API server: requests that the webhooks review, and changes that the controller reverts.
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, createTransport, type Transport, type TransportRequest } from "@kubewright/runtime";
import type { KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { ConfigMap } from "@kubewright/runtime/api/core/v1";

/** Number of Orders whose ConfigMaps are changed in turn. */
const orders = 60;
const group = "/apis/bench.kubewright.dev";
const ordersOf = (version: string): string => `${group}/${version}/namespaces/default/orders`;
const configMaps = "/api/v1/namespaces/default/configmaps";
/** One in this many requests uses v2, which is converted. */
const everyConverted = 4;
/** Timeout of a request in milliseconds; the API server's timeout for webhooks is 10 s. */
const requestTimeout = 15_000;
/** Milliseconds within which the controller must create all ConfigMaps. */
const startTime = 60_000;
/** Milliseconds after the load within which the last change must be reverted. */
const settleTime = 10_000;

/** A change that the controller hasn't reverted yet. */
interface OpenChange {
  readonly name: string;
  readonly at: number;
  readonly counting: boolean;
  isStored: boolean;
}

/** An Order of any version. */
interface Order extends KubernetesObject {
  spec: { count?: number };
}

export class Load {
  /** Durations of correct reviews in milliseconds. */
  readonly reviewTimes: number[] = [];
  reviewsSent = 0;
  /** The reasons of lost reviews. */
  readonly lost: string[] = [];
  /** Milliseconds from each change to its reversal by the controller. */
  readonly changeTimes: number[] = [];
  changesSent = 0;
  readonly changesFailed: string[] = [];
  readonly #transport: Transport;
  /** By the written value. */
  readonly #open = new Map<string | undefined, OpenChange>();
  #onRestored = (_name: string): void => {};
  #reviews = 0;
  #changes = 0;

  constructor(config: Config) {
    this.#transport = createTransport(config);
  }

  /** Creates the Orders. Resolves when the controller has created their ConfigMaps. */
  async prepare(): Promise<void> {
    const created = new Set<string>();
    const ready = new Promise<void>((resolve) => {
      this.#onRestored = (name) => {
        if (created.add(name).size === orders) resolve();
      };
    });
    await this.#watch();
    for (let index = 0; index < orders; index++) await this.#create("v1", { name: orderName(index) });
    const late = sleep(startTime, undefined, { ref: false }).then(() => {
      throw new Error(`the controller has created ${created.size} of ${orders} ConfigMaps in ${startTime} ms`);
    });
    await Promise.race([ready, late]);
  }

  /**
   * Sends `rate` reviews and `rate` changes per second for a duration, without waiting for earlier ones.
   *
   * @param seconds - duration
   * @param rate - requests per second, of each type
   * @param counting - whether the results count
   */
  async run(seconds: number, rate: number, counting = true): Promise<void> {
    const started = performance.now();
    const pending: Promise<void>[] = [];
    for (let index = 0; index < seconds * rate; index++) {
      const at = started + (index * 1000) / rate;
      await sleep(Math.max(0, at - performance.now()));
      pending.push(this.#review(at, counting), this.#change(at, counting));
    }
    await Promise.all(pending);
  }

  /** Waits until all changes are reverted. Resolves to the number of remaining ones. */
  async settle(): Promise<number> {
    const end = performance.now() + settleTime;
    while (this.#open.size > 0 && performance.now() < end) await sleep(50);
    return [...this.#open.values()].filter(({ counting }) => counting).length;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #review(at: number, counting: boolean): Promise<void> {
    const number = this.#reviews++;
    const version = number % everyConverted === 0 ? "v2" : "v1";
    if (counting) this.reviewsSent++;
    try {
      const { spec } = await this.#create(version, { name: `review-${number}` }, { dryRun: "All" });
      if (spec.count !== 1) throw new Error(`count ${spec.count}, not the default`);
      if (counting) this.reviewTimes.push(performance.now() - at);
    } catch (error) {
      if (counting) this.lost.push(messageOf(error));
    }
  }

  async #change(at: number, counting: boolean): Promise<void> {
    const number = this.#changes++;
    const name = orderName(number % orders);
    const item = `changed-${number}`;
    this.#open.set(item, { name, at, counting, isStored: false });
    if (counting) this.changesSent++;
    try {
      await this.#transport.request({
        method: "PATCH",
        path: `${configMaps}/${name}`,
        body: { data: { item } },
        contentType: "application/merge-patch+json",
        maxRetries: 0,
        timeout: requestTimeout,
      });
    } catch (error) {
      this.#open.delete(item);
      if (counting) this.changesFailed.push(messageOf(error));
    }
  }

  async #create(version: string, metadata: { name: string }, query: TransportRequest["query"] = {}): Promise<Order> {
    const field = version === "v1" ? "item" : "product";
    const { body } = await this.#transport.request({
      method: "POST",
      path: ordersOf(version),
      query,
      body: {
        apiVersion: `bench.kubewright.dev/${version}`,
        kind: "Order",
        metadata,
        spec: { [field]: itemOf(metadata.name), owner: { name: "bench" } },
      },
      maxRetries: 0,
      timeout: requestTimeout,
    });
    return body as Order;
  }

  /** Watches the ConfigMaps. A change is reverted when the original item follows it. */
  async #watch(): Promise<void> {
    const { body } = await this.#transport.request({ method: "GET", path: configMaps, query: { limit: 1 } });
    const { resourceVersion } = (body as KubernetesList<ConfigMap>).metadata ?? {};
    const query = { watch: true, allowWatchBookmarks: true, resourceVersion };
    const stream = await this.#transport.stream({ method: "GET", path: configMaps, query });
    const read = async (): Promise<void> => {
      for await (const event of stream) {
        const { type, object } = event as { type: string; object: ConfigMap };
        if (type === "ADDED" || type === "MODIFIED") this.#see(object.metadata?.name ?? "", object.data?.item);
      }
    };
    read().catch((error) => this.changesFailed.push(`the watch has ended: ${messageOf(error)}`));
  }

  #see(name: string, item: string | undefined): void {
    const stored = this.#open.get(item);
    if (stored) stored.isStored = true;
    if (item !== itemOf(name)) return;
    this.#onRestored(name);
    for (const [key, change] of this.#open) {
      if (change.name !== name || !change.isStored) continue;
      this.#open.delete(key);
      if (change.counting) this.changeTimes.push(performance.now() - change.at);
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const orderName = (index: number): string => `order-${index}`;
const itemOf = (name: string): string => `item of ${name}`;
