// Starts a new etcd and kube-apiserver, and provides the requests that the measurements need.
import { fileURLToPath } from "node:url";
import { createTransport } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";

const crds = fileURLToPath(new URL("../operator/config/crd/bases", import.meta.url));
export const namespace = "default";
const samples = `/apis/bench.kubewright.dev/v1/namespaces/${namespace}/samples`;
const atATime = 20;

/**
 * Starts the servers, calls `use` with the available requests, and always stops the servers. `engine: "embedded"` starts the
 * embedded API server.
 */
export async function withServers(use, { engine } = {}) {
  const environment = new TestEnvironment({ crdDirectoryPaths: [crds], controlPlaneStartTimeout: 60_000, engine });
  const config = await environment.start();
  const transport = createTransport(config);
  try {
    return await use(new Servers(environment, transport));
  } finally {
    await transport.close();
    await environment.stop();
  }
}

class Servers {
  constructor(environment, transport) {
    this.environment = environment;
    this.transport = transport;
  }

  get kubeconfig() {
    return this.environment.kubeconfigPath;
  }

  async createSamples(count) {
    await inParallel(count, (index) =>
      this.#post(samples, {
        apiVersion: "bench.kubewright.dev/v1",
        kind: "Sample",
        metadata: { name: sampleName(index) },
        spec: { value: "first" },
      }),
    );
  }

  /** Creates ConfigMaps without an owner, with 1 KiB in four keys each. */
  async createConfigMaps(count) {
    await inParallel(count, (index) => {
      const data = {};
      for (const key of ["one", "two", "three", "four"])
        data[key] = `${index}-${key}-`.padEnd(256, `${index} and more `);
      return this.#post(`/api/v1/namespaces/${namespace}/configmaps`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `other-${index}`, labels: { app: "bench", part: String(index % 10) } },
        data,
      });
    });
  }

  async change(index, value) {
    await this.transport.request({
      method: "PATCH",
      path: `${samples}/${sampleName(index)}`,
      body: { spec: { value } },
      contentType: "application/merge-patch+json",
      maxRetries: 0,
    });
  }

  /** Changes the value of `count` Samples. */
  async changeAll(count, value) {
    await inParallel(count, (index) => this.change(index, value));
  }

  async sample(index) {
    const { body } = await this.transport.request({
      method: "GET",
      path: `${samples}/${sampleName(index)}`,
      maxRetries: 0,
    });
    return body;
  }

  /** Whether the API server is ready; `false` also if it doesn't respond. */
  async ready() {
    try {
      await this.transport.request({
        method: "GET",
        path: "/readyz",
        accept: "text/plain",
        maxRetries: 0,
        timeout: 2000,
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Calls `onStatus(name, value, time)` for each change of a Sample whose status matches its spec. */
  async watchStatus(onStatus) {
    const { body } = await this.transport.request({ method: "GET", path: samples, query: { limit: 1 } });
    const stream = await this.transport.stream({
      method: "GET",
      path: samples,
      query: { watch: true, allowWatchBookmarks: true, resourceVersion: body.metadata.resourceVersion },
    });
    const reading = (async () => {
      for await (const { object } of stream) {
        const { metadata, spec, status } = object;
        if (status?.value !== undefined && status.value === spec.value) onStatus(metadata.name, status.value, now());
      }
    })();
    return async () => {
      await stream.close();
      await reading;
    };
  }

  /**
   * Watches until `count` Samples have their status; `done` resolves to the time of the last one. The watch is open when
   * this resolves.
   */
  async watchAll(count) {
    const seen = new Set();
    let finish;
    const done = new Promise((resolve) => {
      finish = resolve;
    });
    const stop = await this.watchStatus((name, _value, time) => {
      seen.add(name);
      if (seen.size === count) finish(time);
    });
    return { done: done.then((time) => stop().then(() => time)) };
  }

  /** Returns the number of writes of Samples and ConfigMaps that the API server has counted so far. */
  async writes() {
    const { body } = await this.transport.request({ method: "GET", path: "/metrics", accept: "text/plain" });
    let sum = 0;
    for (const [, labels, value] of body.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
      const isWrite = /\bverb="(POST|PUT|PATCH|APPLY|DELETE)"/.test(labels);
      if (isWrite && /\bresource="(samples|configmaps)"/.test(labels)) sum += Number(value);
    }
    return sum;
  }

  async #post(path, body) {
    await this.transport.request({ method: "POST", path, body });
  }
}

/**
 * Returns the milliseconds since the epoch with a higher resolution than `Date.now()`. The operators print times of the same
 * clock.
 */
export const now = () => performance.timeOrigin + performance.now();

export const sampleName = (index) => `sample-${index}`;

async function inParallel(count, each) {
  let next = 0;
  const worker = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
