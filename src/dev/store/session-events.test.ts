import { expect, it } from "vitest";
import { SessionEvents } from "./session-events.ts";

it("SessionEvents passes the values of each channel to its subscribers, until they end it", () => {
  const events = new SessionEvents();
  const received: unknown[] = [];
  const end = events.on("line", (line) => received.push(line));
  events.on("problems", (problems) => received.push(problems));
  events.send("line", "first");
  end();
  events.send("line", "second");
  events.report("types", []);
  expect(received).toEqual(["first", { phase: "types", problems: [] }]);
});

it("SessionEvents adds the time to the events of the loop, and its subscribers can send further ones", () => {
  const events = new SessionEvents();
  const received: string[] = [];
  events.on("event", ({ event, time }) => {
    received.push(event);
    expect(new Date(time).toISOString()).toBe(time);
    if (event === "paused") events.note("the session is paused");
  });
  events.emit({ event: "paused", paused: true });
  expect(received).toEqual(["paused", "note"]);
});
