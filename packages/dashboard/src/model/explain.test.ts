import { describe, expect, it } from "vitest";
import type { ReconcileReason, ReconcileRecord, ReconcileWrite } from "../protocol/protocol.ts";
import { nextOf, outcomeOf, plainText, reasonParts, writeSummary } from "./explain.ts";

type Reason = Omit<ReconcileReason, "time">;

const time = "2026-01-01T00:00:00.000Z";
const explain = (reason: Reason): string => plainText(reasonParts({ ...reason, time }));
const deployment = { kind: "Deployment", namespace: "default", name: "chess" };

function record(changes: Partial<ReconcileRecord>): ReconcileRecord {
  return {
    id: "1",
    controller: "game",
    object: { kind: "Game", namespace: "default", name: "chess" },
    time,
    durationMs: 3,
    reasons: [],
    reads: [],
    writes: [],
    calls: [],
    logs: [],
    steps: [],
    pid: 1,
    result: { requeueAfter: 0 },
    error: null,
    ...changes,
  };
}

const write = (changes: Partial<ReconcileWrite>): ReconcileWrite => ({
  verb: "patch",
  kind: "Game",
  name: "chess",
  diff: "",
  error: null,
  durationMs: 1,
  ...changes,
});

describe("the reason why an object was enqueued", () => {
  it.each<[Reason, string]>([
    [{ type: "create", ...deployment, by: "game" }, "Deployment chess was created by game"],
    [{ type: "create", ...deployment, initial: true }, "Deployment chess existed when the manager started"],
    [
      { type: "update", ...deployment, by: "kubectl", changed: ["spec.replicas"] },
      "Deployment chess changed in spec.replicas by kubectl",
    ],
    [
      { type: "update", ...deployment, changed: ["a", "b", "c", "d", "e"] },
      "Deployment chess changed in a, b, c and 2 more",
    ],
    [{ type: "update", ...deployment, reconcile: "1" }, "Deployment chess changed by an earlier reconcile"],
    [{ type: "delete", ...deployment }, "Deployment chess was deleted"],
    [{ type: "resync", ...deployment }, "Periodic resync of Deployment chess"],
    [{ type: "requeue", after: 10_000 }, "The previous reconcile requeued it after 10 s"],
    [{ type: "retry", attempts: 3, after: 40 }, "Retry after 3 errors in a row, delayed by 40 ms"],
    [{ type: "retry", attempts: 1 }, "Retry after an error"],
    [{ type: "generic", manual: true }, "Requested by you"],
    [{ type: "channel", ...deployment }, "Event from a channel about Deployment chess"],
    [{ type: "generic" }, "Generic event"],
  ])("%j", (reason, text) => {
    expect(explain(reason)).toBe(text);
  });
});

describe("the summary of a reconcile", () => {
  it("counts only writes that changed something", () => {
    expect(outcomeOf(record({ writes: [write({}), write({ verb: "delete" })] }))).toEqual({
      state: "changed",
      text: "1 write",
    });
    expect(outcomeOf(record({ writes: [write({})] })).state).toBe("unchanged");
  });

  it("shows a failure before everything else", () => {
    const failed = record({ error: { message: "boom" }, writes: [write({ diff: "@@\n+a" })] });
    expect(outcomeOf(failed).state).toBe("failed");
    expect(nextOf(failed)).toBe("retry with back-off");
    expect(nextOf(record({ error: { message: "boom", terminal: true } }))).toBe("no retry: the error is terminal");
  });

  it("shows when the reconcile runs again", () => {
    expect(nextOf(record({ result: { requeueAfter: 30_000 } }))).toBe("again after 30 s");
    expect(nextOf(record({ result: { requeueAfter: 0, requeue: true } }))).toBe("again, with back-off");
    expect(nextOf(record({}))).toBe("waits for the next event");
  });

  it("summarizes a write by its verb, subresource and lines", () => {
    const diff = "--- before\n+++ after\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n+d\n";
    expect(writeSummary(write({ subresource: "status", diff }))).toMatchObject({
      verb: "patch status",
      added: 2,
      removed: 1,
      outcome: "changed",
    });
    expect(writeSummary(write({ error: "conflict" })).outcome).toBe("failed");
  });
});
