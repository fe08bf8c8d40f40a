import { describe, expect, it } from "vitest";
import type { Client } from "../client/index.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/index.ts";
import { silentLogger } from "../log/logger.ts";
import { EventBroadcaster } from "./broadcaster.ts";
import type { Event } from "./event.ts";

const game = {
  apiVersion: "example.com/v1",
  kind: "Game",
  metadata: { name: "g", namespace: "ns", uid: "u", resourceVersion: "5" },
};

function setUp() {
  const clock = new VirtualClock();
  const calls: string[] = [];
  const written: Event[] = [];
  let fail: () => void = () => {};
  let hangs = false;
  const client = {
    create: async (event: Event, { signal }: { signal: AbortSignal }) => {
      calls.push(`create ${event.reason}`);
      fail();
      if (hangs) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      written.push(event);
      return event;
    },
    patch: async (event: Event, patch: { data(event: Event): unknown }) => {
      calls.push(`patch ${event.reason} ${(patch.data(event) as Event).series?.count}`);
      return event;
    },
  } as unknown as Client;
  const errors: string[] = [];
  const log = { ...silentLogger, error: (_error: unknown, message: string) => void errors.push(message) };
  const broadcaster = new EventBroadcaster({ client, clock, log });
  const failWith = (next: () => void) => {
    fail = next;
  };
  const hang = () => {
    hangs = true;
  };
  const recorder = broadcaster.recorder("game-controller");
  return { clock, calls, written, broadcaster, recorder, errors, failWith, hang };
}

describe("events", () => {
  it("say who saw what about which object", async () => {
    const { recorder, written, clock } = setUp();
    recorder.event(game, "Normal", "Created", "Created the Deployment", { annotations: { a: "b" } });
    await clock.advance(0);
    expect(written[0]).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      metadata: { namespace: "ns", name: expect.stringMatching(/^g\.[0-9a-f]+$/), annotations: { a: "b" } },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "game-controller",
      type: "Normal",
      reason: "Created",
      action: "Created",
      note: "Created the Deployment",
      regarding: { apiVersion: "example.com/v1", kind: "Game", namespace: "ns", name: "g", uid: "u" },
    });
  });

  it("K13: repeated ones become a series; after six minutes a new event", async () => {
    const { recorder, calls, clock } = setUp();
    for (let i = 0; i < 3; i++) recorder.event(game, "Normal", "Created", `note ${i}`);
    recorder.event(game, "Warning", "Created", "other type");
    await clock.advance(0);
    expect(calls).toEqual(["create Created", "patch Created 2", "patch Created 3", "create Created"]);
    await clock.advance(360_001);
    recorder.event(game, "Normal", "Created", "again");
    await clock.advance(0);
    expect(calls.at(-1)).toBe("create Created");
  });

  it("K13: those about cluster-scoped objects live in the namespace default; other types are refused", async () => {
    const { recorder, written, clock } = setUp();
    recorder.event({ ...game, metadata: { name: "node" } }, "Normal", "Seen", "");
    await clock.advance(0);
    expect(written[0]?.metadata.namespace).toBe("default");
    expect(() => recorder.event(game, "Error" as never, "x", "y")).toThrow("neither Normal nor Warning");
  });

  it("are tried again while the server can't take them, and dropped when it doesn't want them", async () => {
    const { recorder, calls, errors, clock, failWith } = setUp();
    let failures = 2;
    failWith(() => {
      if (failures-- > 0) throw ApiError.create(503, "ServiceUnavailable", "later");
    });
    recorder.event(game, "Normal", "Later", "");
    await clock.advance(20_000);
    expect([calls.length, errors]).toEqual([3, []]);
    failWith(() => {
      throw ApiError.forbidden("Event", "", "no");
    });
    recorder.event(game, "Normal", "Refused", "");
    await clock.advance(60_000);
    expect([calls.length, errors]).toEqual([4, ["Unable to write event"]]);
  });

  it("M15: those that come after the end are dropped", async () => {
    const { recorder, broadcaster, calls, clock } = setUp();
    recorder.event(game, "Normal", "InTime", "");
    await broadcaster.stop();
    recorder.event(game, "Normal", "TooLate", "");
    await clock.advance(0);
    expect(calls).toEqual(["create InTime"]);
  });

  it("don't hold up the end when the server doesn't answer", async () => {
    const { recorder, broadcaster, errors, clock, hang } = setUp();
    hang();
    for (const reason of ["A", "B", "C"]) recorder.event(game, "Normal", reason, "");
    await clock.advance(0);
    let isStopped = false;
    const stopped = broadcaster.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(4000);
    expect(isStopped).toBe(false);
    await clock.advance(1000);
    await stopped;
    expect(errors).toEqual(["Unable to write event"]);
  });
});
