import { stripVTControlCharacters } from "node:util";
import type {
  DevEvent,
  ReconcileReason,
  ReconcileRecord,
  ReconcileWrite,
  RecordedObject,
} from "@kubewright/dashboard/protocol";
import { shellWord } from "../../text/shell-word.ts";
import { printable } from "../../text/shown.ts";
import { styled } from "../../text/terminal.ts";
import { kindLabels, type LabeledKind } from "./kind-labels.ts";

/** Characters of a line of the manager that are printed. */
const longestLine = 5000;

/** Colors a text. */
export type Paint = (color: keyof typeof colors, text: string) => string;

/** Codes of the terminal. */
const colors = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, dim: 2, bold: 1 } as const;

/** Returns a function that colors texts, or leaves them as they are. */
export function painter(color: boolean): Paint {
  return (name, text) => (color ? styled(colors[name], text) : text);
}

/**
 * Returns the lines of an event for people. Everything that comes from the cluster or from files is escaped.
 *
 * @param event - the event
 * @param paint - colors texts
 * @param record - the reconcile of a `reconciled` event, for its reasons
 * @param frame - the lines around the error of a `reconciled` event
 * @param kinds - the kinds of earlier events, from which that of this one must differ
 */
export function eventLines(
  event: DevEvent,
  paint: Paint,
  record?: ReconcileRecord,
  frame?: string,
  kinds: readonly LabeledKind[] = [],
): string[] {
  switch (event.event) {
    case "ready":
      return [
        `${paint("green", "ready")} in ${event.durationMs} ms`,
        `  dashboard   ${event.dashboard}`,
        `  kubectl     export KUBECONFIG=${shellWord(printable(event.kubeconfig))}`,
      ];
    case "changed":
      return [
        `${paint("blue", "changed")} ${listed(event.files)}`,
        ...(event.files.some((file) => file.startsWith("config/samples/"))
          ? ["  press a to apply the samples, or run kubectl apply -k config/samples"]
          : []),
      ];
    case "generated":
      return [
        ...(event.files.length > 0 ? [`${paint("blue", "generated")} ${listed(event.files)}`] : []),
        ...event.breaking.map(({ message }) => `${paint("yellow", "breaking")} ${printable(message)}`),
        ...(event.warnings ?? []).flatMap((warning) => [
          `${paint("yellow", "warning")} ${printable(placeOf(warning) + warning.message)} ${paint("dim", `(${warning.id})`)}`,
          ...(warning.hint === undefined ? [] : [`  hint: ${printable(warning.hint)}`]),
        ]),
      ];
    case "applied":
      // An error follows for each that failed.
      return event.objects
        .filter(({ action }) => action === "created" || action === "configured")
        .map(({ kind, name, namespace, action }) => {
          const object = printable(`${kind} ${namespace ? `${namespace}/` : ""}${name}`);
          return `${paint("blue", action)} ${object}`;
        });
    case "started":
      return [`${paint("green", "started")} the manager (process ${event.pid}) after ${event.durationMs} ms`];
    case "reconciled":
      return [reconciledLine(event, paint, record, kinds), ...frameLines(frame, paint)];
    case "error": {
      const id = event.id === undefined ? "" : ` ${paint("dim", `(${event.id})`)}`;
      const [first = "", ...more] = event.message.split("\n");
      return [
        `${paint("red", `error in ${event.phase}`)} ${printable(placeOf(event) + first)}${id}`,
        ...frameLines(more.join("\n"), paint),
        ...frameLines(event.frame, paint),
        ...(event.hint === undefined ? [] : [`  hint: ${printable(event.hint)}`]),
      ];
    }
    case "fixed":
      return [`${paint("green", "fixed")} ${event.phases.join(", ")}`];
    case "note":
      return [printable(event.message)];
    case "takeover":
      return [
        event.action === "taken"
          ? `${paint("yellow", "took over")} the lease ${printable(event.lease)} of ${printable(event.from)}, which waits until this session ends`
          : `${paint("yellow", "returned")} the lease ${printable(event.lease)}`,
      ];
    case "paused":
      return [event.paused ? `${paint("yellow", "paused")}: nothing is reconciled` : `${paint("green", "continued")}`];
    case "stopped":
      return [`stopped: ${printable(event.reason)}`];
  }
}

function placeOf({ file, line, column = 1 }: { file?: string; line?: number; column?: number }): string {
  return file === undefined ? "" : `${file}${line ? `:${line}:${column}` : ""}: `;
}

/** Returns what runs after a change that can't run. */
export function failedBuildText(pid: number | undefined): string {
  return pid === undefined
    ? "no manager runs until the errors are fixed"
    : `the old manager (process ${pid}) continues to run until the errors are fixed`;
}

function frameLines(frame: string | undefined, paint: Paint): string[] {
  return frame ? frame.split("\n").map((line) => `  ${paint("dim", printable(line))}`) : [];
}

function reconciledLine(
  event: Extract<DevEvent, { event: "reconciled" }>,
  paint: Paint,
  record: ReconcileRecord | undefined,
  kinds: readonly LabeledKind[],
): string {
  const { namespace, name, durationMs, writes, error, file, line, column, attempts = 1, retryAfter } = event;
  const label = kindLabels([event, ...kinds, ...(record?.reasons ?? [])]);
  const object = printable(`${label(event)} ${namespace === "" ? "" : `${namespace}/`}${name}`);
  const why = record
    ? record.reasons.map((reason) => reasonText(reason, event, label)).join("; ")
    : event.reasons.join(", ");
  const unchanged = record?.writes.filter(isUnchanged).length ?? 0;
  const wrote = `${writeCount(writes - unchanged)}${unchanged === 0 ? "" : ` (${unchanged} without a change)`}`;
  const place = file === undefined ? "" : ` at ${file}${line === undefined ? "" : `:${line}:${column ?? 1}`}`;
  const end = error === undefined ? "" : ` ${paint("red", printable(error.split("\n")[0] ?? ""))}${printable(place)}`;
  const count = attempts > 1 ? ` ×${attempts}` : "";
  const next = retryAfter === undefined ? "" : `, next try in ${duration(retryAfter)}:`;
  const word = error === undefined ? paint("cyan", "reconciled") : `${paint("red", `failed${count}`)}${next}`;
  return `${word} ${paint("bold", object)} ${paint("dim", `(${printable(why)})`)} ${wrote}, ${durationMs} ms${end}`;
}

/** Whether a write changed nothing: the dashboard counts only the others, too. The last state of a deleted object can be unknown. */
export function isUnchanged({ verb, diff, error }: ReconcileWrite): boolean {
  return diff === "" && verb !== "delete" && error === null;
}

/** Formats milliseconds, such as `5 ms`, `2.6 s`, `40 s` or `16 min`. */
function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 10_000) return `${Math.round(milliseconds / 100) / 10} s`;
  return milliseconds < 600_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} min`;
}

function writeCount(count: number): string {
  return count === 0 ? "no writes" : count === 1 ? "1 write" : `${count} writes`;
}

/**
 * Returns a reason in words, such as `update Deployment default/chess: spec.replicas by kubectl`.
 *
 * @param reason - the reason
 * @param reconciled - the reconciled object, if the line names it already
 * @param label - returns the name of a kind
 */
export function reasonText(
  reason: ReconcileReason,
  reconciled?: RecordedObject,
  label: (kind: LabeledKind) => string = ({ kind = "" }) => kind,
): string {
  const {
    type,
    apiVersion,
    kind,
    namespace,
    name,
    by,
    changed = [],
    after,
    attempts,
    initial,
    manual,
    reconcile,
  } = reason;
  if (type === "requeue") return `requeued after ${after ?? 0} ms`;
  if (type === "retry") return `retry ${attempts ?? 1} after ${after ?? 0} ms`;
  if (manual) return "requested by you";
  const isReconciled =
    reconciled?.kind === kind &&
    reconciled?.apiVersion === apiVersion &&
    reconciled?.name === name &&
    (reconciled?.namespace || "") === (namespace ?? "");
  const object = isReconciled ? "" : ` ${`${label(reason)} ${namespace ? `${namespace}/` : ""}${name ?? ""}`.trim()}`;
  if (initial) return `found${object}`;
  const fields = changed.length === 0 ? "" : `: ${changed.slice(0, 3).join(", ")}${changed.length > 3 ? ", …" : ""}`;
  const author = reconcile ? " by this manager" : by ? ` by ${by}` : "";
  return `${type}${object}${fields}${author}`;
}

/** The reconciled object, whose kind is the name of the field. */
function isReconciled(value: unknown, fields: Record<string, unknown>): boolean {
  if (
    typeof value !== "object" ||
    value === null ||
    Object.keys(value).some((key) => key !== "name" && key !== "namespace")
  ) {
    return false;
  }
  return (value as { name?: unknown }).name === fields.name;
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 4).map(printable).join(", ");
  return files.length > 4 ? `${shown} and ${files.length - 4} more` : shown;
}

/** Lines of the runtime about its own start and end, which every restart repeats. */
const lifecycle =
  /^(?:The cluster (?:no longer )?calls the webhooks of this manager|Shutting down webhook server|Stopping and waiting for|Starting (?:EventSource|Controller|workers|manager|webhook server)|Attempting to acquire|All workers finished|Shutdown signal received|Wait completed|shutting down server|starting server|Serving (?:webhook|metrics) server|Registering webhook)/;

/**
 * Returns a line of the manager's output for people: a JSON line as level, message and fields; undefined for lines of the
 * runtime about its own start and end, unless `all` is set, and about failed reconciles if the manager reports them itself.
 *
 * @param root - the directory of the project, for the positions of errors
 * @param options - `isInspected`: whether the manager reports its reconciles
 */
export function managerLine(
  line: string,
  paint: Paint,
  root = "",
  { all = false, isInspected = false }: { readonly all?: boolean; readonly isInspected?: boolean } = {},
): string | undefined {
  let fields: Record<string, unknown>;
  try {
    if (!line.startsWith("{")) throw new Error("not JSON");
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Colors of the program would be escaped.
    return printable(cut(stripVTControlCharacters(line)));
  }
  const { level, ts, msg, stacktrace, ...rest } = fields;
  if (!all && level === "info" && lifecycle.test(String(msg))) return undefined;
  if (!all && isInspected && msg === "Reconciler error") return undefined;
  const hidden = new Set([
    "controller",
    "controllerGroup",
    "controllerKind",
    "namespace",
    "name",
    "reconcileID",
    "logger",
  ]);
  const shown = Object.entries(rest).filter(([name, value]) => !hidden.has(name) && !isReconciled(value, rest));
  const color = level === "error" ? "red" : level === "warn" ? "yellow" : "dim";
  const text = logText(String(msg ?? ""), Object.fromEntries(shown));
  const place = level === "error" ? placeInStack(String(stacktrace ?? ""), root) : "";
  return `${paint(color, `  ${String(level ?? "info").padEnd(5)}`)} ${printable(cut(text))}${printable(place)}`;
}

/** Returns where code of the project threw an error, such as ` at src/main.ts:12:3`; empty if the stack has no such line. */
function placeInStack(stack: string, root: string): string {
  const place = stack
    .split("\n")
    .map((line) => /^\s*at (?:async |.*\()?(?:file:\/\/)?([^()]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? "")
    .map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path))
    .find((path) => /^[^/:]+\/.*\.ts:/.test(path) && !path.startsWith("node_modules/"));
  return place === undefined ? "" : ` at ${place}`;
}

/** Cuts a text that would fill many screens. */
function cut(text: string): string {
  const left = text.length - longestLine;
  return left <= 0 ? text : `${text.slice(0, longestLine)}… (${left} more characters)`;
}

/** Returns the message of a log line with its fields, such as `synced deployment result=created`. */
export function logText(message: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [message, ...shown].join(" ").trimEnd();
}
