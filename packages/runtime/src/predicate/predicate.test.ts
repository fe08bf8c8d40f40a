import { describe, expect, it } from "vitest";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import {
  annotationChangedPredicate,
  generationChangedPredicate,
  labelChangedPredicate,
  resourceVersionChangedPredicate,
} from "./changed.ts";
import { and, not, or, passes } from "./combine.ts";
import { labelSelectorPredicate } from "./label-selector.ts";
import { newPredicateFuncs, type Predicate } from "./predicate.ts";

const object = (metadata: ObjectMeta): KubernetesObject => ({ apiVersion: "v1", kind: "Pod", metadata });

function updates(predicate: Predicate, before: ObjectMeta, after: ObjectMeta): boolean {
  return passes(predicate, { type: "update", event: { oldObject: object(before), object: object(after) } });
}

const create = { type: "create", event: { object: object({ name: "a" }), isInInitialList: false } } as const;

describe("predicates", () => {
  it("H8: generationChangedPredicate drops only updates with the same generation", () => {
    expect(updates(generationChangedPredicate, { generation: 1 }, { generation: 1, labels: { a: "b" } })).toBe(false);
    expect(updates(generationChangedPredicate, { generation: 1 }, { generation: 2 })).toBe(true);
    expect(passes(generationChangedPredicate, create)).toBe(true);
    const gone = { object: object({ name: "a" }), deleteStateUnknown: false };
    expect(passes(generationChangedPredicate, { type: "delete", event: gone })).toBe(true);
    expect(passes(generationChangedPredicate, { type: "generic", event: gone })).toBe(true);
  });

  it("I8: pass an update with another UID, which replaces a missed deletion and creation", () => {
    const before = { uid: "1", generation: 1, labels: { a: "b" } };
    const after = { ...before, uid: "2" };
    for (const predicate of [generationChangedPredicate, labelChangedPredicate, annotationChangedPredicate]) {
      expect(updates(predicate, before, after)).toBe(true);
      expect(updates(predicate, before, { ...before })).toBe(false);
    }
  });

  it("I10: resourceVersionChangedPredicate drops resyncs", () => {
    expect(updates(resourceVersionChangedPredicate, { resourceVersion: "1" }, { resourceVersion: "1" })).toBe(false);
    expect(updates(resourceVersionChangedPredicate, { resourceVersion: "1" }, { resourceVersion: "2" })).toBe(true);
  });

  it("labelChangedPredicate and annotationChangedPredicate compare by value", () => {
    expect(updates(labelChangedPredicate, { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } })).toBe(false);
    expect(updates(labelChangedPredicate, {}, { labels: {} })).toBe(false);
    expect(updates(labelChangedPredicate, {}, { labels: { a: "1" } })).toBe(true);
    expect(updates(annotationChangedPredicate, { annotations: { a: "1" } }, { annotations: { a: "2" } })).toBe(true);
  });

  it("H9: labelSelectorPredicate checks the labels of the new object", () => {
    const gold = labelSelectorPredicate({ tier: "gold" });
    expect(updates(gold, { labels: { tier: "gold" } }, { labels: {} })).toBe(false);
    expect(updates(gold, {}, { labels: { tier: "gold" } })).toBe(true);
  });

  it.each(["create", "delete", "generic"] as const)("can be combined for %s events", (type) => {
    const event = { object: object({ name: "a" }), isInInitialList: false, deleteStateUnknown: false };
    const decide = (predicate: Predicate) => passes(predicate, { type, event } as Parameters<typeof passes>[1]);
    const [yes, no] = [newPredicateFuncs(() => true), newPredicateFuncs(() => false)];
    expect([decide(and(yes, yes)), decide(and(yes, no))]).toEqual([true, false]);
    expect([decide(or(no, yes)), decide(or(no, no))]).toEqual([true, false]);
    expect([decide(not(no)), decide(not(yes))]).toEqual([true, false]);
  });

  it("are evaluated by and, or and not until the result is certain", () => {
    const asked: string[] = [];
    const returning = (answer: boolean) =>
      newPredicateFuncs(() => {
        asked.push(String(answer));
        return answer;
      });
    expect(passes(and(returning(true), returning(false), returning(true)), create)).toBe(false);
    expect(asked.splice(0)).toEqual(["true", "false"]);
    expect(passes(or(returning(false), returning(true), returning(false)), create)).toBe(true);
    expect(asked.splice(0)).toEqual(["false", "true"]);
    expect(passes(not(returning(true)), create)).toBe(false);
    expect(updates(not(generationChangedPredicate), { generation: 1 }, { generation: 1 })).toBe(true);
  });
});
