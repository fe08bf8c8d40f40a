import type { StoredWrite } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { Actor } from "../schedule/actor.ts";
import { type Cause, Timeline } from "./timeline.ts";
import { Verdict } from "./verdict.ts";

const write = {
  ...{ group: "", kind: "ConfigMap", resource: "configmaps", namespace: "default", name: "a", revision: 3 },
  ...{ isNew: true, isDeletion: false, before: undefined, after: { data: { a: "1" } } },
} as unknown as StoredWrite;

it("Timeline passes each event to its subscribers, with its fault or write", () => {
  const timeline = new Timeline(() => ({ step: 1, time: 2 }));
  const received: [string, Cause | undefined][] = [];
  timeline.add("user", "before");
  timeline.subscribe(({ action }, cause) => received.push([action, cause]));
  timeline.add("operator-1", "start");
  timeline.fault("crash", "operator-1 ends", "ConfigMap default/a");
  const actor = new Actor("operator-1");
  timeline.write(actor, "ConfigMap default/a", write, true);
  expect(received).toEqual([
    ["start", undefined],
    ["fault crash", { fault: "crash" }],
    ["create", { write, actor, isEffect: true }],
  ]);
  expect(timeline.faults).toMatchObject({ crash: 1, lost: 0 });
});

it("Timeline contains an event before its subscribers add their own", () => {
  const timeline = new Timeline(() => ({ step: 0, time: 0 }));
  const verdict = new Verdict(timeline);
  timeline.subscribe((_, cause) => cause && verdict.violated({ invariant: "no faults", message: "there is one" }));
  timeline.fault("lost", "a response is lost");
  timeline.fault("lost", "another response is lost");
  expect(timeline.entries().map(({ action }) => action)).toEqual(["fault lost", "broken", "fault lost"]);
  expect(verdict.isOver).toBe(true);
  expect(verdict.violation?.invariant).toBe("no faults");
});

it("Timeline shows the differences of effects, but not those of bookkeeping", () => {
  const timeline = new Timeline(() => ({ step: 0, time: 0 }));
  for (const isEffect of [true, false]) timeline.write(new Actor("user"), "ConfigMap default/a", write, isEffect);
  expect(timeline.entries().map(({ action, detail }) => [action, detail])).toEqual([
    ["create", 'data: none → {"a":"1"}'],
    ["create", ""],
  ]);
});
