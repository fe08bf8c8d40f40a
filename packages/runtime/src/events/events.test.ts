import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Client } from "../client/client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/api-error.ts";
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
  let patchError: Error | undefined;
  const warnings: string[] = [];
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
      if (patchError) throw patchError;
      return event;
    },
  } as unknown as Client;
  const errors: string[] = [];
  const log = {
    ...silentLogger,
    warn: (message: string) => void warnings.push(message),
    error: (_error: unknown, message: string) => void errors.push(message),
  };
  const broadcaster = new EventBroadcaster({ client, clock, log });
  const failWith = (next: () => void) => {
    fail = next;
  };
  const hang = () => {
    hangs = true;
  };
  const failPatch = (error: Error) => {
    patchError = error;
  };
  const recorder = broadcaster.recorder("game-controller");
  return { clock, calls, written, broadcaster, recorder, errors, warnings, failWith, failPatch, hang };
}

describe("events", () => {
  it("contain the reporter, the reason and the object", async () => {
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

  it("K13: become a series if they repeat, and new events after six minutes", async () => {
    const { recorder, calls, clock } = setUp();
    recorder.event(game, "Normal", "Created", "note");
    recorder.event(game, "Warning", "Created", "other type");
    await clock.advance(0);
    recorder.event(game, "Normal", "Created", "another note");
    await clock.advance(0);
    expect(calls).toEqual(["create Created", "create Created", "patch Created 2"]);
    await clock.advance(360_001);
    recorder.event(game, "Normal", "Created", "again");
    await clock.advance(0);
    expect(calls.slice(3)).toEqual(["create Created"]);
  });

  it("K13: increase the count of a series, which is written at doubling intervals", async () => {
    const { recorder, calls, clock } = setUp();
    for (let i = 0; i < 3; i++) recorder.event(game, "Normal", "Created", "");
    await clock.advance(0);
    expect(calls).toEqual(["create Created", "patch Created 3"]);
    calls.length = 0;
    for (let second = 0; second < 60; second++) {
      for (let i = 0; i < 10; i++) recorder.event(game, "Normal", "Created", "");
      await clock.advance(1000);
    }
    await clock.advance(300_000);
    expect(calls).toEqual([13, 33, 73, 153, 313, 603].map((count) => `patch Created ${count}`));
  });

  it("K13: continue a series with a new event if the server has deleted the old one", async () => {
    const { recorder, calls, clock, failPatch } = setUp();
    recorder.event(game, "Normal", "Created", "");
    await clock.advance(0);
    failPatch(ApiError.notFound("Event", "x"));
    recorder.event(game, "Normal", "Created", "");
    await clock.advance(0);
    expect(calls).toEqual(["create Created", "patch Created 2", "create Created"]);
  });

  it("K13: use the namespace default for cluster-scoped objects, and reject an unknown type", async () => {
    const { recorder, written, clock } = setUp();
    recorder.event({ ...game, metadata: { name: "node" } }, "Normal", "Seen", "");
    await clock.advance(0);
    expect(written[0]?.metadata.namespace).toBe("default");
    expect(() => recorder.event(game, "Error" as never, "x", "y")).toThrow("it must be Normal or Warning");
  });

  it("are retried if the server is unavailable, and dropped if it rejects them", async () => {
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

  it("don't delay other events during retries, and are dropped after two minutes", async () => {
    const { recorder, calls, errors, clock, failWith } = setUp();
    failWith(() => {
      if (calls.at(-1) === "create Stuck") throw ApiError.create(500, "InternalError", "no");
    });
    recorder.event(game, "Normal", "Stuck", "");
    recorder.event(game, "Normal", "Fine", "");
    await clock.advance(0);
    expect(calls).toEqual(["create Stuck", "create Fine"]);
    await clock.advance(120_000);
    expect(calls.filter((call) => call === "create Stuck")).toHaveLength(12);
    expect(errors).toEqual(["Unable to write event"]);
  });

  it("don't stay in memory: a series ends without further events", async () => {
    const { broadcaster, recorder, calls, written, clock } = setUp();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    const note = "x".repeat(1000);
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 900; i++) {
        const metadata = { ...game.metadata, name: `g-${round}-${i}` };
        recorder.event({ ...game, metadata }, "Normal", "Created", `${note} ${i}`);
      }
      await clock.advance(0);
    }
    expect(calls).toHaveLength(9000);
    calls.length = written.length = 0;
    // At most 4,096 of 9,000 series are kept.
    expect(heap() - before).toBeLessThan(14_000_000);
    await clock.advance(400_000);
    expect(heap() - before).toBeLessThan(2_000_000);
    expect(clock.pending).toBe(0);
    await broadcaster.stop();
  });

  it("are dropped if too many are pending", async () => {
    const { recorder, calls, clock, warnings, hang } = setUp();
    hang();
    for (let i = 0; i < 1100; i++) recorder.event(game, "Normal", `R${i}`, "");
    await clock.advance(0);
    expect(calls).toEqual(["create R0"]);
    expect(warnings).toHaveLength(100);
    expect(warnings[0]).toContain("too many events are pending");
  });

  it("M15: are written with their latest count on stop", async () => {
    const { recorder, broadcaster, calls, clock } = setUp();
    recorder.event(game, "Normal", "Created", "");
    await clock.advance(0);
    for (let i = 0; i < 3; i++) {
      recorder.event(game, "Normal", "Created", "");
      await clock.advance(0);
    }
    expect(calls).toEqual(["create Created", "patch Created 2"]);
    await broadcaster.stop();
    expect(calls.at(-1)).toBe("patch Created 4");
    expect(clock.pending).toBe(0);
  });

  it("M15: are dropped after the stop", async () => {
    const { recorder, broadcaster, calls, clock } = setUp();
    recorder.event(game, "Normal", "InTime", "");
    await broadcaster.stop();
    recorder.event(game, "Normal", "TooLate", "");
    await clock.advance(0);
    expect(calls).toEqual(["create InTime"]);
  });

  it("don't prevent others from being written on stop if they failed before", async () => {
    const { recorder, broadcaster, calls, clock, failWith } = setUp();
    failWith(() => {
      if (calls.at(-1) === "create Stuck") throw ApiError.create(500, "InternalError", "no");
    });
    recorder.event(game, "Normal", "Stuck", "");
    recorder.event(game, "Normal", "Fine", "");
    await clock.advance(0);
    for (let i = 0; i < 2; i++) {
      recorder.event(game, "Normal", "Fine", "");
      await clock.advance(0);
    }
    calls.length = 0;
    await broadcaster.stop();
    expect(calls).toEqual(["patch Fine 3", "create Stuck"]);
  });

  it("don't delay the stop for more than five seconds if the server doesn't respond", async () => {
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

  it("don't prevent others from being written on stop if the server rejects them", async () => {
    const { recorder, broadcaster, calls, failWith } = setUp();
    failWith(() => {
      if (calls.at(-1) === "create Refused") throw ApiError.create(422, "Invalid", "no");
    });
    for (const reason of ["Refused", "Fine"]) recorder.event(game, "Normal", reason, "");
    await broadcaster.stop();
    expect(calls).toEqual(["create Refused", "create Fine"]);
  });

  it("are truncated to the API server's limits in bytes, between characters", async () => {
    const { recorder, written, clock } = setUp();
    recorder.event(game, "Normal", "R".repeat(200), "ä€😀".repeat(300));
    await clock.advance(0);
    const { note = "", reason = "", action = "" } = written[0] ?? {};
    expect([note, reason, action].map((text) => Buffer.byteLength(text))).toEqual([1022, 128, 128]);
    expect(note).toMatch(/^(ä€😀)+(ä€?)?…$/u);
    expect(() => recorder.event(game, "Normal", "", "a note")).toThrow("invalid event reason: it must not be empty");
  });

  it.each([
    ["system:node", "system-node"],
    ["UPPER_case", "upper-case"],
    ["-a-.-b-", "a.b"],
    [`${"x".repeat(199)}.y`, "x".repeat(199)],
    ["ä", "unnamed"],
  ])("have valid names for objects named %j", async (name, prefix) => {
    const { recorder, written, clock } = setUp();
    recorder.event({ ...game, metadata: { ...game.metadata, name } }, "Normal", "Created", "");
    await clock.advance(0);
    expect(written[0]?.metadata.name).toMatch(new RegExp(`^${prefix.replaceAll(".", "\\.")}\\.[0-9a-f]+$`));
  });
});
