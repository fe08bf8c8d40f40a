import { cloneJson, isObject, type JsonObject } from "@kubewright/cel/json";
import { invalidValue } from "@kubewright/cel/validation";
import { SystemClient, serverIdentity } from "../client/system-client.ts";
import { timestamp } from "../model/metadata.ts";
import type { Answer } from "../model/request.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { badRequest, conflict, forbidden, invalid, StatusError } from "../model/status.ts";
import type { DeleteOptions } from "../model/write-options.ts";
import { deleteObject } from "../registry/delete.ts";
import { ensureNamespace } from "../registry/metadata.ts";
import { getEntry } from "../registry/read.ts";
import { acceptedOf, documentAnswer } from "../registry/respond.ts";
import { parseStored, Scope } from "../registry/scope.ts";
import { updateObject } from "../registry/write.ts";
import { decodeBody, readBody } from "../request/body.ts";
import { matchesLabels } from "../request/label-selector.ts";
import { deleteOptions, writeOptions } from "../request/options.ts";
import { selectorOfObject } from "../request/selector-object.ts";
import { admitPosted } from "./connect.ts";

interface Condition extends JsonObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

interface DisruptionBudget extends ApiObject {
  status: JsonObject & {
    observedGeneration?: number;
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    disruptedPods?: { [name: string]: string };
    conditions?: Condition[];
  };
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";
const unconfirmed = "too many evictions not confirmed by PDB controller";
const maxDisruptedPods = 2000;
const attempts = 20;

/** Answers requests to `pods/eviction`: deletes a Pod, if its disruption budget allows that. */
export async function eviction(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const body = readBody(scope.request, scope.version.encodings);
  const options = writeOptions(scope.info.query, "CreateOptions");
  // The old version has the same fields.
  const version = /\bpolicy\/v1beta1\b/.test(body.bytes.toString("latin1")) ? "v1beta1" : "v1";
  const expected = { ...scope.expected(), version };
  const decoded = decodeBody(expected, body, options.fieldValidation, (message) => scope.warn(message));
  ensureNamespace(decoded, scope.type, scope.info.namespace);
  const attributes = await admitPosted(scope, decoded, options);
  const { object: admitted } = attributes;
  const given = deleteOptionsOf(scope, admitted);
  given.dryRun ||= options.dryRun;
  await scope.engine.admission.validate({ ...attributes, object: cloneJson(admitted) });
  const refusal = await evict(scope, given);
  const code = refusal === undefined ? 201 : 500;
  const status = refusal ?? { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code };
  return documentAnswer(code, status, accepted);
}

/** Checks an eviction, and reads the options of its deletion. */
function deleteOptionsOf(scope: Scope, { metadata, deleteOptions: given }: ApiObject): DeleteOptions {
  const { name } = scope.info;
  if (metadata.name !== name) throw badRequest("name in URL does not match name in Eviction object");
  if (!isObject(given)) return { dryRun: false };
  const ignore = "ignoreStoreReadErrorWithClusterBreakingPotential";
  if (given[ignore] === true) {
    const detail = "can not be set for pod eviction, try after removing the option";
    const errors = [invalidValue(`deleteOptions.${ignore}`, true, detail)];
    throw invalid({ group: "policy", kind: "Eviction" }, name, errors);
  }
  const { dryRun } = deleteOptions({ dryRun: (given.dryRun ?? []) as string[] });
  return { ...given, dryRun };
}

/** Evicts the Pod of the request. Returns a Status if several budgets match the Pod. */
async function evict(scope: Scope, given: DeleteOptions): Promise<JsonObject | undefined> {
  for (let attempt = 1; ; attempt++) {
    const pod = parseStored(scope.type, getEntry(scope).text);
    const phase = (pod.status as JsonObject | undefined)?.phase;
    const isDone = phase === "Succeeded" || phase === "Failed" || pod.metadata.deletionTimestamp !== undefined;
    if (!isDone && phase !== "Pending") return evictByBudget(scope, pod, given);
    try {
      // A Pod that becomes ready in between is protected by its budget.
      await markAndDelete(scope, isDone ? given : unchanged(pod, given));
      return undefined;
    } catch (error) {
      const conflicts = error instanceof StatusError && error.reason === "Conflict";
      if (!conflicts || given.preconditions?.resourceVersion !== undefined || attempt === attempts) throw error;
    }
  }
}

async function evictByBudget(scope: Scope, pod: ApiObject, given: DeleteOptions): Promise<JsonObject | undefined> {
  const type = scope.engine.resource("policy", "poddisruptionbudgets") as ResourceType;
  const [budget, ...others] = budgetsOf(scope, type, pod);
  if (others.length > 0) {
    const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code: 500 };
  }
  if (budget === undefined) {
    await markAndDelete(scope, given);
    return undefined;
  }
  const name = budget.metadata.name as string;
  if (!isUnprotected(pod, budget)) {
    await decrement(scope, type, budget, given.dryRun);
    await markAndDelete(scope, given);
    return undefined;
  }
  try {
    await markAndDelete(scope, unchanged(pod, given));
  } catch (error) {
    const conflicts = error instanceof StatusError && error.reason === "Conflict";
    throw conflicts && given.preconditions?.resourceVersion === undefined ? stillProcessed(name) : error;
  }
  return undefined;
}

function budgetsOf({ engine, info }: Scope, type: ResourceType, pod: ApiObject): DisruptionBudget[] {
  return engine.store
    .collection(type.collection)
    .list(`${info.namespace}/`)
    .map(({ text }) => parseStored(type, text) as DisruptionBudget)
    .filter(({ spec }) => {
      const { selector } = spec as JsonObject;
      if (!isObject(selector)) return false;
      try {
        return matchesLabels(selectorOfObject(selector), pod.metadata.labels);
      } catch {
        // An invalid selector matches no Pod.
        return false;
      }
    });
}

/** True for a Pod that isn't ready, and isn't needed by its budget. */
function isUnprotected(pod: ApiObject, { spec, status }: DisruptionBudget): boolean {
  const conditions = ((pod.status as JsonObject).conditions ?? []) as Condition[];
  if (conditions.some((condition) => condition.type === "Ready" && condition.status === "True")) return false;
  if ((spec as JsonObject).unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function unchanged({ metadata }: ApiObject, given: DeleteOptions): DeleteOptions {
  if (given.preconditions?.resourceVersion !== undefined) return given;
  return { ...given, preconditions: { ...given.preconditions, resourceVersion: metadata.resourceVersion as string } };
}

/** Takes one disruption from a budget. */
async function decrement(scope: Scope, type: ResourceType, budget: DisruptionBudget, dryRun: boolean): Promise<void> {
  const { namespace, name: pod } = scope.info;
  const id = { type, namespace, name: budget.metadata.name as string };
  checkAllowed(budget);
  if (dryRun) return;
  await new SystemClient(scope.engine, serverIdentity).update(
    id,
    (object) => {
      checkAllowed(object as DisruptionBudget);
      const { status } = object as DisruptionBudget;
      status.disruptionsAllowed = (status.disruptionsAllowed as number) - 1;
      if (status.disruptionsAllowed === 0) setDisallowed(status, timestamp(scope.engine.now()));
      status.disruptedPods = { ...status.disruptedPods, [pod]: timestamp(scope.engine.now()) };
    },
    "status",
  );
}

function checkAllowed({ metadata, status: given }: DisruptionBudget): void {
  const status = given ?? {};
  const { observedGeneration = 0, disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = status;
  const name = metadata.name as string;
  const resource = { group: "policy", resource: "poddisruptionbudget" };
  if (observedGeneration < (metadata.generation ?? 0)) throw stillProcessed(name);
  if (disruptionsAllowed < 0) throw forbidden(resource, name, "pdb disruptions allowed is negative");
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods) {
    throw forbidden(resource, name, ["DisruptedPods map too", "big -", unconfirmed].join(" "));
  }
  if (disruptionsAllowed > 0) return;
  const condition = status.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const problem = condition?.status === "False" && condition.message ? condition : undefined;
  const start = `The disruption budget ${name}`;
  if (problem?.reason === "SyncFailed") {
    const detail = `does not allow evicting pods currently because it failed sync: ${problem.message}`;
    throw tooManyRequests(`${start} ${detail}`, 0);
  }
  if (currentHealthy <= desiredHealthy) {
    throw tooManyRequests(`${start} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`, 0);
  }
  const detail = problem === undefined ? "" : ` (${problem.reason}): ${problem.message}`;
  throw tooManyRequests(`${start} does not allow evicting pods currently${detail}`, 0);
}

function setDisallowed(status: DisruptionBudget["status"], now: string): void {
  const others = (status.conditions ?? []).filter(({ type }) => type !== "DisruptionAllowed");
  const old = status.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const lastTransitionTime = old?.status === "False" ? (old.lastTransitionTime ?? now) : now;
  const { observedGeneration = 0 } = status;
  const condition = { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" };
  status.conditions = [...others, { ...condition, lastTransitionTime, observedGeneration }];
}

function stillProcessed(name: string): StatusError {
  return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function tooManyRequests(cause: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, "TooManyRequests", violation, {
    causes: [{ reason: "DisruptionBudget", message: cause }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}

/** Records in the Pod's status that it is evicted, and deletes it. Neither is subject to admission. */
async function markAndDelete(scope: Scope, options: DeleteOptions): Promise<void> {
  const { name } = scope.info;
  const allowed = { mutate: async ({ object }: { object: ApiObject | undefined }) => object, validate: async () => {} };
  const engine = { ...scope.engine, admission: allowed };
  const scopeOf = (verb: string, subresource: string): Scope =>
    new Scope(engine, scope.request, { ...scope.info, verb, subresource }, scope.type, scope.version, scope.user);
  let { preconditions } = options;
  if (!options.dryRun) {
    const { object } = await updateObject(scopeOf("update", "status"), {
      name,
      options: { dryRun: false, fieldManager: "", fieldValidation: "Ignore" },
      forceCreate: false,
      change: async (existing) => {
        const pod = cloneJson(existing as ApiObject);
        checkUnchanged(pod, options);
        return withDisruption(pod, timestamp(engine.now()));
      },
      validateCreate: async () => {},
      validateUpdate: async () => {},
    });
    if (preconditions?.resourceVersion !== undefined) {
      preconditions = { ...preconditions, resourceVersion: object.metadata.resourceVersion as string };
    }
  }
  // The real server checks the options when it deletes, after the budgets.
  deleteOptions({ ...options, dryRun: [] });
  await deleteObject(scopeOf("delete", ""), name, { ...options, ...(preconditions ? { preconditions } : {}) });
}

function checkUnchanged({ metadata }: ApiObject, { preconditions }: DeleteOptions): void {
  const check = (what: string, wanted: string | undefined, actual: string | undefined, end: string): void => {
    if (!wanted || wanted === actual) return;
    const problem = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual})`;
    throw conflict({ group: "", resource: "Pod" }, metadata.name as string, `${problem}. ${end}`);
  };
  check("UID", preconditions?.uid, metadata.uid, "The object might have been deleted and then recreated");
  const { resourceVersion } = preconditions ?? {};
  check("ResourceVersion", resourceVersion, metadata.resourceVersion, "The object might have been modified");
}

function withDisruption(pod: ApiObject, now: string): ApiObject {
  const status = isObject(pod.status) ? pod.status : {};
  const conditions = (status.conditions ?? []) as Condition[];
  const old = conditions.find(({ type }) => type === "DisruptionTarget");
  const next: Condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
    lastTransitionTime: old?.status === "True" ? (old.lastTransitionTime ?? now) : now,
  };
  pod.status = {
    ...status,
    conditions:
      old === undefined ? [...conditions, next] : conditions.map((condition) => (condition === old ? next : condition)),
  };
  return pod;
}
