import {
  callResult,
  isBadChild,
  type ObjectSummary,
  type Objects,
  type Queues,
  type ReconciledChild,
  type ReconcileRecord,
  type Status,
  type Step,
  stepsOf,
  type Timeline,
  type TimelineEntry,
  type Why,
} from "@kubewright/dashboard/protocol";
import { printable } from "../../text/shown.ts";
import { preciseClock } from "./clock.ts";
import { kindLabels, kindsOf, type LabeledKind } from "./kind-labels.ts";
import { isUnchanged, logText, type Paint, reasonText } from "./plain.ts";

type KindLabel = ReturnType<typeof kindLabels>;

/** Returns the answer of `scaffold dev status` for people. */
export function statusText(status: Status, paint: Paint): string {
  const { manager, errors } = status;
  return [
    `project     ${printable(status.project)}`,
    `cluster     ${status.engine}`,
    `kubeconfig  ${printable(status.kubeconfig)}`,
    `manager     ${manager.state}${manager.pid === null ? "" : ` (process ${manager.pid})`}${status.paused ? ", paused" : ""}, ${manager.restarts === 1 ? "1 restart" : `${manager.restarts} restarts`}`,
    `kinds       ${status.kinds.map(({ kind }) => kind).join(", ") || "none"}`,
    ...status.takenOver.map((lease) => `taken over  ${printable(lease)}`),
    ...errors.flatMap(({ phase, message, file, line, hint }) => [
      paint(
        "red",
        printable(`error in ${phase}: ${file ? `${file}${line ? `:${line}` : ""}: ` : ""}${message.split("\n")[0]}`),
      ),
      ...(hint === undefined ? [] : [`  hint: ${printable(hint)}`]),
    ]),
  ].join("\n");
}

/**
 * Returns the answer of `scaffold dev why` for people. Reconciles that changed nothing are only counted, except the latest one: a
 * controller that writes the status causes several, which would hide what the reader looks for.
 *
 * @param why - the answer
 * @param paint - adds colors
 * @param limit - how many reconciles to show
 */
export function whyText({ object, reconciles }: Why, paint: Paint, limit = 10): string {
  const label = kindLabels([object, ...reconciles.flatMap(kindsOf)]);
  const name = printable(`${label(object)} ${object.namespace ? `${object.namespace}/` : ""}${object.name}`);
  if (reconciles.length === 0) return `${name} wasn't reconciled in this session`;
  const lines = [paint("bold", name)];
  let quiet = 0;
  let shown = 0;
  const countQuiet = (): void => {
    if (quiet > 0)
      lines.push("", paint("dim", `${quiet === 1 ? "1 reconcile" : `${quiet} reconciles`} changed nothing`));
    quiet = 0;
  };
  for (const record of reconciles) {
    if (shown > 0 && changedNothing(record)) {
      quiet++;
      continue;
    }
    if (shown === limit) break;
    countQuiet();
    lines.push("", ...reconcileLines(record, paint, label));
    shown++;
  }
  countQuiet();
  return lines.join("\n");
}

/**
 * Whether a reconcile succeeded, and changed, called and logged nothing. Only an apply may be without a change: an update or patch
 * that stores nothing can be a mistake, and is shown.
 */
function changedNothing({ writes, calls, logs, children = [], error }: ReconcileRecord): boolean {
  return (
    error === null &&
    writes.every((write) => write.verb === "apply" && isUnchanged(write)) &&
    calls.length === 0 &&
    logs.length === 0 &&
    children.every(isQuietChild)
  );
}

/** Returns the lines of one reconcile. */
function reconcileLines(record: ReconcileRecord, paint: Paint, label: KindLabel): string[] {
  const { controller, time, durationMs, reasons, result, error } = record;
  return [
    `${preciseClock(time)} ${controller}, ${durationMs} ms${error ? paint("red", " failed") : ""}`,
    ...reasons.map((reason) => `  ${paint("cyan", "because")} ${printable(reasonText(reason, undefined, label))}`),
    ...stepsOf(record).flatMap((step) => stepLines(step, paint, label)),
    ...childrenLines(record.children ?? [], paint),
    ...(result.requeueAfter > 0 ? [`  again after ${result.requeueAfter} ms`] : []),
    ...(error
      ? [
          `  ${paint("red", printable(error.message.split("\n")[0] ?? ""))}${error.file ? printable(` at ${error.file}:${error.line}`) : ""}`,
        ]
      : []),
  ];
}

/** Returns the lines of the children that a reconcile declares: one for each that it changed or that isn't ready. */
function childrenLines(children: readonly ReconciledChild[], paint: Paint): string[] {
  const quiet = children.filter(isQuietChild).length;
  return [
    ...children
      .filter((child) => !isQuietChild(child))
      .map(({ child, kind, namespace, name, action, ready, message }) => {
        const object = printable(`${child} ${kind} ${namespace ? `${namespace}/` : ""}${name}`.trim());
        const state = `${action}${ready || action === "pruned" ? "" : ", not ready"}`;
        const why = message ? `: ${printable(message)}` : "";
        return `  ${paint("yellow", "child")} ${object} ${paint(isBadChild(action) ? "red" : "dim", `${state}${why}`)}`;
      }),
    ...(quiet === 0 ? [] : [`  ${paint("dim", `${quiet === 1 ? "1 child" : `${quiet} children`} unchanged`)}`]),
  ];
}

function isQuietChild({ action, ready }: ReconciledChild): boolean {
  return action === "unchanged" && ready;
}

/** Returns the lines of a read, write, call or log line. */
function stepLines(step: Step, paint: Paint, label: KindLabel): string[] {
  const target = ({ namespace, name, ...kind }: LabeledKind & { namespace?: string; name?: string }) =>
    `${label(kind)} ${namespace ? `${namespace}/` : ""}${name ?? ""}`.trim();
  switch (step.type) {
    case "read": {
      const { read } = step;
      const count = read.count === undefined ? "" : `, ${read.count} objects`;
      return [`  ${read.verb} ${printable(target(read))} ${paint("dim", `from ${read.from}${count}`)}`];
    }
    case "call": {
      const { method, url, error, durationMs } = step.call;
      const isFailed = error !== null || (step.call.status ?? 0) >= 400;
      const outcome = paint(isFailed ? "red" : "dim", printable(callResult(step.call)));
      return [
        `  ${paint("yellow", "call")} ${printable(`${method} ${url}`)} ${outcome} ${paint("dim", `${durationMs} ms`)}`,
      ];
    }
    case "write": {
      const { write } = step;
      return [
        `  ${paint("yellow", write.verb)} ${printable(target(write))}${write.subresource ? ` ${write.subresource}` : ""}${write.error ? paint("red", ` ${printable(write.error)}`) : isUnchanged(write) ? paint("dim", " (no change)") : ""}`,
        ...(write.ignored ?? []).map((field) => `    ${paint("yellow", ignoredText(field))}`),
        ...write.diff
          .split("\n")
          .filter((line) => /^[-+](?![-+]{2} )/.test(line))
          .map((line) => `    ${paint(line.startsWith("+") ? "green" : "red", printable(line))}`),
      ];
    }
    case "log": {
      const { level, message, fields } = step.log;
      return [`  ${paint("dim", level)} ${printable(logText(message, fields))}`];
    }
  }
}

/** Explains a part of an object that the API server ignored in a write. */
function ignoredText(field: "spec" | "status"): string {
  return field === "status"
    ? "the API server ignored the changed status: write it with patchStatus or client.status.update"
    : "the API server ignored the changed spec: write it with client.update or client.patch";
}

/** Returns the answer of `scaffold dev timeline` for people, the oldest entry first. */
export function timelineText({ entries }: Timeline, paint: Paint): string {
  if (entries.length === 0) return "nothing has happened";
  const label = kindLabels(entries.flatMap((entry) => (entry.type === "reconcile" ? kindsOf(entry.reconcile) : [])));
  return [...entries]
    .reverse()
    .flatMap((entry) => entryLines(entry, paint, label))
    .join("\n");
}

function entryLines(entry: TimelineEntry, paint: Paint, label: KindLabel): string[] {
  const time = preciseClock(entry.time);
  if (entry.type === "reconcile") return reconcileLines(entry.reconcile, paint, label);
  if (entry.type === "event")
    return [`${time} ${printable(`${entry.event.type} ${entry.event.reason}: ${entry.event.message}`)}`];
  if (entry.type === "change") {
    const { type, by, changed } = entry.change;
    const fields = changed.length > 0 ? `: ${printable(changed.join(", "))}` : "";
    return [`${time} ${type}${by ? ` by ${printable(by)}` : ""}${fields}`];
  }
  const { operation, path, allowed, message } = entry.admission;
  const verdict = allowed ? "admitted" : "denied";
  return [`${time} ${verdict} ${operation} by ${printable(path)}${message ? `: ${printable(message)}` : ""}`];
}

/** Returns the state of an object: whether it is ready and, if it isn't, its state of kstatus with the message. */
function stateText({ ready, status, statusMessage, deleting }: ObjectSummary, paint: Paint): string {
  if (ready === null) return "";
  if (ready) return paint("green", " ready");
  const reason = statusMessage === "" ? "" : `: ${printable(statusMessage)}`;
  const state = status === null || deleting ? "" : ` (${status}${reason})`;
  return paint(status === "Failed" ? "red" : "yellow", ` not ready${state}`);
}

/** Returns the answer of `scaffold dev objects` for people: owner trees. */
export function objectsText({ objects }: Objects, paint: Paint): string {
  if (objects.length === 0) return "no objects of the project's kinds: press a in the session to apply the samples";
  const label = kindLabels(objects);
  const byId = new Map(objects.map((object) => [object.uid, object]));
  const lines: string[] = [];
  const add = (object: ObjectSummary, indent: string, seen: ReadonlySet<string>): void => {
    const { namespace, name, uid, children } = object;
    const state = stateText(object, paint);
    lines.push(
      `${indent}${printable(`${label(object)} ${namespace ? `${namespace}/` : ""}${name}`)}${state}${object.deleting ? " deleting" : ""}`,
    );
    for (const child of children) {
      const summary = byId.get(child);
      if (summary && !seen.has(child)) add(summary, `${indent}  `, new Set([...seen, uid]));
    }
  };
  for (const object of objects) if (!object.owners.some((owner) => byId.has(owner))) add(object, "", new Set());
  return lines.join("\n");
}

/** Returns the answer of `scaffold dev queue` for people. */
export function queueText({ controllers }: Queues): string {
  if (controllers.length === 0) return "the manager has no controllers";
  return controllers
    .flatMap(({ name, depth, active, delayed }) => [
      `${printable(name)}: ${depth} waiting, ${active.length} in progress, ${delayed.length} delayed`,
      ...active.map((key) => `  in progress  ${printable(key)}`),
      ...delayed.map(
        ({ key, at, attempts }) =>
          `  ${preciseClock(at)} ${printable(key)}${attempts > 0 ? `, ${attempts} failures` : ""}`,
      ),
    ])
    .join("\n");
}
