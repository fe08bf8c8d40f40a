import { setTimeout as sleep } from "node:timers/promises";
import type { TestEnvironment } from "@kubewright/runtime/envtest";
import { compactEtcd } from "../../packages/runtime/tests/faults/compact.ts";
import type { HttpProxy } from "../../packages/runtime/tests/faults/http-proxy.ts";
import type { Fault, Treatment } from "../../packages/runtime/tests/faults/treatment.ts";
import type { Random } from "../../scripts/test-support/random.ts";

export interface MishapsOptions {
  environment: TestEnvironment;
  proxy: HttpProxy;
  random: Random;
  signal: AbortSignal;
}

const seconds = 1000;
const status = (code: number): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "", code });

/** Random faults between an operator and its server, one after another. */
export class Mishaps {
  /** How often each fault occurred. */
  readonly counts = new Map<string, number>();
  readonly #options: MishapsOptions;

  constructor(options: MishapsOptions) {
    this.#options = options;
  }

  /** Continues until the signal aborts, and then repairs all connections. */
  async run(): Promise<void> {
    const { random, signal, proxy, environment } = this.#options;
    try {
      while (!signal.aborted) {
        await this.#pause(1 + random.int(5));
        if (signal.aborted) break;
        const [name, act] = this.#draw();
        this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
        await act();
      }
    } finally {
      proxy.fault = undefined;
      await environment.startEtcd();
      await environment.startApiServer();
    }
  }

  #draw(): [string, () => Promise<unknown> | unknown] {
    const { environment, proxy, random } = this.#options;
    const some =
      (treatment: () => Treatment, share = 0.4) =>
      (): Promise<void> =>
        this.#during(2 + random.int(5), () => (random.chance(share) ? treatment() : undefined));
    const all: [weight: number, name: string, act: () => Promise<unknown> | unknown][] = [
      [6, "watches reset", () => proxy.cutWatches("reset")],
      [4, "watches half-closed", () => proxy.cutWatches("half-close")],
      [4, "watches ended amidst an event", () => proxy.cutWatches("end")],
      [2, "watches cut every second", () => this.#cutting(10)],
      [3, "delays up to a second", some(() => ({ delay: random.int(1000) }))],
      [
        3,
        "429 with Retry-After",
        some(() => ({ answer: { status: 429, headers: { "retry-after": "1" }, body: status(429) } })),
      ],
      [3, "500", some(() => ({ answer: { status: 500, body: status(500) } }))],
      [3, "503 without a body", some(() => ({ answer: { status: 503 } }))],
      [
        2,
        "a login page",
        some(() => ({ answer: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" } })),
      ],
      [
        2,
        "answers cut",
        some(() => ({ cut: { after: random.int(2000), how: random.pick(["reset", "half-close", "end"]) } })),
      ],
      [2, "lines twice", some(() => ({ line: (line) => [line, line] }))],
      [2, "garbage between lines", some(() => ({ line: (line) => (random.chance(0.1) ? ["%%%", line] : [line]) }))],
      // Each one occupies a worker for 70 s, after which a silent server counts as unavailable.
      [1, "no answer", some(() => ({ silent: true }), 0.02)],
      [2, "compaction", () => compactEtcd(environment.etcdUrl)],
      [2, "API server killed", () => this.#killApiServer()],
      [1, "etcd killed", () => this.#killEtcd()],
    ];
    let drawn = random.int(all.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, name, act] of all) {
      if (drawn < weight) return [name, act];
      drawn -= weight;
    }
    throw new Error("weights are whole numbers above 0");
  }

  async #during(length: number, fault: Fault): Promise<void> {
    const { proxy } = this.#options;
    proxy.fault = fault;
    proxy.cutWatches("reset");
    await this.#pause(length);
    proxy.fault = undefined;
    // Accepted requests get no response, as with a load balancer that has lost its back end.
    proxy.cutWatches("reset");
  }

  async #cutting(times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      this.#options.proxy.cutWatches("reset");
      await this.#pause(1);
    }
  }

  async #killApiServer(): Promise<void> {
    const { environment, random } = this.#options;
    await environment.killApiServer();
    await this.#pause(random.int(5));
    await environment.startApiServer();
  }

  async #killEtcd(): Promise<void> {
    const { environment, random } = this.#options;
    await environment.killEtcd();
    await this.#pause(random.int(5));
    await environment.startEtcd();
  }

  async #pause(length: number): Promise<void> {
    await sleep(length * seconds, undefined, { signal: this.#options.signal }).catch(() => {});
  }
}
