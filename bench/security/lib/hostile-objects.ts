// Creates objects of a tenant for which callbacks of the controller throw.
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@kubewright/runtime";

/** Number of objects of each kind: more than 41, which once ended a manager at its start. */
const objects = 48;
/** Changes per second. */
const rate = 16;
const configMaps = "/api/v1/namespaces/default/configmaps";
const orders = "/apis/bench.kubewright.dev/v1/namespaces/default/orders";
const once = { maxRetries: 0, timeout: 15_000 };

/**
 * Creates Orders for which the predicate of the controller throws, and ConfigMaps for which its map function throws.
 * Continues if one is rejected, because the manager may have ended due to earlier ones.
 */
export async function createHostileObjects(transport: Transport): Promise<void> {
  const create = (path: string, body: object): Promise<unknown> =>
    transport.request({ method: "POST", path, body, ...once }).catch(() => {});
  for (let index = 0; index < objects; index++) {
    const name = `hostile-${index}`;
    await create(orders, {
      apiVersion: "bench.kubewright.dev/v1",
      kind: "Order",
      metadata: { name },
      spec: { item: "x" },
    });
    const annotations = { "bench.kubewright.dev/order": "no-slash" };
    await create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations } });
  }
}

/** Changes these objects in turn until the signal aborts. */
export async function changeHostileObjects(transport: Transport, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    const path = count % 2 === 0 ? orders : configMaps;
    const body = { metadata: { labels: { count: String(count) } } };
    const name = `hostile-${Math.floor(count / 2) % objects}`;
    const contentType = "application/merge-patch+json";
    // Don't wait: a slow review must not slow down the attack.
    transport.request({ method: "PATCH", path: `${path}/${name}`, body, contentType, ...once }).catch(() => {});
    await sleep(1000 / rate, undefined, { signal }).catch(() => {});
  }
}
