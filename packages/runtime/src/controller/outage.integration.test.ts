import { expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { TransportError } from "../errors/transport-error.ts";
import { silentLogger } from "../log/logger.ts";
import type { Source } from "../source/source.ts";
import { Controller } from "./controller.ts";

/** Creates a controller with 20 requests for a server that is unavailable. `isNoticed` means that watches have noticed the outage. */
function setUp({ isNoticed }: { isNoticed: boolean }) {
  const clock = new VirtualClock();
  const server = { isUnavailable: true, reconciles: 0, done: new Set<string>() };
  let end: () => void = () => {};
  const outage = new Promise<void>((resolve) => {
    end = resolve;
  });
  const names: Source = {
    name: "names",
    start: async ({ queue }) => {
      for (let i = 0; i < 20; i++) queue.add({ namespace: "", name: String(i) });
    },
  };
  const controller = new Controller({
    name: "test",
    log: silentLogger,
    clock,
    maxConcurrentReconciles: 2,
    outage: () => (isNoticed && server.isUnavailable ? outage : undefined),
    reconciler: {
      async reconcile(_ctx, { name }) {
        server.reconciles++;
        if (server.isUnavailable)
          throw new Error("can't write", { cause: new TransportError("ECONNREFUSED", "refused") });
        server.done.add(name);
      },
    },
  });
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    await controller.watch(names);
    void controller.start(stop.signal);
    await clock.advance(0);
  };
  const comeBack = (): void => {
    server.isUnavailable = false;
    end();
  };
  return { clock, server, run, comeBack, stop };
}

it("each worker fails once during an outage and waits, and all requests are reconciled after the outage", async () => {
  const { clock, server, run, comeBack, stop } = setUp({ isNoticed: true });
  await run();
  await clock.advance(600_000);
  expect(server.reconciles).toBe(2);
  comeBack();
  await clock.advance(50);
  expect(server.done.size).toBe(20);
  stop.abort();
});

it("R1: a failure delays only its own request if no watch has noticed an outage", async () => {
  const { clock, server, run, stop } = setUp({ isNoticed: false });
  await run();
  expect(server.reconciles).toBe(20);
  await clock.advance(5000);
  expect(server.reconciles).toBe(20 * 10);
  stop.abort();
});
