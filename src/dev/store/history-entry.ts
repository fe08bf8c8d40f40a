import type { AdmissionRecord, ObjectRef, ObjectRevision, ReconcileRecord } from "@kubewright/dashboard/protocol";
import { isObject } from "../../kubernetes/json.ts";

/** A change of an object that the session saw. */
export interface RevisionEntry {
  readonly uid: string;
  readonly object: ObjectRef;
  readonly revision: ObjectRevision;
}

/** An entry of the history. */
export type HistoryEntry =
  | { readonly reconcile: ReconcileRecord }
  | { readonly admission: AdmissionRecord }
  | RevisionEntry;

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const flag: Check = (value) => typeof value === "boolean";
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const ref = fields({ apiVersion: optional(text), kind: text, namespace: text, name: text });
const failure = fields({ message: text, stack: optional(text) });
const step = {
  apiVersion: optional(text),
  namespace: optional(text),
  name: optional(text),
  resourceVersion: optional(text),
};
const reconcile = fields({
  id: text,
  controller: text,
  object: ref,
  time: text,
  durationMs: number,
  reasons: list(
    fields({ ...step, type: text, kind: optional(text), by: optional(text), changed: optional(list(text)) }),
  ),
  reads: list(fields({ ...step, verb: text, kind: text })),
  writes: list(fields({ ...step, verb: text, kind: text, diff: text, error: nullable(text) })),
  calls: list(fields({ method: text, url: text, durationMs: number, error: nullable(text) })),
  logs: list(fields({ level: text, message: text, fields: optional(isObject) })),
  steps: list(text),
  result: fields({ requeueAfter: number }),
  error: nullable(failure),
});
const admission = fields({
  ...{ id: text, time: text, durationMs: number, path: text, type: text, operation: text, object: ref, user: text },
  ...{ dryRun: flag, allowed: flag, message: optional(text), warnings: list(text), input: text, patch: text },
});
const revision = fields({
  uid: (value) => text(value) && value !== "",
  object: ref,
  revision: fields({
    ...{ resourceVersion: text, time: text, type: text, by: optional(text), changed: list(text), diff: text },
  }),
});

/** Returns the entry that a line of a history contains; undefined for other texts. */
export function parsedEntry(line: string): HistoryEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Record<"reconcile" | "admission", unknown>>;
    const isEntry = reconcile(entry.reconcile) || admission(entry.admission) || revision(entry);
    return isEntry ? (entry as HistoryEntry) : undefined;
  } catch {
    return undefined;
  }
}
