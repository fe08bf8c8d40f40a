import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import { silentLogger } from "../log/logger.ts";
import { Thing } from "./fake-server.fixture.ts";
import { HandlerRegistration } from "./registration.ts";

function setUp(fail: () => void) {
  const clock = new VirtualClock();
  const names: string[] = [];
  const errors: string[] = [];
  let calls = 0;
  const registration = new HandlerRegistration<Thing>(
    {
      create: async ({ object }) => {
        calls++;
        fail();
        names.push(object.metadata?.name ?? "");
      },
      update() {},
      delete() {},
    },
    {
      clock,
      log: { ...silentLogger, error: (_error, message) => void errors.push(message) },
      kind: "Thing",
      onRemove() {},
    },
  );
  for (const name of ["a", "b"]) {
    const object: Thing = { apiVersion: Thing.apiVersion, kind: Thing.kind, metadata: { name } };
    registration.notify({ type: "create", event: { object, isInInitialList: false } });
  }
  return { clock, registration, names, errors, calls: () => calls };
}

describe("the registration of an event handler that fails", () => {
  it.each([
    ["no connection can be made", new TransportError("ECONNREFUSED", "refused")],
    ["the server is overloaded", ApiError.create(429, "TooManyRequests", "busy")],
    ["the server is starting", ApiError.create(503, "ServiceUnavailable", "starting")],
  ])("retries while %s, because the event isn't sent again", async (_, error) => {
    let isUnavailable = true;
    const { clock, names, errors, calls } = setUp(() => {
      if (isUnavailable) throw error;
    });
    await clock.advance(600_000);
    expect(calls()).toBeLessThan(300);
    expect(errors).toEqual(Array(2).fill("Event handler failed, the event waits until the server can be reached"));
    isUnavailable = false;
    await clock.advance(6000);
    expect(names.sort()).toEqual(["a", "b"]);
  });

  it("retries ten times for a temporary error, and once for a bug", async () => {
    const refused = setUp(() => {
      throw ApiError.create(403, "Forbidden", "no role yet");
    });
    await refused.clock.advance(60_000);
    expect([refused.calls(), refused.errors]).toEqual([
      20,
      Array(2).fill("Event handler failed, the event is dropped"),
    ]);
    const broken = setUp(() => {
      throw new TypeError("a bug");
    });
    await broken.clock.advance(60_000);
    expect([broken.calls(), broken.errors]).toEqual([2, Array(2).fill("Event handler failed, the event is dropped")]);
  });

  it("stops retrying after its removal, and leaves no timer", async () => {
    const { clock, registration, calls } = setUp(() => {
      throw new TransportError("ECONNREFUSED", "refused");
    });
    await clock.advance(20_000);
    const before = calls();
    registration.remove();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(calls()).toBe(before);
  });
});

describe("the events of an object that wait for a slow event handler", () => {
  const stepsOf = (count: number): ("create" | "update" | "delete")[] =>
    Array.from({ length: count }, (_, index) => (["create", "update", "delete"] as const)[index % 3] as "create");

  it.each(Array.from({ length: 30 }, (_, count) => count + 1))(
    "are merged into a valid order: %i events",
    async (count) => {
      const received: string[] = [];
      let version: string | undefined;
      let isValid = true;
      let release = (): void => {};
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      const handle = (type: string, before: Thing | undefined, after: Thing | undefined): Promise<void> => {
        const isKnown = version !== undefined && (type === "delete" || version === before?.metadata?.uid);
        isValid &&= type === "create" ? version === undefined : isKnown;
        version = after?.metadata?.uid;
        received.push(`${type} ${(after ?? before)?.metadata?.resourceVersion}`);
        return blocked;
      };
      const registration = new HandlerRegistration<Thing>(
        {
          create: ({ object }) => handle("create", undefined, object),
          update: ({ oldObject, object }) => handle("update", oldObject, object),
          delete: ({ object }) => handle("delete", object, undefined),
        },
        { clock: new VirtualClock(), log: silentLogger, kind: "Thing", onRemove() {} },
      );
      const steps = stepsOf(count);
      let object: Thing | undefined;
      steps.forEach((type, index) => {
        const uid = `uid-${Math.floor(index / 3)}`;
        const metadata = { name: "a", uid, resourceVersion: String(index + 1) };
        const next: Thing = { apiVersion: Thing.apiVersion, kind: Thing.kind, metadata };
        if (type === "create") registration.notify({ type, event: { object: next, isInInitialList: false } });
        else if (type === "delete") registration.notify({ type, event: { object: next, deleteStateUnknown: false } });
        else registration.notify({ type, event: { oldObject: object as Thing, object: next } });
        object = next;
      });
      await new Promise(setImmediate);
      release();
      await new Promise(setImmediate);
      expect([isValid, received]).toEqual([true, received]);
      expect(received.length).toBeLessThanOrEqual(12);
      if (steps.at(-1) !== "delete") expect(received.at(-1)).toMatch(new RegExp(` ${count}$`));
      expect(version).toBe(steps.at(-1) === "delete" ? undefined : object?.metadata?.uid);
    },
  );
});
