import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, Strategy, StrategyContext } from "../../../model/resource.ts";
import { declared } from "../fields/fields.ts";
import { certificateProblem, requestProblem } from "./certificate-requests.ts";
import { signerNameErrors } from "./signer-names.ts";

const usages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];
const legacySigner = "kubernetes.io/legacy-unknown";
const decisions = ["Approved", "Denied"];
const lasting = [...decisions, "Failed"];

/** The rules of CertificateSigningRequests and of their subresources `approval` and `status`. */
export const certificateSigningRequests: Strategy = {
  prepareForCreate(object, { user }) {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = specOf(object);
    object.spec = {
      ...spec,
      ...(user.name === "" ? {} : { username: user.name }),
      ...(user.uid ? { uid: user.uid } : {}),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: { ...user.extra } }),
    };
    object.status = {};
  },

  prepareForUpdate(object, old, context) {
    if (old.spec === undefined) delete object.spec;
    else object.spec = old.spec;
    const status = statusOf(object);
    const before = statusOf(old);
    switch (context.subresource) {
      case "approval": {
        setTimes(status, before, context);
        const { conditions: _conditions, ...rest } = before;
        object.status = { ...rest, ...(status.conditions === undefined ? {} : { conditions: status.conditions }) };
        break;
      }
      case "status":
        for (const type of decisions) keepConditions(status, before, type);
        setTimes(status, before, context);
        object.status = status;
        break;
      default:
        object.status = before;
    }
  },

  validate: (object) => requestErrors(object, undefined),

  validateUpdate: (object, old, { subresource }) => [
    ...requestErrors(object, old),
    ...conditionChangeErrors(object, old, subresource === "approval"),
    ...certificateChangeErrors(object, old, subresource === "status"),
  ],

  nameProblems: () => [],
  resetFields: {
    "": [["spec"], ["status"]],
    status: [["spec"], ["status", "conditions"]],
    approval: [["spec"], ["status", "certificate"]],
  },
};

function specOf(object: ApiObject): JsonObject {
  return isObject(object.spec) ? object.spec : {};
}

function statusOf(object: ApiObject): JsonObject {
  return isObject(object.status) ? object.status : {};
}

function conditionsOf(object: ApiObject | undefined, type?: string): JsonObject[] {
  const { conditions } = object === undefined ? {} : statusOf(object);
  const all = Array.isArray(conditions) ? conditions.filter(isObject) : [];
  return type === undefined ? all : all.filter((one) => one.type === type);
}

/** Keeps conditions of a type if as many as before are there. */
function keepConditions(status: JsonObject, before: JsonObject, type: string): void {
  const list = (of: JsonObject): JsonObject[] => (Array.isArray(of.conditions) ? of.conditions.filter(isObject) : []);
  const old = list(before).filter((one) => one.type === type);
  if (list(status).filter((one) => one.type === type).length !== old.length || old.length === 0) return;
  status.conditions = list(status).map((one) => (one.type === type ? (old.shift() as JsonObject) : one));
}

function setTimes(status: JsonObject, before: JsonObject, { now }: StrategyContext): void {
  const old = Array.isArray(before.conditions) ? before.conditions.filter(isObject) : [];
  for (const condition of Array.isArray(status.conditions) ? status.conditions.filter(isObject) : []) {
    const same = old.find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && Boolean(lastTransitionTime),
    );
    condition.lastUpdateTime ||= timestamp(now);
    condition.lastTransitionTime ||= same?.lastTransitionTime ?? timestamp(now);
  }
}

function requestErrors(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  const spec = specOf(object);
  const errors: FieldError[] = [];
  const request = typeof spec.request === "string" ? spec.request : null;
  const problem = requestProblem(request ?? "");
  if (problem !== undefined) {
    errors.push({ type: "FieldValueInvalid", field: "spec.request", value: request, detail: problem });
  }
  errors.push(...usageErrors(spec, old), ...signerErrors(spec, old));
  const seconds = spec.expirationSeconds;
  if (typeof seconds === "number" && seconds < 600) {
    const detail = "may not specify a duration less than 600 seconds (10 minutes)";
    errors.push({ type: "FieldValueInvalid", field: "spec.expirationSeconds", value: seconds, detail });
  }
  errors.push(...conditionErrors(object, old), ...certificateErrors(object, old));
  return errors;
}

function usageErrors(spec: JsonObject, old: ApiObject | undefined): FieldError[] {
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const given = texts(spec.usages);
  if (given.length === 0) return [{ type: "FieldValueRequired", field: "spec.usages", detail: "" }];
  const before = old === undefined ? [] : texts(specOf(old).usages);
  const unknown = given.flatMap((usage, index): FieldError[] => {
    if (usages.includes(usage) || before.some((one) => !usages.includes(one))) return [];
    const detail = `supported values: ${usages.map((one) => JSON.stringify(one)).join(", ")}`;
    return [{ type: "FieldValueNotSupported", field: `spec.usages[${index}]`, value: usage, detail }];
  });
  const repeated = given.flatMap((usage, index): FieldError[] => {
    if (given.indexOf(usage) === index || new Set(before).size !== before.length) return [];
    return [{ type: "FieldValueDuplicate", field: `spec.usages[${index}]`, value: usage, detail: "" }];
  });
  return [...unknown, ...repeated];
}

function signerErrors(spec: JsonObject, old: ApiObject | undefined): FieldError[] {
  const field = "spec.signerName";
  const signer = typeof spec.signerName === "string" ? spec.signerName : "";
  if (signer === legacySigner) {
    if (old !== undefined && specOf(old).signerName === legacySigner) return [];
    return [invalidValue(field, signer, "the legacy signerName is not allowed via this API version")];
  }
  return signerNameErrors(signer, field);
}

function conditionErrors(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const conditions = conditionsOf(object);
  const before = conditionsOf(old).map(({ type }) => String(type ?? ""));
  const both = decisions.every((type) => before.includes(type));
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = `status.conditions[${index}]`;
    const type = String(condition.type ?? "");
    const status = String(condition.status ?? "");
    if (type === "" && !before.includes(""))
      errors.push({ type: "FieldValueRequired", field: `${at}.type`, detail: "" });
    const allowed = lasting.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (status === "") errors.push({ type: "FieldValueRequired", field: `${at}.status`, detail: "" });
    else if (!allowed.includes(status)) {
      const detail = `supported values: ${allowed.map((one) => JSON.stringify(one)).join(", ")}`;
      errors.push({ type: "FieldValueNotSupported", field: `${at}.status`, value: status, detail });
    }
    if (seen.has(type) && new Set(before).size === before.length) {
      errors.push({ type: "FieldValueDuplicate", field: `${at}.type`, value: type, detail: "" });
    }
    seen.add(type);
  }
  if (both || !decisions.every((type) => seen.has(type))) return errors;
  const names = decisions.map((type) => `conditions[{"type": "${type}"}]`);
  const detail = `must specify at most one of: ${names.map((name) => `\`${name}\``).join(", ")}`;
  const value = `{${names.join(", ")}}`;
  return [...errors, ...declared([{ type: "FieldValueInvalid", field: "status.conditions", value, detail }])];
}

function certificateOf(object: ApiObject): string {
  const { certificate } = statusOf(object);
  return typeof certificate === "string" ? certificate : "";
}

function certificateErrors(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  const certificate = certificateOf(object);
  if (old !== undefined && certificateOf(old) === certificate) return [];
  if (old !== undefined && certificateProblem(certificateOf(old)) !== undefined) return [];
  const detail = certificateProblem(certificate);
  if (detail === undefined) return [];
  return [{ type: "FieldValueInvalid", field: "status.certificate", value: "<certificate data>", detail }];
}

function conditionChangeErrors(object: ApiObject, old: ApiObject, mayDecide: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (what: string, type: string): void => {
    const detail = `updates may not ${what} a condition of type "${type}"`;
    errors.push({ type: "FieldValueForbidden", field: "status.conditions", detail });
  };
  const count = (of: ApiObject, type: string): number => conditionsOf(of, type).length;
  for (const type of lasting) if (count(object, type) < count(old, type)) refuse("remove", type);
  for (const type of mayDecide ? [] : decisions) {
    if (count(object, type) > count(old, type)) refuse("add", type);
    else if (
      count(object, type) === count(old, type) &&
      !equalJson(conditionsOf(object, type), conditionsOf(old, type))
    ) {
      refuse("modify", type);
    }
  }
  return errors;
}

function certificateChangeErrors(object: ApiObject, old: ApiObject, maySet: boolean): FieldError[] {
  if (certificateOf(object) === certificateOf(old)) return [];
  const refuse = (detail: string): FieldError[] => [
    { type: "FieldValueForbidden", field: "status.certificate", detail },
  ];
  if (!maySet) return refuse("updates may not set certificate content");
  return certificateOf(old) === "" ? [] : refuse("updates may not modify existing certificate content");
}
