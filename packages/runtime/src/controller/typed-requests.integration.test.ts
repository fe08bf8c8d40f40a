import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Queue } from "../queue/queue.ts";
import { Controller, type ControllerSettings } from "./controller.ts";

interface Zone {
  zone: string;
  rack: number;
}

function setUp<R>(settings: Partial<ControllerSettings<R>> & Pick<ControllerSettings<R>, "reconciler">) {
  const clock = new VirtualClock();
  const lines: object[] = [];
  const logWith = (fields: object): Logger => ({
    ...silentLogger,
    info: (message) => void lines.push({ ...fields, message }),
    error: (error, message) => void lines.push({ ...fields, message, error: String(error) }),
    with: (more) => logWith({ ...fields, ...more }),
  });
  const controller = new Controller<R>({ name: "zones", log: logWith({}), clock, ...settings });
  let queue: Queue<R> | undefined;
  void controller.watch({
    name: "feed",
    start: async (ctx) => {
      queue = ctx.queue;
    },
  });
  const stop = new AbortController();
  void controller.start(stop.signal);
  return { clock, stop, lines, add: (item: R) => queue!.add(item) };
}

describe("controllers with custom request types", () => {
  it("merge equal values into one request, and run it once at a time", async () => {
    const seen: Zone[] = [];
    const t = setUp<Zone>({ reconciler: { reconcile: async (_ctx, zone) => void seen.push(zone) } });
    await t.clock.advance(0);
    t.add({ zone: "keeps the worker busy", rack: 0 });
    t.add({ zone: "a", rack: 1 });
    t.add({ rack: 1, zone: "a" });
    t.add({ zone: "a", rack: 2 });
    await t.clock.advance(0);
    expect(seen.slice(1)).toEqual([
      { zone: "a", rack: 1 },
      { zone: "a", rack: 2 },
    ]);
    t.stop.abort();
  });

  it("log requests unchanged, and include the cluster of an object", async () => {
    const fail = async () => {
      throw new Error("no");
    };
    const zones = setUp<Zone>({ reconciler: { reconcile: fail } });
    await zones.clock.advance(0);
    zones.add({ zone: "a", rack: 1 });
    await zones.clock.advance(0);
    expect(zones.lines.at(-1)).toMatchObject({ message: "Reconciler error", request: { zone: "a", rack: 1 } });
    zones.stop.abort();

    const objects = setUp({ kind: "Game", reconciler: { reconcile: fail } });
    await objects.clock.advance(0);
    objects.add({ namespace: "ns", name: "g", cluster: "west" });
    await objects.clock.advance(0);
    expect(objects.lines.at(-1)).toMatchObject({
      namespace: "ns",
      name: "g",
      cluster: "west",
      Game: { namespace: "ns", name: "g" },
    });
    objects.stop.abort();
  });

  it("log with the fields of a logConstructor, in the lines of the controller and of each reconcile", async () => {
    const t = setUp<Zone>({
      reconciler: { reconcile: async (ctx) => ctx.log.info("hello") },
      logConstructor: (base, request) => base.with(request ? { in: request.zone } : { mine: true }),
    });
    await t.clock.advance(0);
    t.add({ zone: "a", rack: 1 });
    await t.clock.advance(0);
    expect(t.lines).toContainEqual({ mine: true, message: "Starting Controller" });
    expect(t.lines.at(-1)).toMatchObject({ message: "hello", in: "a", reconcileID: expect.any(String) });
    t.stop.abort();
  });
});
