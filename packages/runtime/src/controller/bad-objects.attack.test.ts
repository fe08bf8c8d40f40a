import { describe, expect, it } from "vitest";
import { FakeServer, type Thing } from "../cache/fake-server.fixture.ts";
import { setUpInformer } from "../cache/informer.fixture.ts";
import type { InformerScope } from "../cache/scope.ts";
import { aborted } from "../clock/abort.ts";
import { systemClock } from "../clock/clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import { createLogger } from "../log/create-logger.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { newPredicateFuncs, type Predicate } from "../predicate/predicate.ts";
import type { Context } from "../reconcile/context.ts";
import type { Request } from "../reconcile/request.ts";
import { InformerSource } from "../source/kind-source.ts";
import { Controller } from "./controller.ts";

/** Number of good objects and of bad objects that exist before the controller starts. */
const count = 1000;

interface Code {
  predicate?: Predicate<Thing>;
  handler?: EventHandler<Thing>;
  index?: (thing: Thing) => readonly string[];
  transform?: InformerScope["transform"];
  reconcile?: (request: Request) => void | Promise<void>;
}

const isBad = (thing: { metadata?: { name?: string } }): boolean => thing.metadata?.name?.startsWith("bad") ?? false;
const toItself = (thing: Thing): Request[] => [{ namespace: "ns", name: thing.metadata?.name ?? "" }];
const oops = (): never => {
  throw new Error("Cannot read what a tenant has written");
};
const mapping = (fail: (ctx: Context) => never | Promise<never>): Code => ({
  handler: enqueueRequestsFromMapFunc<Thing>((ctx, thing) => (isBad(thing) ? fail(ctx) : toItself(thing))),
});
const late = async (error: Error): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw error;
};

const codes: [name: string, code: Code, outcome: RegExp][] = [
  [
    "predicate",
    { predicate: newPredicateFuncs((thing) => !isBad(thing) || oops()) },
    /dropped_events_total{kind="Thing.*reason="error"} [12]\d{3}/,
  ],
  ["map function", mapping(oops), /dropped_events_total{kind="Thing.*reason="error"} [12]\d{3}/],
  ["async map function", mapping(async () => oops()), /stalled_event_handlers{kind="Thing.*} 100\d/],
  [
    "map function that a server answers with 403",
    mapping(() => late(ApiError.create(403, "Forbidden", "no"))),
    /stalled_event_handlers{kind="Thing.*} 100\d/,
  ],
  [
    "map function that reaches no server",
    mapping(() => late(new TransportError("ECONNREFUSED", "refused"))),
    /stalled_event_handlers{kind="Thing.*} 100\d/,
  ],
  ["map function that never resolves", mapping(() => new Promise<never>(() => {})), /./],
  [
    "handler",
    {
      handler: {
        ...enqueueRequestForObject(),
        create: (ctx, event, queue) =>
          isBad(event.object) ? oops() : enqueueRequestForObject().create(ctx, event, queue),
      },
    },
    /dropped_events_total{kind="Thing.*reason="error"} 1\d{3}/,
  ],
  [
    "index function",
    { index: (thing) => (isBad(thing) ? oops() : ["all"]) },
    /index_errors_total{kind="Thing.*} \d{4}/,
  ],
  ["transform", { transform: (thing) => (isBad(thing) ? oops() : thing) }, /set_aside_objects{kind="Thing.*} 100\d/],
  ["reconciler", { reconcile: ({ name }) => void (name.startsWith("bad") && oops()) }, /./],
  [
    "reconciler that reaches no server",
    {
      reconcile: ({ name }) =>
        name.startsWith("bad") ? Promise.reject(new TransportError("ECONNREFUSED", "no")) : undefined,
    },
    /./,
  ],
];

describe("objects whose callback fails", () => {
  it.each(codes)("don't delay other objects: %s", async (_, code, outcome) => {
    const server = new FakeServer();
    for (let index = 0; index < count; index++) {
      server.put(`bad-${index}`, "1");
      server.put(`good-${index}`, "1");
    }
    const lines: string[] = [];
    // Stack traces are slow in the test runner.
    const log = createLogger({ stacktraceLevel: "panic", destination: { write: (line) => void lines.push(line) } });
    const metrics = await createMetrics();
    const { informer, start, stop } = setUpInformer(
      {
        clock: systemClock,
        log,
        metrics: () => metrics.events,
        ...(code.transform ? { scopes: async () => [{ transform: code.transform }] } : {}),
      },
      server,
    );
    if (code.index) informer.addIndex("bad", code.index);
    const waiting = new Map<string, () => void>();
    const reconciled = new Set<string>();
    const controller = new Controller<Request>({
      name: "things",
      log,
      maxConcurrentReconciles: 2,
      reconciler: {
        async reconcile(_ctx, request) {
          await code.reconcile?.(request);
          reconciled.add(request.name);
          waiting.get(request.name)?.();
        },
      },
    });
    const handler = (): EventHandler<Thing> => code.handler ?? (enqueueRequestForObject() as EventHandler<Thing>);
    await controller.watch(
      new InformerSource<Thing>({ informer, handler, predicates: code.predicate ? [code.predicate] : [] }),
    );
    const done = (name: string): Promise<void> =>
      reconciled.delete(name) ? Promise.resolve() : new Promise((resolve) => waiting.set(name, resolve));
    try {
      // If each bad object delayed the others, even by a second, these loops would exceed the limit of the test.
      const running = controller.start(stop.signal);
      await start();
      for (let index = 0; index < count; index++) await done(`good-${index}`);
      for (let round = 0; round < 30; round++) {
        for (let index = 0; index < 16; index++) server.put(`bad-${index % 3}`, `${round}.${index}`);
        const good = `good-${round}`;
        reconciled.delete(good);
        server.put(good, String(round + 2));
        await done(good);
      }
      expect(await metrics.registry.metrics()).toMatch(outcome);
      if (!code.reconcile && outcome.source !== ".") expect(lines.join("")).toContain("bad-");
      stop.abort();
      await running;
    } finally {
      stop.abort();
      await aborted(stop.signal);
    }
  });

  it("don't stop a channel source if their map function never resolves", async () => {
    const { channelSource } = await import("../source/channel-source.ts");
    const thing = (name: string): Thing => ({
      apiVersion: "test/v1",
      kind: "Thing",
      metadata: { name, namespace: "ns" },
    });
    const stop = new AbortController();
    const reconciled: string[] = [];
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    async function* events() {
      for (let index = 0; index < count; index++) yield { object: thing(`bad-${index}`) };
      yield { object: thing("good") };
      await aborted(stop.signal);
    }
    const handler = enqueueRequestsFromMapFunc<Thing>((_ctx, object) => {
      if (!isBad(object)) return toItself(object);
      return Number(object.metadata?.name?.slice(4)) % 2 === 0 ? new Promise<never>(() => {}) : oops();
    });
    const controller = new Controller<Request>({
      name: "things",
      log: createLogger({ destination: { write() {} } }),
      reconciler: {
        async reconcile(_ctx, { name }) {
          reconciled.push(name);
          finish();
        },
      },
    });
    await controller.watch(channelSource(events(), handler));
    const running = controller.start(stop.signal);
    await finished;
    expect(reconciled).toEqual(["good"]);
    stop.abort();
    await running;
  });
});
