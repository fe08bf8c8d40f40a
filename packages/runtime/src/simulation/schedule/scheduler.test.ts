import { expect, it } from "vitest";
import { Actor, Lane } from "./actor.ts";
import { drained, Scheduler } from "./scheduler.ts";

function scheduler(choose: (count: number) => number = () => 0) {
  const actor = new Actor("operator-1");
  const events: string[] = [];
  return { it: new Scheduler(actor, choose), actor, events, note: (event: string) => () => void events.push(event) };
}

it("Scheduler runs the steps of a lane in order, and chooses between lanes", () => {
  const { it: one, actor, events, note } = scheduler((count) => count - 1);
  const [first, second] = [new Lane(actor), new Lane(actor)];
  for (const [lane, name] of [
    [first, "a1"],
    [first, "a2"],
    [second, "b1"],
  ] as const)
    one.push(lane, note(name));
  while (one.turn());
  expect(events).toEqual(["b1", "a1", "a2"]);
});

it("Scheduler advances the time only if no step is ready", () => {
  const { it: one, actor, events, note } = scheduler();
  one.clock(actor).setTimeout(note("timer"), 5000);
  one.push(new Lane(actor), note("step"));
  one.turn();
  expect([one.now, events]).toEqual([0, ["step"]]);
  one.turn();
  expect([one.now, events]).toEqual([5000, ["step", "timer"]]);
  expect(one.turn()).toBe(false);
});

it("Scheduler fires timers in the order of their times, then of their creation, unless they are cancelled", () => {
  const { it: one, actor, events, note } = scheduler();
  const clock = one.clock(actor);
  clock.setTimeout(note("late"), 30);
  const cancelled = clock.setTimeout(note("cancelled"), 10);
  clock.setTimeout(note("first"), 20);
  clock.setTimeout(note("second"), 20);
  clock.clearTimeout(cancelled);
  while (one.turn());
  expect(events).toEqual(["first", "second", "late"]);
});

it("Scheduler delays a lane, for a time or for a number of steps", () => {
  const { it: one, actor, events, note } = scheduler();
  const lane = new Lane(actor);
  one.push(lane, note("delayed"));
  one.hold(lane, 1000);
  expect([one.isHolding, one.isBusy]).toEqual([true, false]);
  one.turn();
  one.turn();
  expect([one.now, one.isHolding, events]).toEqual([1000, false, ["delayed"]]);

  one.push(lane, note("again"));
  one.hold(lane, 1_000_000);
  const busy = new Lane(actor);
  for (let step = 0; step < 302; step++) {
    one.push(busy, () => {});
    one.turn();
  }
  one.turn();
  expect(events).toContain("again");
  expect(one.now).toBe(1000);
});

it("Scheduler suspends an actor, whose timers fire late, while others continue", () => {
  const { it: one, actor, events, note } = scheduler();
  const other = new Actor("user");
  one.pause(actor, 60_000);
  one.clock(actor).setTimeout(note("late"), 1000);
  one.push(new Lane(actor), note("suspended"));
  one.push(new Lane(other), note("other"));
  one.turn();
  expect(events).toEqual(["other"]);
  while (one.turn());
  expect([one.now, events]).toEqual([60_000, ["other", "late", "suspended"]]);
});

it("Scheduler drops the steps and timers of an actor that has ended", () => {
  const { it: one, actor, events, note } = scheduler();
  one.clock(actor).setTimeout(note("timer"), 1000);
  one.push(new Lane(actor), note("step"));
  one.end(actor);
  one.push(new Lane(actor), note("later"));
  expect(one.turn()).toBe(false);
  expect(events).toEqual([]);
});

it("Scheduler waits for all promises", async () => {
  let depth = 0;
  const chain = async (): Promise<void> => {
    for (; depth < 100; depth++) await Promise.resolve();
  };
  void chain();
  await drained();
  expect(depth).toBe(100);
});
