// Leases that anybody with the permission to write them can create, for a session that takes over an operator.
import { afterEach, expect, it } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { eventLines, painter } from "../view/plain.ts";
import { newSessionIdentity, Takeover } from "./takeover.ts";

const name = "game.example.com";
let takeover: Takeover | undefined;
afterEach(() => takeover?.end());

/** A cluster that refuses leases as the API does. */
class Cluster {
  readonly leases = new Map<string, KubeObject>();
  readonly seen: string[] = [];
  conflicts = 0;
  requests = 0;

  add(namespace: string, spec: unknown, more: object = {}): void {
    this.leases.set(namespace, { metadata: { namespace, name, ...more }, spec } as KubeObject);
  }

  readonly client = {
    resourceOf: async () => ({ group: "coordination.k8s.io", version: "v1", plural: "leases", namespaced: true }),
    list: async () => [...this.leases.values()],
    get: async (_resource: unknown, namespace: string) => structuredClone(this.leases.get(namespace)),
    request: async ({ path, body }: { path: string; body: KubeObject }) => {
      this.requests++;
      const namespace = /namespaces\/([^/]+)\//.exec(path)?.[1] ?? "";
      if (this.conflicts-- > 0) throw Object.assign(new Error("conflict"), { code: 409 });
      const { leaseTransitions = 0, leaseDurationSeconds = 1 } = (body.spec ?? {}) as Record<string, number>;
      const isValid = Number.isInteger(leaseTransitions) && leaseTransitions >= 0 && leaseTransitions < 2 ** 31;
      if (!isValid || !(leaseDurationSeconds > 0)) throw Object.assign(new Error("invalid"), { code: 422 });
      this.leases.set(namespace, body);
    },
  } as unknown as KubeClient;

  async takeOver(): Promise<void> {
    const print = (event: object) => this.seen.push(...eventLines(event as never, painter(false)));
    takeover = new Takeover(
      this.client,
      {
        onChange: (held, action) => print({ event: "takeover", ...held, action }),
        onProblem: (message) => print({ event: "note", message }),
      },
      { identity: newSessionIdentity(), renewTime: 60_000 },
    );
    await takeover.begin(name);
  }
}

const now = () => new Date().toISOString();

it("absurd values neither stop a session nor reach the terminal, and other fields of the lease stay", async ({
  task,
}) => {
  const specs: Record<string, unknown> = {
    escapes: {
      holderIdentity: "\u001b[2J\u001b]0;owned\u0007\r\nfake line",
      renewTime: now(),
      leaseDurationSeconds: 15,
    },
    long: { holderIdentity: "x".repeat(1_000_000), renewTime: now() },
    transitions: { holderIdentity: "a", renewTime: now(), leaseTransitions: 2 ** 31 - 1 },
    future: { holderIdentity: "a", renewTime: "9999-12-31T23:59:59.999999Z", leaseDurationSeconds: 2 ** 31 - 1 },
    strategy: { holderIdentity: "a", renewTime: now(), strategy: "OldestEmulationVersion", preferredHolder: "b" },
    negative: { holderIdentity: "a", renewTime: now(), leaseDurationSeconds: -1 },
    malformed: { holderIdentity: "a", renewTime: "soon", acquireTime: "never" },
    types: { holderIdentity: 7, renewTime: {}, leaseTransitions: "many", leaseDurationSeconds: null },
    none: null,
    missing: undefined,
    text: "spec",
    pid: { holderIdentity: "kubewright-dev_host_-1_x", renewTime: now() },
  };
  Object.assign(task.meta, { attempts: Object.keys(specs).length });
  const cluster = new Cluster();
  for (const [namespace, spec] of Object.entries(specs)) cluster.add(namespace, spec, { annotations: { kept: "yes" } });
  await cluster.takeOver();
  const text = cluster.seen.join("\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text).not.toMatch(/^fake line/m);
  expect(text.length).toBeLessThan(5000);
  const taken = takeover?.held.map(({ lease }) => lease.split("/")[0]).sort();
  expect(taken).toEqual(["escapes", "future", "long", "strategy", "transitions"]);
  await takeover?.end();
  for (const namespace of ["escapes", "future", "long", "strategy", "transitions"]) {
    const { spec, metadata } = cluster.leases.get(namespace) as { spec: { holderIdentity: string }; metadata: object };
    expect([namespace, spec.holderIdentity]).toEqual([namespace, ""]);
    expect(metadata).toMatchObject({ annotations: { kept: "yes" } });
  }
  expect(cluster.leases.get("strategy")?.spec).toMatchObject({
    strategy: "OldestEmulationVersion",
    preferredHolder: "b",
  });
  // Leases that weren't taken over are unchanged.
  expect(cluster.leases.get("types")?.spec).toEqual(specs.types);
});

it("conflicts without end are reported once, and don't stop a session", async () => {
  const cluster = new Cluster();
  cluster.conflicts = Number.POSITIVE_INFINITY;
  cluster.add("default", { holderIdentity: "a", renewTime: now(), leaseDurationSeconds: 15 });
  await cluster.takeOver();
  expect(cluster.seen).toEqual([`can't hold the lease default/${name}: conflict`]);
  expect(cluster.requests).toBeLessThan(10);
});

it("leases in thousands of namespaces cause a limited number of requests", async ({ task }) => {
  Object.assign(task.meta, { attempts: 3000 });
  const cluster = new Cluster();
  for (let count = 0; count < 3000; count++) cluster.add(`n${count}`, { holderIdentity: "a", renewTime: now() });
  await cluster.takeOver();
  expect(cluster.requests).toBeLessThanOrEqual(50);
  expect(cluster.seen.at(-1)).toContain("more than 50 namespaces have one");
});
