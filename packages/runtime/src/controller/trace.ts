import { stringifyJson } from "../json/stringify.ts";
import { redact } from "../log/redact.ts";
import { redactText } from "../log/redact-text.ts";
import type { Context } from "../reconcile/context.ts";
import type { Result } from "../reconcile/reconciler.ts";
import { inSpan, type Tracer } from "../tracing/tracer.ts";
import { requestFields } from "./request-fields.ts";

export interface TracedReconcile<R> {
  controller: string;
  context: Context;
  request: R;
  run: () => Promise<Result | undefined>;
}

/** Runs a reconcile within a span that records its object, reasons and result. */
export function traceReconcile<R>(tracer: Tracer, reconcile: TracedReconcile<R>): Promise<Result | undefined> {
  const { controller, context, request, run } = reconcile;
  const attributes: Record<string, string> = {
    controller,
    reconcileID: context.reconcileID,
    reasons: context.reasons.map(({ type, kind }) => (kind ? `${type} ${kind}` : type)).join(", "),
  };
  for (const [key, value] of Object.entries(requestFields(request))) {
    attributes[key] = typeof value === "string" ? redactText(value) : stringifyJson(redact(value) ?? null);
  }
  return inSpan(tracer, `reconcile ${controller}`, { attributes }, async (span) => {
    const result = await run();
    span?.setAttribute("result", outcomeOf(result));
    if (result?.requeueAfter) span?.setAttribute("requeueAfter", result.requeueAfter);
    return result;
  });
}

function outcomeOf(result: Result | undefined): string {
  if ((result?.requeueAfter ?? 0) > 0) return "requeue_after";
  return result?.requeue ? "requeue" : "success";
}
