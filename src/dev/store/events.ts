import type { ObjectEvent } from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";

/** Returns what the dashboard shows of an Event of the API version `v1`. */
export function eventOf(event: KubeObject): ObjectEvent {
  const { type, reason, message, count, firstTimestamp, lastTimestamp, eventTime, series, source, reportingComponent } =
    event as Record<string, unknown>;
  const { count: seen, lastObservedTime } = (series ?? {}) as { count?: number; lastObservedTime?: string };
  const created = event.metadata?.creationTimestamp ?? "";
  const text = (...values: unknown[]) =>
    String(values.find((value) => typeof value === "string" && value !== "") ?? "");
  return {
    type: text(type),
    reason: text(reason),
    message: text(message, event.note),
    count: seen ?? (typeof count === "number" ? count : 1),
    firstTime: text(firstTimestamp, eventTime, created),
    lastTime: text(lastObservedTime, lastTimestamp, eventTime, created),
    source: text((source as { component?: string } | undefined)?.component, reportingComponent),
  };
}
