import type { KubernetesObject } from "../../api/index.ts";
import { isJsonObject, type JsonObject } from "../../json/object.ts";

/**
 * Returns the first field that other managers own, and that a write has changed although its manager doesn't apply it.
 *
 * @param before - the object before the write
 * @param after - the object after the write
 * @param applied - the fields that the manager of the write has applied, in the format of `fieldsV1`
 * @param isForeign - whether a field manager belongs to somebody else
 * @returns the path of the field
 */
export function changedForeignField(
  before: KubernetesObject,
  after: KubernetesObject,
  applied: JsonObject,
  isForeign: (manager: string) => boolean,
): string | undefined {
  for (const { manager = "", subresource, fieldsV1 } of before.metadata?.managedFields ?? []) {
    if (subresource || !isForeign(manager)) continue;
    const path = changedField(fieldsV1 as JsonObject | undefined, { before, after, applied });
    if (path !== undefined) return path;
  }
  return undefined;
}

interface Values {
  readonly before: unknown;
  readonly after: unknown;
  readonly applied: JsonObject | undefined;
}

function changedField(
  owned: JsonObject | undefined,
  { before, after, applied }: Values,
  path = "",
): string | undefined {
  // An applied leaf owns the value as a whole.
  const isApplied = applied !== undefined && Object.keys(applied).length === 0;
  if (owned === undefined || before === undefined || isApplied) return undefined;
  const steps = Object.keys(owned);
  if (steps.length === 0) return JSON.stringify(before) === JSON.stringify(after) ? undefined : path;
  for (const step of steps) {
    const at = `${path}${textOf(step)}`;
    const part = applied?.[step];
    const isWanted = part !== undefined;
    const inner = isJsonObject(owned[step]) ? owned[step] : undefined;
    if (step === ".") {
      if (!isWanted && after === undefined) return path;
    } else if (step.startsWith("v:")) {
      if (!isWanted && memberOf(before, step) !== undefined && memberOf(after, step) === undefined) return at;
    } else {
      const values = { before: memberOf(before, step), after: memberOf(after, step) };
      const changed = changedField(inner, { ...values, applied: isJsonObject(part) ? part : undefined }, at);
      if (changed !== undefined) return changed;
    }
  }
  return undefined;
}

function textOf(step: string): string {
  return step.startsWith("f:") ? `.${step.slice(2)}` : step === "." ? "" : `[${step.slice(2)}]`;
}

/** Returns the field, or the item of a list, of a step. */
function memberOf(value: unknown, step: string): unknown {
  if (step.startsWith("f:")) return isJsonObject(value) ? value[step.slice(2)] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (step.startsWith("v:")) return value.find((item) => JSON.stringify(item) === step.slice(2));
  const keys = JSON.parse(step.slice(2)) as JsonObject;
  return value.find((item) => isJsonObject(item) && Object.entries(keys).every(([name, key]) => item[name] === key));
}
