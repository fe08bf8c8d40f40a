import { describe, expect, it } from "vitest";
import { setUpInformer } from "../cache/informer.fixture.ts";
import { newController } from "../clock/abort.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { silentLogger } from "../log/logger.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import { InformerSource } from "./kind-source.ts";

/** Creates a source for an informer of a fake server, and the signal of its controller. */
function setUp(handler: EventHandler = enqueueRequestForObject()) {
  const t = setUpInformer();
  const stop = newController();
  const queue = new PriorityQueue<Request>({ keyOf: requestKey, clock: t.clock });
  const source = new InformerSource({ informer: t.informer, handler: () => handler });
  const context = { log: silentLogger, signal: stop.signal, reconcileID: "", reasons: [] };
  const startSource = () => source.start({ context, queue });
  return { ...t, queue, source, startSource, stopController: () => stop.abort(), signal: stop.signal };
}

describe("a kind source", () => {
  it("C2: is synced after its handler has processed the initial list, not when the informer has synced", async () => {
    let release = (): void => {};
    const t = setUp({
      ...enqueueRequestForObject(),
      create: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    t.server.put("a", "1");
    await t.start();
    await t.startSource();
    let isSynced = false;
    const synced = t.source.waitForSync(t.signal).then(() => {
      isSynced = true;
    });
    await t.clock.advance(0);
    expect([t.informer.hasSynced, isSynced]).toEqual([true, false]);
    release();
    await synced;
    t.stop.abort();
  });

  it("C6: removes its handler when its controller stops, while the informer continues", async () => {
    const t = setUp();
    t.informer.addHandler(t.handler);
    await t.start();
    await t.startSource();
    t.server.put("a", "1");
    await t.clock.advance(0);
    expect([t.queue.length, t.events]).toEqual([1, ["create a=1"]]);
    t.stopController();
    t.server.put("b", "1");
    await t.clock.advance(0);
    expect([t.queue.length, t.events]).toEqual([1, ["create a=1", "create b=1"]]);
    expect(t.server.openWatches).toBe(1);
    t.stop.abort();
  });

  it("C6: doesn't keep its handler if its controller has stopped before the start", async () => {
    const t = setUp();
    await t.start();
    t.stopController();
    await t.startSource();
    t.server.put("a", "1");
    await t.clock.advance(0);
    expect(t.queue.length).toBe(0);
    t.stop.abort();
  });
});
