import type { StoredWrite } from "@kubewright/apiserver";
import { describe, expect, it } from "vitest";
import { FinalizedObjects } from "./finalized.ts";

const shops = { group: "simulation.test", resource: "shops" };

function write(revision: number, metadata: object | undefined, name = "a"): StoredWrite {
  const isDeletion = metadata === undefined;
  return {
    ...{ ...shops, kind: "Shop", namespace: "default", name, revision, isNew: false, isDeletion },
    ...{
      before: { metadata: { uid: `uid-of-${name}` } },
      after: metadata && { metadata: metadata as Record<string, never> },
    },
  };
}

const finalizers = ["simulation.test/cleanup"];
const deletionTimestamp = "2026-01-01T00:00:00Z";

describe("FinalizedObjects", () => {
  it("excludes revisions at which a removed object had a finalizer and wasn't being deleted", () => {
    const objects = new FinalizedObjects();
    objects.wrote(write(2, {}));
    objects.wrote(write(3, { finalizers }));
    objects.wrote(write(5, { finalizers, deletionTimestamp }));
    expect([2, 3, 4, 5].map((revision) => objects.latest(shops, revision))).toEqual([2, 3, 4, 5]);
    objects.wrote(write(7, undefined));
    expect([1, 2, 3, 4, 5, 6, 7].map((revision) => objects.latest(shops, revision))).toEqual([1, 2, 2, 2, 5, 6, 7]);
    expect(objects.latest({ ...shops, resource: "others" }, 4)).toBe(4);
  });

  it("excludes the revisions of several objects", () => {
    const objects = new FinalizedObjects();
    objects.wrote(write(2, { finalizers }));
    objects.wrote(write(4, { finalizers }, "b"));
    for (const name of ["a", "b"]) objects.wrote(write(5, { finalizers, deletionTimestamp }, name));
    objects.wrote(write(6, undefined));
    objects.wrote(write(7, undefined, "b"));
    expect(objects.latest(shops, 4)).toBe(1);
  });

  it("excludes events with such a state", () => {
    const objects = new FinalizedObjects();
    const event = (metadata: object) => ({
      ...{ apiVersion: "simulation.test/v1", kind: "Shop" },
      metadata: { uid: "uid-of-a", ...metadata },
    });
    objects.wrote(write(2, { finalizers }));
    expect(objects.isOutdated(event({ finalizers }))).toBe(false);
    objects.wrote(write(3, undefined));
    expect(objects.isOutdated(event({ finalizers }))).toBe(true);
    expect(objects.isOutdated(event({ finalizers, uid: "uid-of-another" }))).toBe(false);
    expect(objects.isOutdated(event({ finalizers, deletionTimestamp }))).toBe(false);
    expect(objects.isOutdated(event({}))).toBe(false);
  });

  it("excludes the states before the operator has removed its finalizer from an object that it no longer serves", () => {
    const objects = new FinalizedObjects();
    const event = (resourceVersion: string, metadata: object) => ({
      ...{ apiVersion: "simulation.test/v1", kind: "Shop" },
      metadata: { uid: "uid-of-a", resourceVersion, ...metadata },
    });
    objects.wrote(write(3, { uid: "uid-of-a", finalizers }), true);
    objects.wrote(write(5, { uid: "uid-of-a" }), true);
    expect([2, 3, 4, 5].map((revision) => objects.latest(shops, revision))).toEqual([2, 2, 2, 5]);
    expect(objects.isOutdated(event("4", { finalizers }))).toBe(true);
    objects.wrote(write(6, { uid: "uid-of-a", finalizers }), true);
    expect(objects.isOutdated(event("6", { finalizers }))).toBe(false);
    objects.wrote(write(7, { uid: "uid-of-a" }), false);
    expect(objects.latest(shops, 6)).toBe(6);
  });

  it("excludes the states before the operator has removed its finalizer from an object that another finalizer keeps", () => {
    const objects = new FinalizedObjects();
    const metadata = { uid: "uid-of-a", deletionTimestamp, finalizers: ["example.com/backup"] };
    const before = { metadata: { ...metadata, finalizers: [...finalizers, ...metadata.finalizers] } };
    objects.wrote(write(3, { uid: "uid-of-a", finalizers }), true);
    objects.wrote(write(5, before.metadata));
    expect(objects.latest(shops, 4)).toBe(4);
    objects.wrote({ ...write(6, metadata), before }, true);
    expect(objects.latest(shops, 4)).toBe(2);
    const event = {
      apiVersion: "simulation.test/v1",
      kind: "Shop",
      metadata: { finalizers, uid: "uid-of-a", resourceVersion: "4" },
    };
    expect(objects.isOutdated(event)).toBe(true);
  });

  it("keeps all revisions of an object without a finalizer", () => {
    const objects = new FinalizedObjects();
    objects.wrote(write(2, {}));
    objects.wrote(write(3, undefined));
    expect(objects.latest(shops, 2)).toBe(2);
  });
});
