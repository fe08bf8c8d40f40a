import { systemClock } from "../clock/clock.ts";
import { isJsonObject, type JsonObject } from "../json/object.ts";
import { rulesOfKinds } from "./built-in-kinds.ts";
import { conditionsOf, integerAt, textAt, textOr, UnreadableError } from "./fields.ts";
import { current, failed, inProgress, type StatusResult } from "./result.ts";

/**
 * Computes the state of an object from its fields, as Helm, Flux and `kubectl` plugins do that wait for objects. The rules and
 * texts are those of `github.com/fluxcd/cli-utils` v1.4.0, `pkg/kstatus/status`.
 *
 * @param object - an object of any kind, as it is stored
 * @param now - the time, for Pods that no node can take: they fail after 15 seconds. The default is the current time.
 * @returns the state; `Unknown` if a field has a wrong type
 *
 * @example
 * const isReady = computeStatus(deployment).status === "Current";
 */
export function computeStatus(object: object, now: Date = systemClock.date()): StatusResult {
  return decidedStatus(object, now) ?? current("Resource is current");
}

/**
 * Computes the state of an object as {@link computeStatus} does.
 *
 * @param object - an object of any kind, as it is stored
 * @param now - the time, for Pods that no node can take: they fail after 15 seconds. The default is the current time.
 * @returns the state; `undefined` if it is `Current` only because no rule applies to the object
 */
export function decidedStatus(object: object, now: Date = systemClock.date()): StatusResult | undefined {
  try {
    return decidingRule(object, now);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { status: "Unknown", reason: "", message: error.message };
  }
}

function decidingRule(given: object, now: Date): StatusResult | undefined {
  if (!isJsonObject(given)) throw new UnreadableError("it isn't an object");
  const object: JsonObject = given;
  if ((textAt(object, "metadata.deletionTimestamp") ?? "") !== "") {
    return { status: "Terminating", reason: "", message: "Resource scheduled for deletion" };
  }
  const unseen = unseenGeneration(object);
  if (unseen !== undefined) return unseen;
  const conditions = conditionsOf(object);
  for (const { type, status, reason, message } of conditions) {
    if (status !== "True") continue;
    if (type === "Reconciling") return inProgress(reason, message);
    if (type === "Stalled") return failed(reason, message);
  }
  const rule = rulesOfKinds.get(groupKindOf(object));
  if (rule !== undefined) return rule(object, now);
  for (const { type, status, reason, message } of conditions) {
    if (type !== "Ready") continue;
    if (status === "True") return current("Resource is Ready");
    if (status === "False" || status === "Unknown") return inProgress(reason, message);
  }
  return undefined;
}

function unseenGeneration(object: JsonObject): StatusResult | undefined {
  const generation = integerAt(object, "metadata.generation");
  if (generation === undefined) return undefined;
  const observed = integerAt(object, "status.observedGeneration");
  if (observed === undefined || observed === generation) return undefined;
  const message = `${textOr(object, "kind", "")} generation is ${generation}, but latest observed generation is ${observed}`;
  return inProgress("LatestGenerationNotObserved", message);
}

/** Returns `group/Kind`, or only the kind for the core group; empty for an invalid `apiVersion`. */
function groupKindOf(object: JsonObject): string {
  const apiVersion = textOr(object, "apiVersion", "");
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/");
  if (parts.length > 2) return "";
  const [group = ""] = parts.length === 2 ? parts : [];
  const kind = textOr(object, "kind", "");
  return group === "" ? kind : `${group}/${kind}`;
}
