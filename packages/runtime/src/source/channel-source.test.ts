import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { newController } from "../clock/abort.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import type { GenericEvent } from "../handler/events.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { silentLogger } from "../log/logger.ts";
import { newPredicateFuncs } from "../predicate/predicate.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import { type ChannelSourceOptions, channelSource } from "./channel-source.ts";

const event = (name: string): GenericEvent<KubernetesObject> => ({
  object: { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name } },
});

/** Returns a channel with the given events, which records the requested events and the end of the iteration. */
function channel(names: readonly string[]) {
  const asked: string[] = [];
  async function* iterate() {
    try {
      for (const name of names) {
        asked.push(name);
        yield event(name);
      }
    } finally {
      asked.push("end");
    }
  }
  return { asked, events: iterate() };
}

async function setUp(
  events: AsyncIterable<GenericEvent<KubernetesObject>>,
  handler: EventHandler = enqueueRequestForObject(),
  options?: ChannelSourceOptions<KubernetesObject>,
) {
  const clock = new VirtualClock();
  const queue = new PriorityQueue<Request>({ keyOf: requestKey, clock });
  const errors: unknown[] = [];
  const log = { ...silentLogger, error: (error: unknown) => void errors.push(error) };
  const stop = newController();
  const context = { log, signal: stop.signal, reconcileID: "", reasons: [] };
  await channelSource(events, handler, options).start({ context, queue, clock });
  await clock.advance(0);
  return { clock, queue, errors, stop };
}

describe("a channel source", () => {
  it("H10: passes each event to generic, and ends with the channel", async () => {
    const { asked, events } = channel(["a", "b", "a"]);
    const { queue, errors } = await setUp(events);
    expect(queue.length).toBe(2);
    expect((await queue.get())?.reasons).toEqual([{ type: "generic", kind: "Pod", namespace: "ns", name: "a" }]);
    expect([asked, errors]).toEqual([["a", "b", "a", "end"], []]);
  });

  it("H10: reads ahead by a limited number of events, so that a slow handler delays the channel", async () => {
    const names = Array.from({ length: 201 }, (_, index) => `pod-${index}`);
    const { asked, events } = channel(names);
    const release: (() => void)[] = [];
    const blocking = {
      ...enqueueRequestForObject(),
      generic: () => new Promise<void>((resolve) => void release.push(resolve)),
    };
    const { clock } = await setUp(events, blocking);
    expect(asked).toEqual(names.slice(0, 200));
    release[7]!();
    await clock.advance(0);
    expect(asked).toEqual(names);
  });

  it("calls predicates", async () => {
    const predicates = [newPredicateFuncs((object) => object.metadata?.name === "b")];
    const { queue } = await setUp(channel(["a", "b"]).events, undefined, { predicates });
    expect([queue.length, (await queue.get())?.item]).toEqual([1, { namespace: "ns", name: "b" }]);
  });

  it("drops only the event of a handler that fails", async () => {
    const failing: EventHandler = {
      ...enqueueRequestForObject(),
      generic: (ctx, of, queue) => {
        if (of.object.metadata?.name === "a") throw new Error("no answer");
        return enqueueRequestForObject().generic(ctx, of, queue);
      },
    };
    const { queue, errors } = await setUp(channel(["a", "b"]).events, failing);
    expect([queue.length, String(errors)]).toEqual([1, "Error: no answer"]);
  });

  it("logs a channel that fails, and closes the channel when its controller stops", async () => {
    const broken = await setUp({
      // biome-ignore lint/correctness/useYield: it fails before its first event
      async *[Symbol.asyncIterator]() {
        throw new Error("hung up");
      },
    });
    expect(String(broken.errors)).toBe("Error: hung up");
    let returned = false;
    const { stop, errors } = await setUp({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          returned = true;
          return { done: true, value: undefined };
        },
      }),
    });
    stop.abort();
    expect([returned, errors]).toEqual([true, []]);
  });
});
