import type { ObjectSummary, StreamMessage } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ObjectStore } from "../store/objects.ts";
import { SessionEvents } from "../store/session-events.ts";
import { DashboardFeed } from "./dashboard-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a feed with what it sends, and functions that change an object. */
function feedOf(owners: Readonly<Record<string, readonly string[]>>) {
  const sent: StreamMessage[] = [];
  const events = new SessionEvents();
  let onObject: Parameters<ObjectStore["subscribe"]>[0] = () => undefined;
  const objects = {
    subscribe(listener: typeof onObject) {
      onObject = listener;
      return () => undefined;
    },
    summary: (uid: string) => (owners[uid] ? ({ uid, owners: owners[uid] } as unknown as ObjectSummary) : undefined),
    belongs: () => true,
  } as unknown as ObjectStore;
  const stream = { isUsed: true, send: (message: StreamMessage) => sent.push(message) };
  const controllers = async () => ({ paused: false, controllers: [] });
  const feed = new DashboardFeed({ events, objects, stream, controllers, faults: async () => [] });
  return { events, feed, sent, change: (uid: string, isDeleted = false) => onObject(uid, isDeleted) };
}

it("sends the events, records and lines of a session", () => {
  const { events, feed, sent } = feedOf({});
  events.note("applied");
  events.send("line", "started");
  events.send("message", { type: "started" });
  expect(sent).toMatchObject([
    { type: "dev", event: { event: "note", message: "applied" } },
    { type: "log", line: "started" },
  ]);
  feed.close();
});

it("joins the changes of objects, with the owners whose children they are", () => {
  const { change, feed, sent } = feedOf({ pod: ["set"], set: [] });
  change("pod");
  change("pod");
  change("old", true);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([
    {
      type: "objects",
      changed: [
        { uid: "pod", owners: ["set"] },
        { uid: "set", owners: [] },
      ],
      deleted: ["old"],
    },
  ]);
  feed.close();
});

it("sends the controllers and faults after activity of the manager only", async () => {
  const { events, feed, sent } = feedOf({});
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent).toEqual([]);
  events.send("message", { type: "started" });
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent.map(({ type }) => type)).toEqual(["controllers", "faults"]);
  feed.close();
});

it("sends nothing about objects after its end", () => {
  const { change, feed, sent } = feedOf({ pod: [] });
  change("pod");
  feed.close();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([]);
});
