import { expect, it } from "vitest";
import { Choices, noDecisions } from "./choices.ts";
import { faultNames } from "./fault-names.ts";

function decide(choices: Choices): number[] {
  const decisions: number[] = [];
  for (let turn = 0; turn < 50; turn++) {
    decisions.push(choices.next(3), ...faultNames.map((name) => choices.fault(name, "anywhere", 4)));
  }
  return decisions;
}

it("Choices makes the same decisions for the same seed, and repeats recorded decisions", () => {
  const first = new Choices(5, faultNames);
  const made = decide(first);
  expect(decide(new Choices(5, faultNames))).toEqual(made);
  expect(decide(new Choices(5, faultNames, first))).toEqual(made);
  expect(made.some((decision) => decision > 0)).toBe(true);
});

it("Choices makes no decision with an empty record", () => {
  expect(decide(new Choices(5, faultNames, noDecisions)).every((decision) => decision === 0)).toBe(true);
});

it("Choices plans each enabled fault for some seed, and no other", () => {
  const planned = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) for (const name of new Choices(seed, faultNames).planned) planned.add(name);
  expect([...planned].sort()).toEqual([...faultNames].sort());
  for (let seed = 1; seed <= 60; seed++) expect(new Choices(seed, ["crash"]).planned).toEqual(["crash"]);
});

it("Choices injects no fault while mayFail is false", () => {
  const choices = new Choices(5, faultNames);
  choices.mayFail = false;
  expect(faultNames.map((name) => choices.fault(name, "anywhere", 1, 100)).every((variant) => variant === 0)).toBe(
    true,
  );
});

it("Choices repeats the faults of one place, regardless of requests at other places", () => {
  const given = { order: new Map(), faults: new Map([["crash at rest#1", 1]]) };
  const variants = (before: number): number[] => {
    const choices = new Choices(5, ["crash"], given);
    for (let index = 0; index < before; index++) choices.fault("crash", "PUT shops");
    return [choices.fault("crash", "rest"), choices.fault("crash", "rest")];
  };
  expect(variants(0)).toEqual([0, 1]);
  expect(variants(3)).toEqual([0, 1]);
});
