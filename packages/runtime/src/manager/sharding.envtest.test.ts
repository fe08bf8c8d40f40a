import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { KubernetesObject } from "../api/index.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import { createLiveClient } from "../client/live-client.ts";
import type { Config } from "../config/config.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { TransportError } from "../errors/transport-error.ts";
import { Lease } from "../leader-election/lease.ts";
import { createLogger } from "../log/create-logger.ts";
import type { Context } from "../reconcile/context.ts";
import type { Request } from "../reconcile/request.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { Manager } from "./manager.ts";
import type { ManagerOptions } from "./options.ts";
import { ConfigMap, eventually, Widget, widget, widgetCRD } from "./widget.fixture.ts";

const environment = new TestEnvironment({
  crds: [widgetCRD],
  apiServerFlags: { "feature-gates": "ShardedListAndWatch=true" },
});
const namespaces = Array.from({ length: 12 }, (_, index) => `team-${index}`);
const timing = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400 };
const lines: string[] = [];
const logger = createLogger({ destination: { write: (line) => void lines.push(line) }, level: "info" });
let config: Config;
let transport: Transport;
let client: Client;
let replicas: Replica[] = [];
let group = 0;

/** Records every reconcile, as an external system would, and all that overlapped with one of another replica. */
const running = new Map<string, Replica>();
const overlaps: string[] = [];

/** A replica of the operator. */
class Replica {
  readonly stop = new AbortController();
  readonly reconciled = new Map<string, number>();
  mgr!: Manager;
  done!: Promise<void>;
  error: unknown;
  /** Length of a reconcile in milliseconds. */
  pause = 5;

  async start(options: ManagerOptions = {}): Promise<this> {
    this.mgr = await Manager.create(config, {
      ...timing,
      metrics: { bindAddress: "0" },
      leaderElectionID: `widgets-${group}`,
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
      sharding: true,
      logger,
      ...options,
    });
    await newControllerManagedBy(this.mgr)
      .for(Widget)
      .owns(ConfigMap)
      .withOptions({ maxConcurrentReconciles: 4 })
      .complete({ reconcile: (ctx, request) => this.#reconcile(ctx, request) });
    this.done = this.mgr.start(this.stop.signal).catch((error: unknown) => {
      this.error = error;
    });
    replicas.push(this);
    return this;
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.done;
    replicas = replicas.filter((replica) => replica !== this);
  }

  get objects(): number {
    return this.mgr.cache.inform(Widget, { shard: "none" } as never).store.size;
  }

  async #reconcile(_ctx: Context, { namespace, name }: Request): Promise<void> {
    const key = `${namespace}/${name}`;
    const other = running.get(key);
    if (other && other !== this) overlaps.push(key);
    running.set(key, this);
    this.reconciled.set(key, (this.reconciled.get(key) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, this.pause));
    if (running.get(key) === this) running.delete(key);
  }
}

const stored: KubernetesObject[] = [];

beforeAll(async () => {
  config = await environment.start();
  transport = createTransport(config);
  client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  for (const name of namespaces) {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    for (const color of ["red", "green", "blue"]) stored.push(await client.create(widget(color, color, name)));
  }
});

afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.end()));
  group++;
});

afterAll(async () => {
  await transport.close();
  await environment.stop();
});

/** Waits until each object has an owner, which has it in its cache. */
async function expectOwned(): Promise<void> {
  await eventually(() => {
    const owners = stored.map((object) => replicas.filter(({ mgr }) => mgr.shards!.owns(object)).length);
    expect(owners).toEqual(stored.map(() => 1));
    expect(replicas.reduce((sum, { objects }) => sum + objects, 0)).toBe(stored.length);
  });
  expect(overlaps).toEqual([]);
}

async function expectBalanced(): Promise<void> {
  const mean = stored.length / replicas.length;
  await eventually(() => {
    for (const { objects } of replicas) expect(Math.abs(objects - mean)).toBeLessThanOrEqual(0.1 * mean + 3);
  });
  await expectOwned();
}

it("replicas join, leave and are balanced, each object has one owner, and a new owner reconciles it", async () => {
  const first = await new Replica().start();
  await expectOwned();
  await eventually(() => expect(first.reconciled.size).toBe(stored.length));
  await new Replica().start();
  await expectBalanced();
  await new Replica().start();
  await expectBalanced();
  await first.end();
  await expectBalanced();
  await eventually(() => {
    for (const { mgr, reconciled } of replicas) {
      for (const { metadata } of stored.filter((object) => mgr.shards!.owns(object))) {
        expect(reconciled.get(`${metadata!.namespace}/${metadata!.name}`)).toBeGreaterThan(0);
      }
    }
  });
  const leases = await client.list(Lease, { namespace: "default" });
  expect(leases.items.filter(({ metadata }) => metadata.name.startsWith(`widgets-${group}-`))).toHaveLength(3);
});

it("changes are reconciled by the owner only, and reads are never partial", async () => {
  await new Replica().start();
  await new Replica().start();
  await expectBalanced();
  for (const { reconciled } of replicas) reconciled.clear();
  for (const namespace of namespaces) {
    const red = await client.get(Widget, { namespace, name: "red" });
    await client.update({ ...red, spec: { color: `red ${group}` } });
  }
  await eventually(() => {
    for (const namespace of namespaces) {
      const owners = replicas.filter(({ reconciled }) => reconciled.has(`${namespace}/red`));
      expect(owners).toHaveLength(1);
      expect(owners[0]!.mgr.shards!.owns({ apiVersion: "v1", kind: "X", metadata: { namespace } })).toBe(true);
    }
  });
  const [a, b] = replicas;
  for (const { mgr } of [a!, b!]) {
    expect((await mgr.client.list(Widget)).items).toHaveLength(stored.length);
    expect((await mgr.client.list(Widget, { sharded: true })).items.length).toBeLessThan(stored.length);
    for (const namespace of namespaces) {
      expect((await mgr.client.list(Widget, { namespace })).items).toHaveLength(3);
      expect((await mgr.client.get(Widget, { namespace, name: "red" })).metadata.namespace).toBe(namespace);
    }
  }
});

/** A connection that can be lost, as if the process was killed. */
function lossy(): { transport: Transport; lose: () => void } {
  const inner = createTransport(config);
  let isLost = false;
  const check = (): void => {
    if (isLost) throw new TransportError("ECONNREFUSED", "the connection is lost");
  };
  return {
    transport: {
      request: async (request) => {
        check();
        const response = await inner.request(request);
        check();
        return response;
      },
      stream: async (request) => {
        check();
        return inner.stream(request);
      },
      close: () => inner.close(),
    },
    lose: () => {
      isLost = true;
      void inner.close();
    },
  };
}

fullTest("a replica that loses its connection ends, and the others own its objects", async () => {
  const connection = lossy();
  const lost = await new Replica().start({ transport: connection.transport });
  await new Replica().start();
  await new Replica().start();
  await expectBalanced();
  connection.lose();
  await lost.done;
  expect(String(lost.error)).toMatch(/shard membership lost|leader election lost/);
  expect(stored.filter((object) => lost.mgr.shards!.owns(object))).toEqual([]);
  replicas = replicas.filter((replica) => replica !== lost);
  await expectBalanced();
});

fullTest(
  "a leader without sharding waits until no replica owns an object, and replicas with sharding continue after it",
  async () => {
    const first = await new Replica().start();
    const second = await new Replica().start();
    await expectBalanced();
    second.pause = 1500;
    const unsharded = await new Replica().start({ sharding: false, leaderElection: true });
    await first.end();
    await eventually(() => expect(unsharded.reconciled.size).toBe(stored.length));
    expect(stored.filter((object) => second.mgr.shards!.owns(object))).toEqual([]);
    const leaseOf = (name: string) => client.get(Lease, { namespace: "default", name });
    expect((await leaseOf(`widgets-${group}-shards`)).metadata.annotations).toHaveProperty([
      "sharding.kubewright.io/suspended-by",
    ]);
    await eventually(async () => expect((await leaseOf(`widgets-${group}`)).metadata.labels ?? {}).toEqual({}));
    await unsharded.end();
    await expectOwned();
    expect((await leaseOf(`widgets-${group}-shards`)).metadata.annotations).not.toHaveProperty([
      "sharding.kubewright.io/suspended-by",
    ]);
  },
);

fullTest("key uid divides the objects of one namespace, and children follow their owner", async () => {
  await new Replica().start({ sharding: { key: "uid" } });
  await new Replica().start({ sharding: { key: "uid" } });
  await expectBalanced();
  const child = (owner: KubernetesObject): KubernetesObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: `child-${group}-${owner.metadata!.name}`,
      namespace: owner.metadata!.namespace,
      ownerReferences: [
        {
          apiVersion: Widget.apiVersion,
          kind: Widget.kind,
          name: owner.metadata!.name!,
          uid: owner.metadata!.uid!,
          controller: true,
        },
      ],
    },
  });
  for (const { reconciled } of replicas) reconciled.clear();
  for (const owner of stored) await client.create(child(owner));
  await eventually(() => {
    for (const owner of stored) {
      const key = `${owner.metadata!.namespace}/${owner.metadata!.name}`;
      const owners = replicas.filter(({ reconciled }) => reconciled.has(key));
      expect(owners.map(({ mgr }) => mgr.shards!.owns(owner))).toEqual([true]);
    }
  });
  expect(overlaps).toEqual([]);
});

it("an unsharded controller runs on the leader only, and its kinds are whole on each replica", async () => {
  const seen: string[] = [];
  const managers: Manager[] = [];
  const stops: AbortController[] = [];
  for (const name of ["a", "b"]) {
    const mgr = await Manager.create(config, {
      ...timing,
      metrics: { bindAddress: "0" },
      leaderElectionID: `widgets-${group}`,
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
      sharding: true,
      logger,
    });
    await newControllerManagedBy(mgr)
      .for(Widget)
      .withOptions({ sharded: false })
      .complete({ reconcile: async () => void seen.push(name) });
    managers.push(mgr);
    const stop = new AbortController();
    stops.push(stop);
    void mgr.start(stop.signal);
  }
  await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(stored.length));
  expect(new Set(seen).size).toBe(1);
  for (const mgr of managers) {
    await eventually(async () => expect((await mgr.cache.list(Widget, { shared: true })).items).toHaveLength(36));
  }
  for (const stop of stops) stop.abort();
});
