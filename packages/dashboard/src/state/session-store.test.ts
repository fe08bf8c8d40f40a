import { describe, expect, it } from "vitest";
import { outcomeOf } from "../model/explain.ts";
import type { AdmissionRecord, ObjectSummary, ReconcileRecord, StreamMessage } from "../protocol/protocol.ts";
import { keptAdmissions, keptReconciles, SessionStore, summaryOf } from "./session-store.ts";

const object = (uid: string): ObjectSummary => ({ uid, name: uid, kind: "Game" }) as ObjectSummary;
const reconcile = (id: number): StreamMessage => ({
  type: "reconcile",
  reconcile: {
    id: String(id),
    reasons: [],
    writes: [{ diff: "x".repeat(1000) }],
    error: null,
  } as unknown as ReconcileRecord,
});
const admission = (id: number): StreamMessage => ({
  type: "admission",
  admission: { id: String(id) } as AdmissionRecord,
});

describe("SessionStore", () => {
  it("applies changed and deleted objects to the fetched objects", () => {
    const store = new SessionStore();
    store.apply([{ type: "objects", changed: [object("early")], deleted: [] }]);
    expect(store.state.objects).toBeUndefined();
    store.setObjects([object("a"), object("b")]);
    const before = store.state.objects;
    store.apply([{ type: "objects", changed: [object("c")], deleted: ["a"] }]);
    expect([...(store.state.objects?.keys() ?? [])]).toEqual(["b", "c"]);
    expect(store.state.objects).not.toBe(before);
  });

  it("keeps only the latest reconciles and admission requests, without their diffs", () => {
    const store = new SessionStore();
    for (let id = 0; id < 1000; id += 10) {
      store.apply(Array.from({ length: 10 }, (_, index) => reconcile(id + index)));
      store.apply(Array.from({ length: 10 }, (_, index) => admission(id + index)));
    }
    const { reconciles, admissions } = store.state;
    expect([reconciles.length, reconciles[0]?.id]).toEqual([keptReconciles, "999"]);
    expect([admissions.length, admissions[0]?.id]).toEqual([keptAdmissions, "999"]);
    expect(JSON.stringify(reconciles[0]).length).toBeLessThan(200);
  });

  it("describes what a reconcile did as the timeline does: writes without a change don't count", () => {
    const outcome = (writes: object[]) => {
      const record = { id: "1", reasons: [], writes, error: null } as unknown as ReconcileRecord;
      return [summaryOf(record).outcome, outcomeOf(record).text];
    };
    const write = { verb: "apply", kind: "Game", diff: "", error: null };
    expect(outcome([write, write, write])).toEqual(["changed nothing", "changed nothing"]);
    expect(outcome([write, { ...write, diff: "@@\n+a" }])).toEqual(["1 write", "1 write"]);
  });

  it("notifies subscribers once per frame, however many messages arrive", () => {
    const store = new SessionStore();
    let renders = 0;
    store.subscribe(() => renders++);
    store.apply(Array.from({ length: 100 }, (_, id) => reconcile(id)));
    expect(renders).toBe(1);
  });

  it("starts a new epoch after missed messages, and ends with the session", () => {
    const store = new SessionStore();
    store.apply([{ type: "reset" }]);
    expect(store.state.epoch).toBe(1);
    store.apply([{ type: "dev", event: { event: "stopped", reason: "q", time: "" } }]);
    expect(store.state.connection).toBe("ended");
  });
});
