import { describe, expect, it } from "vitest";
import type { ReplayEntry } from "../protocol/protocol.ts";
import {
  containsWords,
  fieldChangesOf,
  firstSelected,
  isNotable,
  lanesOf,
  lineOf,
  linksOf,
  reconcilesOf,
  storyOf,
  windowOf,
} from "./replay.ts";

const entry = (actor: string, action: string, object = "", revision = "", detail = "", time = 0): ReplayEntry => ({
  step: 0,
  time,
  actor,
  action,
  object,
  revision,
  detail,
});

const shop = "Shop default/a";
const story = storyOf([
  entry("simulation", "fault stale", "", "", "starts behind"),
  entry("operator-2", "start"),
  entry("user", "create", shop, "5", "spec: none → {}"),
  entry("operator-1", "event", shop, "5", "ADDED", 100),
  entry("operator-1", "reconcile", "shop default/a", "", "create Shop", 100),
  entry("operator-1", "read", shop, "5", "stale: the server has revision 6", 100),
  entry("operator-1", "update", shop, "", "the object has been modified", 150),
  entry("operator-1", "reconciled", "shop default/a", "", "", 150),
  entry("operator-1", "reconcile", "shop default/a", "", "retry", 300),
  entry("operator-1", "exit", "", "", "crash", 60_300),
  entry("operator-1", "constructor", shop, "7"),
  entry("simulation", "broken", "", "", "no rule: false"),
]);

describe("the timeline of a finding", () => {
  it("sets a type per entry, also for actions that are named like members of Object", () => {
    expect(story.map(({ type }) => type)).toEqual([
      "fault",
      "process",
      "write",
      "event",
      "reconcile",
      "stale",
      "error",
      "done",
      "reconcile",
      "process",
      "write",
      "broken",
    ]);
    expect(story.filter(isNotable).map(({ index }) => index)).toEqual([0, 5, 6, 11]);
    expect(story[9]?.gap).toBe(60_000);
  });

  it("opens at the entry that broke the rule, or without its position at the first fault", () => {
    expect(firstSelected(story, 9)).toBe(9);
    expect(firstSelected(story, 99)).toBe(0);
    expect(firstSelected(story.slice(1), undefined)).toBe(story.slice(1).findIndex(isNotable));
  });

  it("contains a lane per actor, with users first and the simulation last", () => {
    expect(lanesOf(story)).toEqual(["user", "operator-1", "operator-2", "simulation"]);
  });

  it("links a write to the events and reads of its revision", () => {
    expect(linksOf(story)).toEqual([
      { from: 2, to: 3 },
      { from: 2, to: 5 },
    ]);
  });

  it("contains a bar per reconcile, which ends when its process ends", () => {
    expect(reconcilesOf(story)).toEqual([
      { from: 4, to: 7 },
      { from: 8, to: 9 },
    ]);
  });
});

it("fieldChangesOf parses the changes of a write, and returns undefined for other texts", () => {
  expect(fieldChangesOf('spec.replicas: 1 → 2; metadata.annotations["a/b"]: "x; y" → none')).toEqual([
    { path: "spec.replicas", before: "1", after: "2" },
    { path: 'metadata.annotations["a/b"]', before: '"x; y"', after: "none" },
  ]);
  expect(fieldChangesOf("the object has been modified")).toBeUndefined();
  expect(fieldChangesOf("")).toBeUndefined();
});

it("windowOf returns a window of a long timeline around the selected entry", () => {
  expect(windowOf(10, 3, 20)).toEqual([0, 9]);
  expect(windowOf(100, 3, 20)).toEqual([0, 19]);
  expect(windowOf(100, 50, 20)).toEqual([40, 59]);
  expect(windowOf(100, 99, 20)).toEqual([80, 99]);
});

it("a row shows the beginning of a long text, without half characters", () => {
  expect(lineOf("short\ntext")).toBe("short\ntext");
  expect(lineOf("long ".repeat(40_000))).toBe(`${"long ".repeat(100)}…`);
  expect(lineOf(`${"x".repeat(499)}😀 more`)).toBe(`${"x".repeat(499)}…`);
});

it("an entry is found by words of any of its texts", () => {
  const entry = {
    step: 1,
    time: 0,
    actor: "operator-1",
    action: "read",
    object: "Game a",
    revision: "7",
    detail: "OLD",
  };
  expect(containsWords(entry, [])).toBe(true);
  expect(containsWords(entry, ["operator-1", "game", "old"])).toBe(true);
  expect(containsWords(entry, ["game", "new"])).toBe(false);
});
