// Starts a new etcd and kube-apiserver, and provides the requests that the measurements need.
import { fileURLToPath } from "node:url";
import { createTransport, type Transport } from "@kubewright/runtime";
import type { KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { TestEnvironment, type TestEnvironmentOptions } from "@kubewright/runtime/envtest";
import { inParallel } from "../../lib/parallel.ts";

const crds = fileURLToPath(new URL("../operator/config/crd/bases", import.meta.url));
const samples = "/apis/bench.kubewright.dev/v1/namespaces/default/samples";
const configMaps = "/api/v1/namespaces/default/configmaps";
const atATime = 20;

/** The kind of the measured operators. */
export interface Sample extends KubernetesObject {
  metadata: { name: string; resourceVersion: string };
  spec: { value: string };
  status?: { value?: string };
}

/**
 * Starts the servers, calls `use` with the available requests, and always stops the servers. `engine: "embedded"` starts the
 * embedded API server.
 */
export async function withServers<Result>(
  use: (servers: Servers) => Promise<Result>,
  { engine }: Pick<TestEnvironmentOptions, "engine"> = {},
): Promise<Result> {
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

export class Servers {
  readonly environment: TestEnvironment;
  readonly #transport: Transport;

  constructor(environment: TestEnvironment, transport: Transport) {
    this.environment = environment;
    this.#transport = transport;
  }

  /** Path of the kubeconfig. */
  get kubeconfig(): string {
    return this.environment.kubeconfigPath;
  }

  async createSamples(count: number): Promise<void> {
    await inParallel(count, atATime, (index) =>
      this.#post(samples, {
        apiVersion: "bench.kubewright.dev/v1",
        kind: "Sample",
        metadata: { name: sampleName(index) },
        spec: { value: "first" },
      }),
    );
  }

  /** Creates ConfigMaps without an owner, with 1 KiB in four keys each. */
  async createConfigMaps(count: number): Promise<void> {
    await inParallel(count, atATime, (index) => {
      const data: Record<string, string> = {};
      for (const key of ["one", "two", "three", "four"])
        data[key] = `${index}-${key}-`.padEnd(256, `${index} and more `);
      return this.#post(configMaps, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `other-${index}`, labels: { app: "bench", part: String(index % 10) } },
        data,
      });
    });
  }

  async change(index: number, value: string): Promise<void> {
    await this.#transport.request({
      method: "PATCH",
      path: `${samples}/${sampleName(index)}`,
      body: { spec: { value } },
      contentType: "application/merge-patch+json",
      maxRetries: 0,
    });
  }

  /** Changes the value of `count` Samples. */
  async changeAll(count: number, value: string): Promise<void> {
    await inParallel(count, atATime, (index) => this.change(index, value));
  }

  async sample(index: number): Promise<Sample> {
    const { body } = await this.#transport.request({
      method: "GET",
      path: `${samples}/${sampleName(index)}`,
      maxRetries: 0,
    });
    return body as Sample;
  }

  /** Whether the API server is ready; `false` also if it doesn't respond. */
  async ready(): Promise<boolean> {
    try {
      await this.#transport.request({
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

  /**
   * Calls `onStatus` for each change of a Sample whose status matches its spec.
   *
   * @returns a function that ends the watch
   */
  async watchStatus(onStatus: (name: string, value: string, time: number) => void): Promise<() => Promise<void>> {
    const { body } = await this.#transport.request({ method: "GET", path: samples, query: { limit: 1 } });
    const stream = await this.#transport.stream({
      method: "GET",
      path: samples,
      query: {
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: (body as KubernetesList<Sample>).metadata?.resourceVersion,
      },
    });
    const reading = (async () => {
      for await (const event of stream) {
        const { metadata, spec, status } = (event as { object: Sample }).object;
        if (status?.value !== undefined && status.value === spec?.value) onStatus(metadata.name, status.value, now());
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
  async watchAll(count: number): Promise<{ done: Promise<number> }> {
    const seen = new Set<string>();
    let finish = (_time: number): void => {};
    const done = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const stop = await this.watchStatus((name, _value, time) => {
      seen.add(name);
      if (seen.size === count) finish(time);
    });
    return { done: done.then((time) => stop().then(() => time)) };
  }

  /** Returns the number of writes of Samples and ConfigMaps that the API server has counted so far. */
  async writes(): Promise<number> {
    const { body } = await this.#transport.request({ method: "GET", path: "/metrics", accept: "text/plain" });
    let sum = 0;
    for (const [, labels = "", value] of String(body).matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
      const isWrite = /\bverb="(POST|PUT|PATCH|APPLY|DELETE)"/.test(labels);
      if (isWrite && /\bresource="(samples|configmaps)"/.test(labels)) sum += Number(value);
    }
    return sum;
  }

  async #post(path: string, body: object): Promise<void> {
    await this.#transport.request({ method: "POST", path, body });
  }
}

/**
 * Returns the milliseconds since the epoch with a higher resolution than `Date.now()`. The operators print times of the same
 * clock.
 */
export const now = (): number => performance.timeOrigin + performance.now();

export const sampleName = (index: number): string => `sample-${index}`;
