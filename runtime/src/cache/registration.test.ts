import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError, TransportError } from "../errors/index.ts";
import { silentLogger } from "../log/logger.ts";
import { Thing } from "./fake-server.fixture.ts";
import { HandlerRegistration } from "./registration.ts";

function setUp(fail: () => void) {
  const clock = new VirtualClock();
  const told: string[] = [];
  const errors: string[] = [];
  let calls = 0;
  const registration = new HandlerRegistration<Thing>(
    {
      create: async ({ object }) => {
        calls++;
        fail();
        told.push(object.metadata?.name ?? "");
      },
      update() {},
      delete() {},
    },
    { clock, log: { ...silentLogger, error: (_error, message) => void errors.push(message) }, onRemove() {} },
  );
  for (const name of ["a", "b"]) {
    const object: Thing = { apiVersion: Thing.apiVersion, kind: Thing.kind, metadata: { name } };
    registration.notify({ type: "create", event: { object, isInInitialList: false } });
  }
  return { clock, registration, told, errors, calls: () => calls };
}

describe("an event handler that fails", () => {
  it.each([
    ["no connection can be made", new TransportError("ECONNREFUSED", "refused")],
    ["the server has too much to do", ApiError.create(429, "TooManyRequests", "busy")],
    ["the server is starting", ApiError.create(503, "ServiceUnavailable", "starting")],
  ])("is asked until it can do its work while %s: the event won't come again", async (_, error) => {
    let isAway = true;
    const { clock, told, errors, calls } = setUp(() => {
      if (isAway) throw error;
    });
    await clock.advance(600_000);
    expect(calls()).toBeLessThan(130);
    expect(errors).toEqual(["Event handler fails, the event waits for the server"]);
    isAway = false;
    await clock.advance(5000);
    expect(told).toEqual(["a", "b"]);
  });

  it("has five attempts for what is no matter of the server, then the next event comes", async () => {
    const { clock, told, errors, calls } = setUp(() => {
      if (calls() <= 5) throw new TypeError("a bug");
    });
    await clock.advance(10_000);
    expect(errors).toEqual(["Event handler failed, the event is dropped"]);
    expect(told).toEqual(["b"]);
  });

  it("isn't asked any more once it is removed, and holds up nothing", async () => {
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
