import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import type { InformerHandler } from "../cache/registration.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { noControllerMetrics } from "../controller/metrics.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestsFromMapFunc, typedEnqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import { silentLogger } from "../log/logger.ts";
import { generationChangedPredicate } from "../predicate/changed.ts";
import { newPredicateFuncs } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/request.ts";
import { newControllerManagedBy } from "./builder.ts";
import type { ControllerHost } from "./host.ts";

const Game = groupVersion("example.com", "v1").kind("Game");
const Deployment = groupVersion("apps", "v1").kind("Deployment");
const Pod = groupVersion("", "v1").kind("Pod");

/** A manager that only has informers, which the test feeds. */
function setUp() {
  const clock = new VirtualClock();
  const names = new Set<string>();
  const added: { start(signal: AbortSignal): Promise<void> }[] = [];
  const handlers = new Map<string, InformerHandler[]>();
  const metadataOnly: string[] = [];
  const host: ControllerHost = {
    cache: {
      inform: (kind: typeof Game, options: { metadataOnly?: boolean }) => {
        if (options.metadataOnly) metadataOnly.push(kind.kind);
        return {
          kind,
          addHandler: (handler: InformerHandler) => {
            handlers.set(kind.kind, [...(handlers.get(kind.kind) ?? []), handler]);
            return { hasSynced: true, synced: Promise.resolve(), remove() {} };
          },
        };
      },
    } as never,
    client: {} as never,
    apiReader: {} as never,
    recorder: () => ({ event() {} }),
    mapper: { mapping: async () => ({ plural: "games", namespaced: true }) } as never,
    logger: silentLogger,
    clock,
    controllerDefaults: {},
    claimControllerName: (name) => {
      if (names.has(name)) throw new Error(`controller with name ${name} already exists`);
      names.add(name);
    },
    controllerMetrics: () => noControllerMetrics,
    mayReconcile: () => true,
    add: async (runnable) => void added.push(runnable),
  };
  const requests: Request[] = [];
  const reconciler = { reconcile: async (_ctx: unknown, request: Request) => void requests.push(request) };
  const stop = new AbortController();
  const start = async () => {
    for (const runnable of added) void runnable.start(stop.signal);
    await clock.advance(0);
  };
  const create = async (kind: { kind: string; apiVersion: string }, metadata: KubernetesObject["metadata"]) => {
    const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { namespace: "ns", ...metadata } };
    for (const handler of handlers.get(kind.kind) ?? []) await handler.create({ object, isInInitialList: false });
    await clock.advance(0);
  };
  return { host, names, reconciler, requests, start, stop, create, handlers, clock, metadataOnly };
}

const owned = (controller: boolean) => ({
  name: "child",
  ownerReferences: [{ apiVersion: "example.com/v1", kind: "Game", name: "g", uid: "u", controller }],
});

describe("the controller builder", () => {
  it("maps the events of for, owns and watches to requests", async () => {
    const t = setUp();
    await newControllerManagedBy(t.host)
      .for(Game)
      .owns(Deployment)
      .watches(
        Pod,
        enqueueRequestsFromMapFunc((_ctx, pod) => [{ namespace: "ns", name: `of-${pod.metadata?.name}` }]),
      )
      .complete(t.reconciler);
    await t.start();
    await t.create(Game, { name: "g" });
    await t.create(Deployment, owned(true));
    await t.create(Pod, { name: "p" });
    expect(t.requests.map(({ name }) => name)).toEqual(["g", "g", "of-p"]);
    expect([...t.names]).toEqual(["game"]);
    t.stop.abort();
  });

  it("H4: owns follows only the controller reference unless matchEveryOwner is set", async () => {
    const only = setUp();
    await newControllerManagedBy(only.host).for(Game).owns(Deployment).complete(only.reconciler);
    await only.start();
    await only.create(Deployment, owned(false));
    expect(only.requests).toEqual([]);
    const every = setUp();
    await newControllerManagedBy(every.host)
      .for(Game)
      .owns(Deployment, { matchEveryOwner: true })
      .complete(every.reconciler);
    await every.start();
    await every.create(Deployment, owned(false));
    expect(every.requests).toEqual([{ namespace: "ns", name: "g" }]);
  });

  it("H6: calls event filters first, then the predicates of the watch, all of which must return true", async () => {
    const t = setUp();
    const asked: string[] = [];
    const returning = (name: string, answer: boolean) =>
      newPredicateFuncs((object) => {
        asked.push(`${name} ${object.kind}`);
        return answer;
      });
    await newControllerManagedBy(t.host)
      .withEventFilter(returning("global", true))
      .for(Game, { predicates: [generationChangedPredicate, returning("own", false)] })
      .complete(t.reconciler);
    await t.start();
    await t.create(Game, { name: "g" });
    expect(asked).toEqual(["global Game", "own Game"]);
    expect(t.requests).toEqual([]);
  });

  it("H7: a watch has its own list of predicates, independent of another watch of the same kind", async () => {
    const t = setUp();
    const named = (name: string) => newPredicateFuncs((object) => object.metadata?.name === name);
    const predicates = [named("g")];
    await newControllerManagedBy(t.host)
      .for(Game, { predicates })
      .watches(
        Game,
        enqueueRequestsFromMapFunc(() => [{ namespace: "ns", name: "mapped" }]),
        { predicates: [named("h")] },
      )
      .complete(t.reconciler);
    // The builder copies the list: later changes of the caller's array don't affect the watch.
    predicates.push(named("nobody"));
    await t.start();
    await t.create(Game, { name: "g" });
    expect(t.requests.map(({ name }) => name)).toEqual(["g"]);
    await t.create(Game, { name: "h" });
    expect(t.requests.map(({ name }) => name)).toEqual(["g", "mapped"]);
    t.stop.abort();
  });

  it("watchesMetadata creates an informer for metadata only", async () => {
    const t = setUp();
    await newControllerManagedBy(t.host)
      .for(Game)
      .watchesMetadata(
        Pod,
        enqueueRequestsFromMapFunc(() => []),
      )
      .complete(t.reconciler);
    expect(t.metadataOnly).toEqual(["Pod"]);
  });

  it("H11: rejects a second for, owns without for, a controller without watches, and a missing name", async () => {
    const { host, reconciler } = setUp();
    const builder = () => newControllerManagedBy(host);
    expect(() => builder().for(Game).for(Pod)).toThrow("can be called once");
    await expect(builder().owns(Deployment).complete(reconciler)).rejects.toThrow("owns(…) requires for(…)");
    await expect(builder().named("x").complete(reconciler)).rejects.toThrow("the controller watches nothing");
    const nameless = builder().watches(
      Pod,
      enqueueRequestsFromMapFunc(() => []),
    );
    await expect(nameless.complete(reconciler)).rejects.toThrow("has no name");
  });

  it("rejects an invalid kind or reconciler", async () => {
    const { host } = setUp();
    const builder = () => newControllerManagedBy(host);
    const missing = undefined as never;
    expect(() => builder().for(missing)).toThrow("for(…) requires a kind");
    expect(() => builder().for(Game).owns(missing)).toThrow("owns(…) requires a kind");
    expect(() => builder().watches(missing, enqueueRequestForObject())).toThrow("watches(…) requires a kind");
    await expect(
      builder()
        .for(Game)
        .complete((() => {}) as never),
    ).rejects.toThrow("requires a reconciler: an object with a method reconcile(ctx, request)");
  });

  it("accepts custom request types", async () => {
    const t = setUp();
    const zones: object[] = [];
    await newControllerManagedBy<{ zone: string }>(t.host)
      .named("zones")
      .watches(
        Pod,
        typedEnqueueRequestsFromMapFunc(() => [{ zone: "a" }]),
      )
      .complete({ reconcile: async (_ctx, request) => void zones.push(request) });
    await t.start();
    await t.create(Pod, { name: "p" });
    expect(zones).toEqual([{ zone: "a" }]);
    t.stop.abort();
  });

  it("skipNameValidation allows two controllers with the same name", async () => {
    const { host, reconciler } = setUp();
    await newControllerManagedBy(host).for(Game).complete(reconciler);
    await newControllerManagedBy(host).for(Game).withOptions({ skipNameValidation: true }).complete(reconciler);
    host.controllerDefaults.skipNameValidation = true;
    await newControllerManagedBy(host).for(Game).complete(reconciler);
  });

  it("for, owns and watches accept metadataOnly", async () => {
    const t = setUp();
    await newControllerManagedBy(t.host)
      .for(Game, { metadataOnly: true })
      .owns(Deployment, { metadataOnly: true })
      .watches(
        Pod,
        enqueueRequestsFromMapFunc(() => []),
        { metadataOnly: true },
      )
      .complete(t.reconciler);
    expect(t.metadataOnly).toEqual(["Game", "Deployment", "Pod"]);
  });

  it("groupKindConcurrency of the manager applies to its kind, and the controller's own setting overrides it", async () => {
    const t = setUp();
    const workers: Record<string, number> = {};
    const host: ControllerHost = {
      ...t.host,
      controllerDefaults: { maxConcurrentReconciles: 2, groupKindConcurrency: { "Game.example.com": 5, Pod: 7 } },
      controllerMetrics: (name) => ({
        ...noControllerMetrics,
        maxConcurrentReconciles: (count) => {
          workers[name] = count;
        },
      }),
    };
    for (const kind of [Game, Deployment, Pod]) await newControllerManagedBy(host).for(kind).complete(t.reconciler);
    const own = newControllerManagedBy(host).for(Game).named("own").withOptions({ maxConcurrentReconciles: 3 });
    await own.complete(t.reconciler);
    await t.start();
    expect(workers).toEqual({ game: 5, deployment: 2, pod: 7, own: 3 });
    t.stop.abort();
  });

  it("rejects a controller name that the manager already has", async () => {
    const { host, reconciler } = setUp();
    await newControllerManagedBy(host).for(Game).complete(reconciler);
    await expect(newControllerManagedBy(host).for(Game).complete(reconciler)).rejects.toThrow("already exists");
    await newControllerManagedBy(host).for(Game).named("second").complete(reconciler);
  });
});
