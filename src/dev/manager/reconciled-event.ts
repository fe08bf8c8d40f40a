import type { DevEventBody, ReconcileError, ReconcileRecord } from "@kubewright/dashboard/protocol";

/** Returns the event of a reconcile. */
export function reconciledEvent({
  id,
  controller,
  object,
  reasons,
  durationMs,
  writes,
  error,
}: ReconcileRecord): DevEventBody {
  const types = [...new Set(reasons.map(({ type }) => type))];
  return {
    event: "reconciled",
    id,
    controller,
    ...object,
    reasons: types,
    durationMs,
    writes: writes.length,
    ...(error ? { error: error.message, ...positionOf(error), ...retryOf(error) } : {}),
  };
}

function retryOf({ attempts, retryAfter }: ReconcileError) {
  return { ...(attempts === undefined ? {} : { attempts }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function positionOf({ file, line, column }: ReconcileError) {
  if (file === undefined) return {};
  return { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}
