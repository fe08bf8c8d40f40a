import type { Span, Tracer } from "../../tracing/tracer.ts";
import type { RunWorld } from "./run-world.ts";

/** A reconcile in progress. */
export interface ActiveReconcile {
  title: string;
  since: number;
}

/** The reconciles of a process, as its tracer records them. */
interface Reconciles {
  readonly name: string;
  readonly reconciles: Set<ActiveReconcile>;
  readonly failing: Map<string, Error>;
}

/**
 * Returns a tracer that records the reconciles of a process.
 *
 * @param isCurrent - whether the process still runs
 */
export function reconcileTracer(
  { name: process, reconciles, failing }: Reconciles,
  { scheduler, timeline }: Pick<RunWorld, "scheduler" | "timeline">,
  isCurrent: () => boolean,
): Tracer {
  const start = (name: string, attributes: Record<string, unknown>): Span => {
    if (!name.startsWith("reconcile ") || !isCurrent()) return idleSpan;
    const title = `${attributes.controller} ${[attributes.namespace, attributes.name].filter(Boolean).join("/")}`;
    const active = { title, since: scheduler.now };
    reconciles.add(active);
    timeline.add(process, "reconcile", title, "", String(attributes.reasons ?? ""));
    let failure: Error | undefined;
    return {
      ...idleSpan,
      isRecording: () => true,
      recordException: (error) => {
        failure = typeof error === "string" ? new Error(error) : error;
      },
      end: () => {
        if (!reconciles.delete(active)) return;
        if (failure) failing.set(title, failure);
        else failing.delete(title);
        timeline.add(process, "reconciled", title);
      },
    };
  };
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of the interface have no common type.
    startActiveSpan: (name: string, options: { attributes?: Record<string, unknown> }, ...rest: any[]) =>
      rest.at(-1)(start(name, options.attributes ?? {})),
  } as Tracer;
}

const idleSpan: Span = {
  isRecording: () => false,
  setAttribute: () => undefined,
  setStatus: () => undefined,
  recordException: () => undefined,
  spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
  end: () => undefined,
};
