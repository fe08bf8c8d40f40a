import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, isQualifiedName, isValidLabelValue } from "@kubewright/cel/validation";
import { type AccessRequest, type Authorizer, alwaysAllow } from "../model/authorizer.ts";
import type { UserInfo } from "../model/request.ts";
import type { ApiObject } from "../model/resource.ts";
import { badRequest, invalid, StatusError } from "../model/status.ts";
import type { Scope, VirtualCreate } from "../registry/scope.ts";
import { parseFieldSelector } from "../request/field-selector.ts";
import { parseLabelSelector } from "../request/label-selector.ts";
import { type RbacAuthorizer, rolesNotFound } from "./rbac.ts";

const group = "authorization.k8s.io";

/**
 * Creates the answers to reviews of access.
 *
 * @param authorizer - decides about access
 * @param rbac - reads the rules of users; undefined without RBAC
 * @returns the functions for `Engine.virtual`
 */
export function accessReviews(authorizer: Authorizer, rbac: RbacAuthorizer | undefined): Map<string, VirtualCreate> {
  return new Map<string, VirtualCreate>([
    [`${group}/subjectaccessreviews`, subjectReview(authorizer, false)],
    [`${group}/localsubjectaccessreviews`, subjectReview(authorizer, true)],
    [`${group}/selfsubjectaccessreviews`, selfReview(authorizer)],
    [`${group}/selfsubjectrulesreviews`, rulesReview(rbac, authorizer === alwaysAllow)],
  ]);
}

function subjectReview(authorizer: Authorizer, local: boolean): VirtualCreate {
  return async (_scope, object, validate) => {
    const spec = objectOf(object.spec);
    const user: UserInfo = {
      name: textOf(spec.user),
      groups: textsOf(spec.groups),
      ...(spec.uid === undefined ? {} : { uid: textOf(spec.uid) }),
      ...(isObject(spec.extra) ? { extra: spec.extra as Record<string, string[]> } : {}),
    };
    const errors = attributesErrors(spec);
    if (user.name === "" && user.groups.length === 0) {
      const detail = "at least one of user or group must be specified";
      errors.push({ type: "FieldValueInvalid", field: "spec.user", value: "", detail });
    }
    errors.push(...selectorErrors(spec), ...metadataErrors(object.metadata, local));
    if (local) errors.push(...localErrors(spec, object.metadata.namespace ?? ""));
    throwInvalid(errors);
    await validate(object);
    return decided(object, spec, user, authorizer);
  };
}

function selfReview(authorizer: Authorizer): VirtualCreate {
  return async (scope, object, validate) => {
    const spec = objectOf(object.spec);
    throwInvalid([...attributesErrors(spec), ...selectorErrors(spec), ...metadataErrors(object.metadata, false)]);
    await validate(object);
    return decided(object, spec, scope.user, authorizer);
  };
}

function decided(object: ApiObject, spec: JsonObject, user: UserInfo, authorizer: Authorizer): ApiObject {
  const { allowed, reason } = authorizer.authorize(accessOf(spec, user));
  const problem = selectorProblem(spec);
  object.status = {
    allowed,
    ...(reason === "" ? {} : { reason }),
    ...(problem === "" ? {} : { evaluationError: problem }),
  };
  return object;
}

function accessOf(spec: JsonObject, user: UserInfo): AccessRequest {
  const resource = spec.resourceAttributes;
  const attributes = objectOf(resource ?? spec.nonResourceAttributes);
  const text = (key: string): string => textOf(attributes[key]);
  return {
    user,
    verb: text("verb"),
    isResource: isObject(resource),
    path: text("path"),
    group: text("group"),
    version: text("version") || "*",
    resource: text("resource"),
    subresource: text("subresource"),
    namespace: text("namespace"),
    name: text("name"),
  };
}

function rulesReview(rbac: RbacAuthorizer | undefined, isAllAllowed: boolean): VirtualCreate {
  return async (scope: Scope, object, validate) => {
    const namespace = textOf(objectOf(object.spec).namespace);
    if (namespace === "") throw badRequest("no namespace on request");
    await validate(object);
    const { rules: ofRoles, missing } = rbac?.rulesFor(scope.user, namespace) ?? { rules: [], missing: [] };
    const rules = isAllAllowed ? [...ofRoles, ...everything] : ofRoles;
    const list = (key: string, values: readonly string[]): JsonObject =>
      values.length === 0 ? {} : { [key]: [...values] };
    const problem = rolesNotFound(missing);
    return {
      kind: "SelfSubjectRulesReview",
      apiVersion: `${group}/v1`,
      metadata: {},
      spec: {},
      status: {
        resourceRules: rules
          .filter((rule) => rule.resources.length > 0)
          .map((rule) => ({
            verbs: [...rule.verbs],
            ...list("apiGroups", rule.apiGroups),
            ...list("resources", rule.resources),
            ...list("resourceNames", rule.resourceNames),
          })),
        nonResourceRules: rules
          .filter((rule) => rule.nonResourceURLs.length > 0)
          .map((rule) => ({ verbs: [...rule.verbs], ...list("nonResourceURLs", rule.nonResourceURLs) })),
        incomplete: false,
        ...(problem === "" ? {} : { evaluationError: problem }),
      },
    };
  };
}

const everything = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Throws the error for an invalid review, which names no kind: the kind is empty when the real server creates it. */
function throwInvalid(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const error = invalid({ group, kind: "" }, "", errors);
  const { kind: _kind, ...details } = error.details ?? {};
  throw new StatusError(error.code, error.reason, error.message, details);
}

/** Prints attributes as messages do, which show Go's names of the fields. */
function pathAttributes(value: JsonObject): JsonObject {
  return { Path: textOf(value.path), Verb: textOf(value.verb) };
}

function attributesErrors(spec: JsonObject): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (isObject(resource) !== isObject(path)) return [];
  const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const value = isObject(path) ? pathAttributes(path) : null;
  return [{ type: "FieldValueInvalid", field: "spec", value, detail }];
}

function localErrors(spec: JsonObject, namespace: string): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (isObject(resource) && textOf(resource.namespace) !== namespace) {
    const field = "spec.resourceAttributes.namespace";
    errors.push({
      type: "FieldValueInvalid",
      field,
      value: textOf(resource.namespace),
      detail: "must match metadata.namespace",
    });
  }
  if (isObject(path)) {
    const detail = "disallowed on this kind of request";
    errors.push({
      type: "FieldValueInvalid",
      field: "spec.nonResourceAttributes",
      value: pathAttributes(path),
      detail,
    });
  }
  return errors;
}

const metadataOrder = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];
const entryOrder = ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"];

function metadataErrors(metadata: ApiObject["metadata"], local: boolean): FieldError[] {
  const { managedFields, namespace, ...rest } = metadata;
  const others = local ? rest : { namespace, ...rest };
  const isEmpty = Object.values(others).every(
    (value) => value === undefined || value === "" || isEmptyContainer(value),
  );
  if (isEmpty) return [];
  const entries = managedFields?.map((entry) => ordered(entry, entryOrder));
  const value = ordered({ ...metadata, ...(entries === undefined ? {} : { managedFields: entries }) }, metadataOrder);
  return [
    {
      type: "FieldValueInvalid",
      field: "metadata",
      value,
      detail: local ? "must be empty except for namespace" : "must be empty",
    },
  ];
}

function isEmptyContainer(value: Json): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Brings keys into the order in which messages of the real server show them. */
function ordered(object: JsonObject, order: readonly string[]): JsonObject {
  const present = order.filter((key) => object[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, object[key]]));
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const resource = objectOf(spec.resourceAttributes);
  return [
    ...oneSelectorErrors(resource.fieldSelector, "spec.resourceAttributes.fieldSelector", fieldRequirementErrors),
    ...oneSelectorErrors(resource.labelSelector, "spec.resourceAttributes.labelSelector", labelRequirementErrors),
  ];
}

type RequirementCheck = (requirement: JsonObject, field: string) => FieldError[];

function oneSelectorErrors(selector: Json | undefined, field: string, check: RequirementCheck): FieldError[] {
  if (!isObject(selector)) return [];
  const raw = textOf(selector.rawSelector);
  const requirements = Array.isArray(selector.requirements) ? selector.requirements.filter(isObject) : [];
  const errors: FieldError[] = [];
  if (raw !== "" && requirements.length > 0) {
    const detail = "may not specified at the same time as requirements";
    errors.push({ type: "FieldValueInvalid", field: `${field}.rawSelector`, value: raw, detail });
  }
  if (raw === "" && requirements.length === 0) {
    const detail = `when ${field} is specified, requirements or rawSelector is required`;
    errors.push({ type: "FieldValueRequired", field: `${field}.requirements`, detail });
  }
  for (const [index, requirement] of requirements.entries()) {
    errors.push(...check(requirement, `${field}.requirements[${index}]`));
  }
  return errors;
}

function valuesErrors(requirement: JsonObject, field: string): FieldError[] {
  const { operator } = requirement;
  const count = textsOf(requirement.values).length;
  if ((operator === "In" || operator === "NotIn") && count === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return [{ type: "FieldValueRequired", field: `${field}.values`, detail }];
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && count > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [{ type: "FieldValueForbidden", field: `${field}.values`, detail }];
  }
  return [];
}

function fieldRequirementErrors(requirement: JsonObject, field: string): FieldError[] {
  const missing: FieldError = { type: "FieldValueRequired", field: `${field}.key`, detail: "must be specified" };
  return [...(textOf(requirement.key) === "" ? [missing] : []), ...valuesErrors(requirement, field)];
}

function labelRequirementErrors(requirement: JsonObject, field: string): FieldError[] {
  const bad = (at: string, value: string, problems: readonly string[]): FieldError[] =>
    problems.map((detail) => ({ type: "FieldValueInvalid", field: at, value, detail }));
  const key = textOf(requirement.key);
  return [
    ...valuesErrors(requirement, field),
    ...bad(`${field}.key`, key, isQualifiedName(key)),
    ...textsOf(requirement.values).flatMap((value, index) =>
      bad(`${field}.values[${index}]`, value, isValidLabelValue(value)),
    ),
  ];
}

/** Describes selectors that can't be read. They are ignored: without them, the decision is about more objects. */
function selectorProblem(spec: JsonObject): string {
  const resource = objectOf(spec.resourceAttributes);
  const problems: string[] = [];
  const add = (name: string, broken: number, usable: number): void => {
    const partially = usable > 0 ? "partially " : "";
    if (broken > 0) problems.push(`spec.resourceAttributes.${name} ${partially}ignored due to parse error`);
  };
  const count = (
    selector: Json | undefined,
    parse: (text: string) => unknown,
    usable: (one: JsonObject) => boolean,
  ) => {
    if (!isObject(selector)) return [0, 0] as const;
    const requirements = Array.isArray(selector.requirements) ? selector.requirements.filter(isObject) : [];
    if (requirements.length === 0) return [fails(() => parse(textOf(selector.rawSelector))) ? 1 : 0, 0] as const;
    const good = requirements.filter(usable).length;
    return [requirements.length - good, good] as const;
  };
  const operators = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);
  const isField = ({ operator, values }: JsonObject): boolean =>
    (operator === "In" || operator === "NotIn") && textsOf(values).length === 1;
  add("fieldSelector", ...count(resource.fieldSelector, parseFieldSelector, isField));
  add(
    "labelSelector",
    ...count(resource.labelSelector, parseLabelSelector, ({ operator }) => operators.has(textOf(operator))),
  );
  return problems.join("; ");
}

function fails(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
