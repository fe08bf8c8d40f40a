import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

/** The cases of Events of both groups. */
export const eventKinds: KindCases[] = [
  {
    ...kind("v1", "Event", {
      involvedObject: { kind: "Pod", name: "a", namespace: "default" },
      reason: "A",
      message: "m",
      type: "Normal",
    }),
    creations: {
      ...each(
        "involvedObject",
        {},
        { kind: "Pod", namespace: "other" },
        { kind: "Node", name: "a", namespace: "default" },
        { kind: "Node", name: "a" },
      ),
      ...each("type", "Other", undefined),
      ...each("reason", undefined, "x".repeat(200)),
      ...each("metadata/name", "A_b"),
      ...each(
        "firstTimestamp",
        "x",
        "2026-01-1T05:00:00Z",
        "2026-01-01T5:00:00.5-01:30",
        "2026-02-30T00:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:00",
        'é"\n',
      ),
      "the new form": {
        eventTime: "2026-01-01T00:00:00.000001Z",
        reportingComponent: "a",
        reportingInstance: "b",
        action: "c",
      },
      "the new form, incomplete": { eventTime: "2026-01-01T00:00:00.000001Z" },
      ...each("series", { count: 1, lastObservedTime: "2026-01-01T00:00:00.000000Z" }),
    },
    updates: { ...each("count", 2), ...each("reason", "B"), ...each("message", "n") },
  },
  {
    path: "/apis/events.k8s.io/v1/namespaces/default/events",
    object: {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "event.v1" },
      eventTime: "2026-01-01T00:00:00.000001Z",
      reportingController: "example.com/a",
      reportingInstance: "b",
      action: "c",
      reason: "d",
      regarding: { kind: "Pod", name: "a", namespace: "default" },
      note: "n",
      type: "Normal",
    },
    creations: {
      ...each("eventTime", undefined),
      ...each("reportingController", undefined, "a b", "x".repeat(200)),
      ...each("reportingInstance", undefined, "x".repeat(200)),
      ...each("action", undefined, "x".repeat(200)),
      ...each("reason", undefined, "x".repeat(200)),
      ...each("note", "x".repeat(1100)),
      ...each("type", undefined, "Other"),
      ...each(
        "series",
        { count: 1, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
        { count: 2 },
        { count: 2, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
      ),
      ...each("regarding", { kind: "Pod", namespace: "other" }, {}),
      ...each("deprecatedSource", { component: "x" }),
      ...each("deprecatedCount", 3),
      ...each("deprecatedFirstTimestamp", "2026-01-01T00:00:00Z"),
    },
    updates: {
      ...each("series", { count: 2, lastObservedTime: "2026-01-01T00:00:00.000000Z" }),
      ...each("reason", "e"),
      ...each("note", "e"),
      ...each("type", "Warning"),
    },
  },
];
