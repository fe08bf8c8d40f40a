import { isObject, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  fieldErrorMessage,
  invalidValue,
  isDNS1123Subdomain,
  required,
} from "@kubewright/cel/validation";
import { timestamp } from "../model/metadata.ts";
import type { Answer } from "../model/request.ts";
import type { ApiObject, ResourceType, ServedVersion } from "../model/resource.ts";
import { badRequest, conflict } from "../model/status.ts";
import { checkPreconditions, storageForm, store } from "../registry/commit.ts";
import { ensureNamespace } from "../registry/metadata.ts";
import { getEntry } from "../registry/read.ts";
import { acceptedOf, documentAnswer } from "../registry/respond.ts";
import { objectKey, parseStored, Scope, type VirtualCreate } from "../registry/scope.ts";
import { decodeBody, readBody } from "../request/body.ts";
import { writeOptions } from "../request/options.ts";
import { admitPosted } from "./connect.ts";

interface Condition extends JsonObject {
  type: string;
  status: string;
}

/** Answers requests to `pods/binding`: assigns a Pod to a node. */
export async function binding(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  const body = readBody(scope.request, scope.version.encodings);
  const options = writeOptions(scope.info.query, "CreateOptions");
  const decoded = decodeBody(scope.expected(), body, options.fieldValidation, (message) => scope.warn(message));
  ensureNamespace(decoded, scope.type, scope.info.namespace);
  const attributes = await admitPosted(scope, decoded, options);
  const { object: admitted } = attributes;
  const { name } = scope.info;
  if (admitted.metadata.name !== name) throw badRequest("name in URL does not match name in Binding object");
  const validate = () => scope.engine.admission.validate(attributes);
  return documentAnswer(201, await bind(scope, admitted, options.dryRun, validate), accepted);
}

/** Assigns the Pod that a Binding names: requests to `bindings` of a namespace. */
export const namespaceBinding: VirtualCreate = async (scope, object, validate) => {
  const { engine, request, info, user } = scope;
  const type = engine.resource("", "pods") as ResourceType;
  const version = type.versions.get("v1") as ServedVersion;
  const pod = new Scope(engine, request, { ...info, name: object.metadata.name ?? "" }, type, version, user);
  const { dryRun } = writeOptions(info.query, "CreateOptions");
  return (await bind(pod, object, dryRun, () => validate(object))) as unknown as ApiObject;
};

async function bind(
  scope: Scope,
  object: ApiObject,
  dryRun: boolean,
  validate: () => Promise<void>,
): Promise<JsonObject> {
  const target = isObject(object.target) ? object.target : {};
  const problems = targetProblems(target);
  if (problems.length > 0) {
    const messages = problems.map(fieldErrorMessage);
    throw new Error(messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`);
  }
  await validate();
  assign(scope, object, String(target.name), dryRun);
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}

function targetProblems({ kind = "", name = "" }: JsonObject): FieldError[] {
  const problems: FieldError[] = [];
  if (kind !== "" && kind !== "Node") {
    const detail = 'supported values: "Node", "<empty>"';
    problems.push({ type: "FieldValueNotSupported", field: "target.kind", value: kind, detail });
  }
  if (name === "") problems.push(required("target.name", ""));
  else if (kind === "" || kind === "Node") {
    problems.push(...isDNS1123Subdomain(String(name)).map((detail) => invalidValue("target.name", name, detail)));
  }
  return problems;
}

function assign(scope: Scope, { metadata }: ApiObject, node: string, dryRun: boolean): void {
  const pod = parseStored(scope.type, getEntry(scope).text);
  const name = pod.metadata.name as string;
  const { uid, resourceVersion } = metadata;
  checkPreconditions(scope, name, pod, {
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  });
  const spec = pod.spec as JsonObject;
  const gates = Array.isArray(spec.schedulingGates) ? spec.schedulingGates : [];
  const problem =
    pod.metadata.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : spec.nodeName
        ? `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`
        : gates.length > 0
          ? `pod ${name} has non-empty .spec.schedulingGates`
          : undefined;
  if (problem !== undefined) throw conflict({ group: "", resource: "pods/binding" }, name, problem);
  spec.nodeName = node;
  // Labels and annotations of the binding are those of the Pod afterwards.
  for (const key of ["annotations", "labels"] as const) {
    if (metadata[key] !== undefined) pod.metadata[key] = { ...pod.metadata[key], ...metadata[key] };
  }
  const status: JsonObject = isObject(pod.status) ? pod.status : {};
  delete status.nominatedNodeName;
  status.conditions = withScheduled(status.conditions, timestamp(scope.engine.now()));
  pod.status = status;
  store(scope, objectKey(scope.type, scope.info.namespace, name), pod, storageForm(pod), { dryRun });
}

function withScheduled(conditions: JsonObject["conditions"], now: string): Condition[] {
  const all = (Array.isArray(conditions) ? conditions : []) as Condition[];
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
  const condition = all.find(({ type }) => type === "PodScheduled");
  if (condition === undefined) return [...all, scheduled];
  if (condition.status === "True") return all;
  return all.map((one) => (one === condition ? scheduled : one));
}
