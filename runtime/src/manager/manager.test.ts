import { expect, it } from "vitest";
import { silentLogger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { Manager } from "./manager.ts";

const silent: Transport = {
  request: () => Promise.reject(new Error("no server")),
  stream: () => Promise.reject(new Error("no server")),
  close: async () => {},
};

it("M6: the probes answer before the start and without any check added: alive, and not ready", async () => {
  const manager = await Manager.create(
    { server: "https://127.0.0.1:1" },
    {
      transport: silent,
      logger: silentLogger,
      metrics: { bindAddress: "0" },
      healthProbeBindAddress: "127.0.0.1:0",
    },
  );
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${manager.healthProbePort}${path}`);
    return `${response.status} ${await response.text()}`;
  };
  const stop = new AbortController();
  try {
    expect(await get("/healthz")).toBe("200 ok");
    expect(await get("/readyz")).toMatch(/^500 \[-\]informer-sync failed/);
    manager.addReadyzCheck("mine", () => {});
    expect(await get("/readyz/mine")).toBe("200 ok");
  } finally {
    // A started manager closes its ports when it stops.
    stop.abort();
    await manager.start(stop.signal);
  }
});
