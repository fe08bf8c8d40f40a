import type { Json, JsonObject } from "@kubewright/cel/json";
import { humanDuration } from "./duration.ts";
import {
  age,
  conditionOf,
  formatLabels,
  nameOf,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  valueAt,
} from "./fields.ts";

/** Cells of a RoleBinding or a ClusterRoleBinding. */
export function roleBindingCells(binding: JsonObject, now: number): Json[] {
  const subjects = objectsAt(binding, "subjects");
  const names = (kind: string): string =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map((subject) => (kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/` : "") + textAt(subject, "name"))
      .join(", ");
  return [
    nameOf(binding),
    `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`,
    age(binding, now),
    names("User"),
    names("Group"),
    names("ServiceAccount"),
  ];
}

export function certificateSigningRequestCells(request: JsonObject, now: number): Json[] {
  const spec = objectAt(request, "spec");
  const seconds = valueAt(spec, "expirationSeconds");
  return [
    nameOf(request),
    age(request, now),
    textAt(spec, "signerName") || "<none>",
    textAt(spec, "username"),
    typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>",
    certificateCondition(request),
  ];
}

function certificateCondition(request: JsonObject): string {
  const conditions = objectsAt(request, "status", "conditions");
  const has = (type: string): boolean => conditionOf(conditions, type) !== undefined;
  return [
    has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending",
    ...(has("Failed") ? ["Failed"] : []),
    ...(textAt(request, "status", "certificate") === "" ? [] : ["Issued"]),
  ].join(",");
}

/** Cells of a CustomResourceDefinition. */
export function definitionCells(definition: JsonObject): Json[] {
  const spec = objectAt(definition, "spec");
  const names = objectAt(spec, "names");
  const versions = objectsAt(spec, "versions")
    .filter(({ served }) => served === true)
    .map((version) => `${textAt(version, "name")}${version.storage === true ? "(storage)" : ""}`);
  const established = conditionOf(objectsAt(definition, "status", "conditions"), "Established");
  return [
    nameOf(definition),
    textAt(spec, "scope"),
    versions.sort().join(","),
    textAt(definition, "metadata", "creationTimestamp"),
    textAt(spec, "group"),
    textAt(names, "kind"),
    textsAt(names, "shortNames").join(","),
    textAt(established, "status") === "True",
  ];
}

export function clusterTrustBundleCells(bundle: JsonObject): Json[] {
  return [nameOf(bundle), textAt(bundle, "spec", "signerName") || "<none>"];
}

export function podCertificateRequestCells(request: JsonObject): Json[] {
  const spec = objectAt(request, "spec");
  const outcomes = objectsAt(request, "status", "conditions")
    .map((condition) => textAt(condition, "type"))
    .filter((type) => ["Issued", "Denied", "Failed"].includes(type));
  return [
    nameOf(request),
    ...["podName", "serviceAccountName", "nodeName", "signerName"].map((key) => textAt(spec, key)),
    outcomes.at(-1) ?? "Pending",
    formatLabels(objectAt(spec, "unverifiedUserAnnotations")),
  ];
}

/** Cells of a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export function webhookConfigurationCells(configuration: JsonObject, now: number): Json[] {
  return [nameOf(configuration), objectsAt(configuration, "webhooks").length, age(configuration, now)];
}

/** Cells of an admission policy: its expressions are in `validations` or `mutations`. */
export function admissionPolicyCells(policy: JsonObject, now: number): Json[] {
  const parameter = objectAt(policy, "spec", "paramKind");
  return [
    nameOf(policy),
    objectsAt(policy, "spec", "validations").length + objectsAt(policy, "spec", "mutations").length,
    parameter === undefined ? "<unset>" : `${textAt(parameter, "apiVersion")}/${textAt(parameter, "kind")}`,
    age(policy, now),
  ];
}

export function admissionPolicyBindingCells(binding: JsonObject, now: number): Json[] {
  return [nameOf(binding), textAt(binding, "spec", "policyName"), parameterCell(binding), age(binding, now)];
}

function parameterCell(binding: JsonObject): string {
  const reference = objectAt(binding, "spec", "paramRef");
  const name = textAt(reference, "name");
  // Bindings without a namespace may refer to objects of any.
  if (name !== "") return `${textAt(reference, "namespace") || "*"}/${name}`;
  const selector = objectAt(reference, "selector");
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** Writes a selector as the generated String methods of Go do. */
function goSelector(selector: JsonObject): string {
  const labels = objectAt(selector, "matchLabels") ?? {};
  const pairs = Object.keys(labels)
    .sort()
    .map((key) => `${key}: ${textAt(labels, key)},`);
  const expressions = objectsAt(selector, "matchExpressions").map((one) => {
    const values = Array.isArray(one.values) ? one.values.join(" ") : "";
    return `LabelSelectorRequirement{Key:${textAt(one, "key")},Operator:${textAt(one, "operator")},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

export function leaseCells(lease: JsonObject, now: number): Json[] {
  return [nameOf(lease), textAt(lease, "spec", "holderIdentity"), age(lease, now)];
}

export function apiServiceCells(service: JsonObject, now: number): Json[] {
  const target = objectAt(service, "spec", "service");
  const available = conditionOf(objectsAt(service, "status", "conditions"), "Available");
  const status = available === undefined ? "Unknown" : textAt(available, "status");
  const reason = textAt(available, "reason");
  return [
    nameOf(service),
    target === undefined ? "Local" : `${textAt(target, "namespace")}/${textAt(target, "name")}`,
    status !== "True" && reason !== "" ? `${status} (${reason})` : status,
    age(service, now),
  ];
}

export function flowSchemaCells(schema: JsonObject, now: number): Json[] {
  const spec = objectAt(schema, "spec");
  const dangling = conditionOf(objectsAt(schema, "status", "conditions"), "Dangling");
  return [
    nameOf(schema),
    textAt(spec, "priorityLevelConfiguration", "name"),
    numberAt(spec, "matchingPrecedence"),
    objectAt(spec, "distinguisherMethod") === undefined ? "<none>" : textAt(spec, "distinguisherMethod", "type"),
    age(schema, now),
    dangling === undefined ? "?" : textAt(dangling, "status"),
  ];
}

export function priorityLevelCells(level: JsonObject, now: number): Json[] {
  const limited = objectAt(level, "spec", "limited");
  const queuing = objectAt(limited, "limitResponse", "queuing");
  const number = (key: string): Json => (queuing === undefined ? "<none>" : numberAt(queuing, key));
  return [
    nameOf(level),
    textAt(level, "spec", "type"),
    limited === undefined ? "<none>" : numberAt(limited, "nominalConcurrencyShares"),
    number("queues"),
    number("handSize"),
    number("queueLengthLimit"),
    age(level, now),
  ];
}
