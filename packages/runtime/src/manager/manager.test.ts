import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { Cluster } from "../cluster/cluster.ts";
import { silentLogger } from "../log/logger.ts";
import { Server } from "../server/server.ts";
import { json, startLoopbackServer } from "../transport/loopback-server.ts";
import type { Transport } from "../transport/transport.ts";
import { Manager } from "./manager.ts";
import type { ManagerOptions } from "./options.ts";

const silent: Transport = {
  request: () => Promise.reject(new Error("no server")),
  stream: () => Promise.reject(new Error("no server")),
  close: async () => {},
};

/** Creates a manager and releases its ports at the end: a manager closes them when it stops. */
async function withManager(options: ManagerOptions, use: (manager: Manager) => Promise<void>): Promise<void> {
  const manager = await Manager.create(
    { host: "https://127.0.0.1:1" },
    {
      transport: silent,
      logger: silentLogger,
      metrics: { bindAddress: "0" },
      healthProbeBindAddress: "127.0.0.1:0",
      ...options,
    },
  );
  const stop = new AbortController();
  try {
    await use(manager);
  } finally {
    stop.abort();
    await manager.start(stop.signal);
  }
}

const get = async (port: number | undefined, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return `${response.status} ${await response.text()}`;
};

describe("the probes of a manager", () => {
  it("M6: respond before the start and without added checks that the manager is alive, but not ready", async () => {
    await withManager({}, async (manager) => {
      expect(await get(manager.healthProbePort, "/healthz")).toBe("200 ok");
      expect(await get(manager.healthProbePort, "/readyz")).toMatch(/^500 \[-\]informer-sync failed/);
      manager.addReadyzCheck("mine", () => {});
      manager.addHealthzCheck("deep", () => {
        throw new Error("broken");
      });
      expect(await get(manager.healthProbePort, "/readyz/mine")).toBe("200 ok");
      expect(await get(manager.healthProbePort, "/healthz")).toMatch(/^500 \[\+\]ping ok\n\[-\]deep failed/);
    });
  });

  it("use the configured endpoint names", async () => {
    const names = { livenessEndpointName: "/alive", readinessEndpointName: "/ready" };
    await withManager(names, async (manager) => {
      expect(await get(manager.healthProbePort, "/alive")).toBe("200 ok");
      expect(await get(manager.healthProbePort, "/ready")).toMatch(/^500/);
      expect(await get(manager.healthProbePort, "/healthz")).toMatch(/^404/);
    });
  });

  it("aren't ready until the caches of added clusters are", async () => {
    await withManager({}, async (manager) => {
      const west = await Cluster.create({ host: "https://127.0.0.1:1" }, { transport: silent, logger: silentLogger });
      west.cache.inform({ group: "", version: "v1", kind: "Pod", apiVersion: "v1" });
      await manager.add(west);
      expect((await get(manager.healthProbePort, "/readyz/informer-sync")).trim()).toBe(
        "500 internal server error: not in sync: Pod",
      );
    });
  });
});

describe("the servers that are added to a manager", () => {
  it("start before the caches have synced, but with onlyServeWhenLeader after the election", async () => {
    const manager = await Manager.create(
      { host: "https://127.0.0.1:1" },
      {
        transport: silent,
        logger: silentLogger,
        metrics: { bindAddress: "0" },
        leaderElection: true,
        leaderElectionID: "x",
        leaderElectionNamespace: "default",
      },
    );
    const answers: RequestListener = (_request, response) => response.end("here");
    const everywhere = new Server({ server: answers, bindAddress: "127.0.0.1:0" });
    const ofLeader = new Server({ server: answers, bindAddress: "127.0.0.1:0", onlyServeWhenLeader: true });
    await manager.add(everywhere);
    await manager.add(ofLeader);
    const stop = new AbortController();
    const done = manager.start(stop.signal);
    await expect.poll(() => everywhere.port).toBeDefined();
    expect(await get(everywhere.port, "/")).toBe("200 here");
    expect(ofLeader.port).toBeUndefined();
    stop.abort();
    await done;
    await ofLeader.close();
  });
});

describe("the pprof server of a manager", () => {
  it("runs only if configured, and listens on localhost by default", async () => {
    await withManager({ pprofBindAddress: ":0" }, async (manager) => {
      expect(await get(manager.pprofPort, "/debug/pprof/")).toMatch(/^200/);
      const { networkInterfaces } = await import("node:os");
      const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      for (const { address, internal, family } of others) {
        if (internal || family !== "IPv4") continue;
        await expect(fetch(`http://${address}:${manager.pprofPort}/debug/pprof/`)).rejects.toThrow("fetch failed");
      }
    });
    await withManager({}, async (manager) => expect(manager.pprofPort).toBeUndefined());
  });

  it("rejects a port in use on creation, and the other ports are released", async () => {
    await withManager({}, async (manager) => {
      const taken = `127.0.0.1:${manager.healthProbePort}`;
      await expect(withManager({ pprofBindAddress: taken }, async () => {})).rejects.toThrow(
        "the server pprof: listen EADDRINUSE",
      );
    });
  });
});

describe("Manager.create", () => {
  it("rejects invalid options", async () => {
    const create = (options: ManagerOptions) => withManager(options, async () => {});
    await expect(create({ leaderElection: true })).rejects.toThrow("leaderElectionID must be configured");
    await expect(create({ healthProbeBindAddress: "8081" })).rejects.toThrow("bind address");
    await expect(
      create({ leaderElection: true, leaderElectionID: "x", leaderElectionNamespace: "y", renewDeadline: 20_000 }),
    ).rejects.toThrow("leaseDuration must be greater than renewDeadline");
    await expect(Manager.create(undefined as never)).rejects.toThrow("must specify a configuration");
    await withManager({}, async (manager) => {
      expect(() => manager.addMetricsServerExtraHandler("/x", () => {})).toThrow('metrics.bindAddress is "0"');
    });
  });
});

describe("the leader election of a manager", () => {
  const election: ManagerOptions = {
    leaderElection: true,
    leaderElectionID: "x",
    leaderElectionNamespace: "ns",
    transport: undefined,
    logger: silentLogger,
    metrics: { bindAddress: "0" },
  };

  /** Starts a server that has no Lease, and accepts the first one. */
  const serverOfLeases = () =>
    startLoopbackServer(({ method, body }, response) => {
      if (method === "POST")
        json(response, 201, { ...JSON.parse(body), metadata: { name: "x", resourceVersion: "1" } });
      else json(response, 404, { kind: "Status", status: "Failure", reason: "NotFound", code: 404 });
    });

  it("isn't delayed by the rate limit for requests", async () => {
    const server = await serverOfLeases();
    // The limit is one request per 1000 seconds, and a reconciler has sent that request.
    const manager = await Manager.create({ host: server.url, qps: 0.001, burst: 1 }, election);
    const stop = new AbortController();
    await manager.apiReader
      .get({ group: "", version: "v1", kind: "Pod", apiVersion: "v1", plural: "pods" }, { name: "p", namespace: "ns" })
      .catch(() => {});
    const done = manager.start(stop.signal);
    await manager.elected;
    stop.abort();
    await done;
    await server.close();
  });

  it.each([
    ["of the kubeconfig's context", "mine", "mine"],
    ["default, if the context has none", undefined, "default"],
  ])("stores the Lease outside of a cluster in the namespace %s", async (_, namespace, expected) => {
    const server = await serverOfLeases();
    const options = { ...election, leaderElectionNamespace: undefined };
    const manager = await Manager.create({ host: server.url, namespace }, options);
    const stop = new AbortController();
    const done = manager.start(stop.signal);
    await manager.elected;
    stop.abort();
    await done;
    const [created] = server.requests.filter(({ method }) => method === "POST");
    expect(created?.url).toBe(`/apis/coordination.k8s.io/v1/namespaces/${expected}/leases`);
    await server.close();
  });

  it("stores the Lease in the cluster of leaderElectionConfig", async () => {
    const server = await serverOfLeases();
    const leaderElectionConfig = { host: server.url };
    const manager = await Manager.create(
      { host: "http://127.0.0.1:1" },
      { ...election, transport: silent, leaderElectionConfig },
    );
    const stop = new AbortController();
    const done = manager.start(stop.signal);
    await manager.elected;
    stop.abort();
    await done;
    expect(server.requests.map(({ method }) => method)).toContain("POST");
    await server.close();
  });
});
