// The load of the API server: requests that the webhooks review, and changes that the controller reverts.
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "@kubewright/runtime";

/** Number of Orders whose ConfigMaps are changed in turn. */
const orders = 60;
const group = "/apis/bench.kubewright.dev";
const ordersOf = (version) => `${group}/${version}/namespaces/default/orders`;
const configMaps = "/api/v1/namespaces/default/configmaps";
/** One in this many requests uses v2, which is converted. */
const everyConverted = 4;
/** Timeout of a request in milliseconds; the API server's timeout for webhooks is 10 s. */
const requestTimeout = 15_000;
/** Milliseconds within which the controller must create all ConfigMaps. */
const startTime = 60_000;
/** Milliseconds after the load within which the last change must be reverted. */
const settleTime = 10_000;

export class Load {
  /** Durations of correct reviews in milliseconds. */
  reviewTimes = [];
  reviewsSent = 0;
  lost = [];
  /** Milliseconds from each change to its reversal by the controller. */
  changeTimes = [];
  changesSent = 0;
  changesFailed = [];
  #transport;
  /** Changes that the controller hasn't reverted yet, by the written value. */
  #open = new Map();
  #onRestored = () => {};
  #reviews = 0;
  #changes = 0;

  constructor(config) {
    this.#transport = createTransport(config);
  }

  /** Creates the Orders. Resolves when the controller has created their ConfigMaps. */
  async prepare() {
    const created = new Set();
    const ready = new Promise((resolve) => {
      this.#onRestored = (name) => created.add(name).size === orders && resolve();
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
  async run(seconds, rate, counting = true) {
    const started = performance.now();
    const pending = [];
    for (let index = 0; index < seconds * rate; index++) {
      const at = started + (index * 1000) / rate;
      await sleep(Math.max(0, at - performance.now()));
      pending.push(this.#review(at, counting), this.#change(at, counting));
    }
    await Promise.all(pending);
  }

  /** Waits until all changes are reverted. Resolves to the number of remaining ones. */
  async settle() {
    const end = performance.now() + settleTime;
    while (this.#open.size > 0 && performance.now() < end) await sleep(50);
    return [...this.#open.values()].filter(({ counting }) => counting).length;
  }

  async close() {
    await this.#transport.close();
  }

  async #review(at, counting) {
    const number = this.#reviews++;
    const version = number % everyConverted === 0 ? "v2" : "v1";
    if (counting) this.reviewsSent++;
    try {
      const { spec } = await this.#create(version, { name: `review-${number}` }, { dryRun: "All" });
      if (spec.count !== 1) throw new Error(`count ${spec.count}, not the default`);
      if (counting) this.reviewTimes.push(performance.now() - at);
    } catch (error) {
      if (counting) this.lost.push(error.message);
    }
  }

  async #change(at, counting) {
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
      if (counting) this.changesFailed.push(error.message);
    }
  }

  async #create(version, metadata, query = {}) {
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
    return body;
  }

  /** Watches the ConfigMaps. A change is reverted when the original item follows it. */
  async #watch() {
    const { body } = await this.#transport.request({ method: "GET", path: configMaps, query: { limit: 1 } });
    const query = { watch: true, allowWatchBookmarks: true, resourceVersion: body.metadata.resourceVersion };
    const stream = await this.#transport.stream({ method: "GET", path: configMaps, query });
    const read = async () => {
      for await (const { type, object } of stream) {
        if (type === "ADDED" || type === "MODIFIED") this.#see(object.metadata.name, object.data?.item);
      }
    };
    read().catch((error) => this.changesFailed.push(`the watch has ended: ${error.message}`));
  }

  #see(name, item) {
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

const orderName = (index) => `order-${index}`;
const itemOf = (name) => `item of ${name}`;
