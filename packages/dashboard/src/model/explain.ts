import type {
  ObjectRef,
  ReconcileCall,
  ReconcileReason,
  ReconcileRecord,
  ReconcileWrite,
} from "../protocol/protocol.ts";
import { parseDiff } from "./diff.ts";
import { refOf } from "./route.ts";
import { formatDuration } from "./time.ts";

/** A part of a sentence: plain text, an object to link to, or a path of a field. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "object"; readonly object: ObjectRef }
  | { readonly type: "field"; readonly text: string };

const shownFields = 3;
const text = (content: string): Part => ({ type: "text", text: content });

/** Returns why an object was enqueued, as a sentence without a period. */
export function reasonParts(reason: ReconcileReason): Part[] {
  const { type, by, changed = [], manual, initial, after, attempts = 0, reconcile } = reason;
  const object = objectParts(reason);
  const manager = by ? [text(` by ${by}`)] : reconcile ? [text(" by an earlier reconcile")] : [];
  if (manual) return [text("Requested by you")];
  if (initial) return [...object, text(" existed when the manager started")];
  switch (type) {
    case "create":
      return [...object, text(" was created"), ...manager];
    case "delete":
      return [...object, text(" was deleted"), ...manager];
    case "update":
      return [...object, text(" changed"), ...fieldParts(changed), ...manager];
    case "resync":
      return [text("Periodic resync of "), ...object];
    case "requeue":
      return [text(`The previous reconcile requeued it${after ? ` after ${formatDuration(after)}` : ""}`)];
    case "retry":
      return [
        text(
          `Retry after ${attempts === 1 ? "an error" : `${attempts} errors in a row`}${after ? `, delayed by ${formatDuration(after)}` : ""}`,
        ),
      ];
    case "channel":
      return [text("Event from a channel"), ...(reason.name ? [text(" about "), ...object] : [])];
    case "generic":
      return [text("Generic event"), ...(reason.name ? [text(" about "), ...object] : [])];
  }
}

function objectParts({ apiVersion, kind, namespace, name }: ReconcileReason): Part[] {
  if (!kind || !name) return [text("An object")];
  return [{ type: "object", object: refOf({ apiVersion, kind, namespace, name }) }];
}

function fieldParts(changed: readonly string[]): Part[] {
  const parts = changed
    .slice(0, shownFields)
    .flatMap((field, index): Part[] => [text(index === 0 ? " in " : ", "), { type: "field", text: field || "(all)" }]);
  const rest = changed.length - shownFields;
  return rest > 0 ? [...parts, text(` and ${rest} more`)] : parts;
}

/** Returns what a reason has to do with the reconciled object. */
export function relationOf({ via }: ReconcileReason): string {
  if (via === "for") return "the object itself";
  if (via === "owns") return "an owned object";
  if (via === "watches") return "a watched object";
  return "";
}

/** Returns the parts of a sentence as plain text. */
export function plainText(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "object" ? `${part.object.kind} ${part.object.name}` : part.text)).join("");
}

/** A write, in a few words. */
export interface WriteSummary {
  /** Such as `patch status`. */
  readonly verb: string;
  readonly object: ObjectRef;
  readonly added: number;
  readonly removed: number;
  readonly outcome: "changed" | "unchanged" | "failed";
}

/** Summarizes a write. */
export function writeSummary(write: ReconcileWrite): WriteSummary {
  const { verb, subresource, apiVersion, kind, namespace, name = "", diff, error } = write;
  const { added, removed } = parseDiff(diff);
  return {
    verb: subresource ? `${verb} ${subresource}` : verb,
    object: refOf({ apiVersion, kind, namespace, name }),
    added,
    removed,
    outcome: error ? "failed" : diff === "" && verb !== "delete" ? "unchanged" : "changed",
  };
}

/** Returns what a reconcile did, in a few words. */
export function outcomeOf(record: ReconcileRecord): {
  readonly state: "failed" | "changed" | "unchanged";
  readonly text: string;
} {
  if (record.error) return { state: "failed", text: "failed" };
  const writes = record.writes.map(writeSummary).filter(({ outcome }) => outcome !== "unchanged");
  const calls = record.calls?.length ?? 0;
  const called = calls === 0 ? "" : `, ${calls} ${calls === 1 ? "call" : "calls"}`;
  if (writes.length === 0) return { state: "unchanged", text: `changed nothing${called}` };
  return { state: "changed", text: `${writes.length} ${writes.length === 1 ? "write" : "writes"}${called}` };
}

/** Whether a call of another system failed: no answer, or a status that reports an error. */
export function isFailedCall({ status = 0, error }: ReconcileCall): boolean {
  return error !== null || status >= 400;
}

/** Returns what follows a reconcile. */
export function nextOf({ result, error }: ReconcileRecord): string {
  if (error) return error.terminal ? "no retry: the error is terminal" : "retry with back-off";
  if (result.requeueAfter > 0) return `again after ${formatDuration(result.requeueAfter)}`;
  if (result.requeue) return "again, with back-off";
  return "waits for the next event";
}
