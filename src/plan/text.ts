import type { PlannedChange, PlannedField, PlannedRef } from "@kubewright/runtime/dev";
import { printable } from "../text/shown.ts";
import type { PlanDocument } from "./document.ts";

const signs = { create: "+", update: "~", delete: "-" } as const;
const fieldSigns = { add: "+", change: "~", remove: "-" } as const;
/** Longer values would hide the other changes. */
const longestValue = 120;

/** Formats a plan for a terminal. */
export function planText(plan: PlanDocument): string {
  const lines = [`Plan for context ${plan.context} (${plan.server}) as ${plan.user}`, ""];
  for (const change of plan.changes) lines.push(...changeLines(change));
  if (plan.changes.length > 0) lines.push("");
  lines.push(...section("External calls:", plan.external.map(externalLine)));
  lines.push(...section("Failed, so the plan is incomplete:", plan.failed.flatMap(failureLines)));
  lines.push(
    ...section(
      "Later:",
      plan.later.map((entry) => `${refText(entry.object)} in ${duration(entry.requeueAfter)}`),
    ),
  );
  lines.push(...section("Notes:", plan.notes));
  lines.push(summaryLine(plan));
  return lines.join("\n");
}

/** Formats the counts of a plan. */
export function summaryLine({ summary, complete }: PlanDocument): string {
  const counts = [
    `${summary.create} to create`,
    `${summary.update} to update`,
    `${summary.delete} to delete`,
    ...(summary.external > 0 ? [plural(summary.external, "external call")] : []),
  ].join(", ");
  const end = complete ? "Nothing was changed." : "Nothing was changed. The plan is incomplete.";
  return `${counts}. ${plural(summary.unchanged, "object")} unchanged, ${plural(summary.reconciles, "reconcile")}. ${end}`;
}

/** Names an object. */
export function refText({ kind, namespace, name }: PlannedRef): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`.trim();
}

/** Describes the rollout that a change starts; empty without one. */
function rolloutText({ rollout, pods }: PlannedChange): string {
  if (!rollout) return "";
  return pods === undefined ? "rolls out its Pods" : `rolls out ${plural(pods, "Pod")}`;
}

/** Describes what a change does to an object beside its fields; empty for most. */
export function effectText(change: PlannedChange): string {
  const replacement = change.replaced === true ? "is deleted and created again" : "";
  return [replacement, rolloutText(change)].filter((text) => text !== "").join(", ");
}

/** Formats a field that changes. */
export function fieldText({ path, action, before, after }: PlannedField): string {
  const values = [before, after].filter((value) => value !== undefined).map(valueText);
  return `${fieldSigns[action]} ${path}: ${values.join(" → ")}`;
}

/** Names the reconciles that write an object, each once. */
export function originTexts({ writes }: PlannedChange): string[] {
  const texts = writes.map(({ controller, object, file, line }) => {
    const place = file === "" ? "" : `, ${file}:${line}`;
    return controller === ""
      ? `outside of a reconcile${place}`
      : `controller ${controller}, ${refText(object)}${place}`;
  });
  return [...new Set(texts)];
}

function changeLines(change: PlannedChange): string[] {
  const effect = effectText(change);
  return [
    `${signs[change.action]} ${refText(change)}${effect === "" ? "" : `    ${effect}`}`,
    ...(change.action === "create" ? [] : change.fields.map((field) => `    ${fieldText(field)}`)),
    ...originTexts(change).map((origin) => `    by ${origin}`),
  ];
}

function externalLine({
  system,
  function: name,
  arguments: values,
  assumed,
  object,
}: PlanDocument["external"][number]): string {
  const end = assumed ? "" : ", where the reconcile ends";
  return `${system}.${name}(${values.map(valueText).join(", ")}) for ${refText(object)}${end}`;
}

function failureLines({ phase, object, message, marker, file, line }: PlanDocument["failed"][number]): string[] {
  const place = file === "" ? "" : ` (${file}:${line})`;
  const ref = refText(object);
  return [
    `${phase}${ref === "" ? "" : ` of ${ref}`}: ${message}${place}`,
    ...(marker === "" ? [] : [`  add the marker // ${marker}`]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ""];
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const short = text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  return printable(short);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
