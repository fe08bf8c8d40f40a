import { isObject, type Json, type JsonObject } from "../../../json/json.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import {
  isDNS1035Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortNumber,
} from "../../../validation/name-rules.ts";
import { notSupported, required, ruleErrors, textsOf, wrong } from "./rules.ts";

const reviewVersions = ["v1", "v1beta1"];
const harmless = ["None", "NoneOnDryRun"];
const sideEffects = ["None", "NoneOnDryRun", "Some", "Unknown"];
const maximumConditions = 64;
const urlForm = "; desired format: https://host[/path]";

/** Rules that older configurations may break as long as they don't get worse. */
interface Options {
  noSideEffects: boolean;
  knownReviewVersion: boolean;
  uniqueNames: boolean;
}

const strict: Options = { noSideEffects: true, knownReviewVersion: true, uniqueNames: true };

/**
 * Creates the rules of webhook configurations.
 *
 * @param mutating - true for MutatingWebhookConfigurations, whose webhooks have a reinvocation policy
 * @returns the rules
 */
export function webhookConfiguration(mutating: boolean): Strategy {
  return {
    validate: (object) => configurationErrors(object, mutating, strict),
    validateUpdate: (object, old) =>
      configurationErrors(object, mutating, {
        noSideEffects: webhooksOf(old).every(({ sideEffects: effects }) => harmless.includes(String(effects))),
        knownReviewVersion: webhooksOf(old).every(hasKnownReviewVersion),
        uniqueNames: new Set(webhooksOf(old).map(({ name }) => name)).size === webhooksOf(old).length,
      }),
  };
}

function webhooksOf(object: ApiObject): JsonObject[] {
  return Array.isArray(object.webhooks) ? object.webhooks.filter(isObject) : [];
}

function hasKnownReviewVersion(webhook: JsonObject): boolean {
  return textsOf(webhook.admissionReviewVersions).some((version) => reviewVersions.includes(version));
}

function configurationErrors(object: ApiObject, mutating: boolean, options: Options): FieldError[] {
  const names = new Set<string>();
  return webhooksOf(object).flatMap((webhook, index) => {
    const at = `webhooks[${index}]`;
    const errors = [...webhookErrors(webhook, mutating, options, at), ...reviewVersionErrors(webhook, options, at)];
    const name = textOf(webhook.name);
    if (options.uniqueNames && name !== "" && names.has(name)) {
      errors.push({ type: "FieldValueDuplicate", field: `${at}.name`, value: name, detail: "" });
    }
    names.add(name);
    return errors;
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function webhookErrors(webhook: JsonObject, mutating: boolean, options: Options, at: string): FieldError[] {
  const rules = Array.isArray(webhook.rules) ? webhook.rules.filter(isObject) : [];
  const oneOf = (key: string, supported: readonly string[]): FieldError[] => {
    const value = webhook[key] ?? undefined;
    return value === undefined || supported.includes(textOf(value))
      ? []
      : [notSupported(`${at}.${key}`, value, supported)];
  };
  const allowed = options.noSideEffects ? harmless : sideEffects;
  const detail = `must specify one of ${allowed.join(", ")}`;
  const missing = (webhook.sideEffects ?? null) === null ? [required(`${at}.sideEffects`, detail)] : [];
  const seconds = webhook.timeoutSeconds;
  const outside = typeof seconds === "number" && (seconds > 30 || seconds < 1);
  return [
    ...nameErrors(textOf(webhook.name), `${at}.name`),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `${at}.rules[${index}]`)),
    ...oneOf("failurePolicy", ["Fail", "Ignore"]),
    ...oneOf("matchPolicy", ["Equivalent", "Exact"]),
    ...missing,
    ...oneOf("sideEffects", allowed),
    ...(outside ? [wrong(`${at}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds")] : []),
    ...clientErrors(isObject(webhook.clientConfig) ? webhook.clientConfig : {}, `${at}.clientConfig`),
    ...(mutating ? oneOf("reinvocationPolicy", ["IfNeeded", "Never"]) : []),
    ...conditionErrors(webhook.matchConditions, `${at}.matchConditions`),
  ];
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const problems = isDNS1123Subdomain(name);
  if (problems.length > 0) return [wrong(field, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [wrong(field, name, "should be a domain with at least three segments separated by dots")];
}

function reviewVersionErrors(webhook: JsonObject, options: Options, at: string): FieldError[] {
  const field = `${at}.admissionReviewVersions`;
  const versions = textsOf(webhook.admissionReviewVersions);
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [required(field, `must specify one of ${known}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [wrong(`${field}[${index}]`, version, "duplicate version")];
    return isDNS1035Label(version).map((problem) => wrong(`${field}[${index}]`, version, problem));
  });
  if (!options.knownReviewVersion || hasKnownReviewVersion(webhook)) return errors;
  return [...errors, wrong(field, versions, `must include at least one of ${known}`)];
}

function clientErrors(config: JsonObject, field: string): FieldError[] {
  const hasUrl = (config.url ?? null) !== null;
  if (hasUrl === isObject(config.service)) return [required(field, "exactly one of url or service is required")];
  return hasUrl
    ? urlErrors(textOf(config.url), `${field}.url`)
    : serviceErrors(config.service as JsonObject, `${field}.service`);
}

function urlErrors(text: string, field: string): FieldError[] {
  const [, scheme = "", rest = ""] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  const [, authority, path = ""] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? [undefined, undefined, rest];
  const mark = authority?.lastIndexOf("@") ?? -1;
  const host = authority?.slice(mark + 1) ?? "";
  const fragment = path.includes("#") ? path.slice(path.indexOf("#") + 1) : "";
  const query = /\?([^#]*)/s.exec(path)?.[1] ?? "";
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    errors.push(wrong(field, scheme, `'https' is the only allowed URL scheme${urlForm}`));
  }
  if (host === "") errors.push(wrong(field, "", `host must be specified${urlForm}`));
  if (mark >= 0)
    errors.push(wrong(field, authority?.slice(0, mark) ?? "", "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(wrong(field, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(wrong(field, query, "query parameters are not permitted in the URL"));
  return errors;
}

function serviceErrors(service: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  // The real server passes name and namespace in the wrong order: it reports one under the field of the other.
  if (textOf(service.namespace) === "") errors.push(required(`${field}.name`));
  if (textOf(service.name) === "") errors.push(required(`${field}.namespace`));
  const { port } = service;
  const problems = typeof port === "number" ? isValidPortNumber(port) : [];
  if (problems.length > 0) errors.push(wrong(`${field}.port`, port, `port is not valid: ${problems.join(", ")}`));
  return [...errors, ...pathErrors(textOf(service.path), `${field}.path`)];
}

function pathErrors(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [wrong(field, path, "segment[0] may not be empty")];
  const start = path.startsWith("/") ? [] : [wrong(field, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  const parts = steps.flatMap((step, index) => {
    if (step === "") return [wrong(field, path, `segment[${index}] may not be empty`)];
    return isDNS1123Subdomain(step).map((problem) => wrong(field, path, `segment[${index}]: ${problem}`));
  });
  return [...start, ...parts];
}

function conditionErrors(value: Json | undefined, field: string): FieldError[] {
  const conditions = Array.isArray(value) ? value.filter(isObject) : [];
  const errors: FieldError[] = [];
  if (conditions.length > maximumConditions) {
    const detail = `must have at most ${maximumConditions} items`;
    errors.push({ type: "FieldValueTooMany", field, value: conditions.length, detail });
  }
  const names = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const name = textOf(condition.name);
    if (textOf(condition.expression).trim() === "") errors.push(required(`${field}[${index}].expression`));
    if (name === "") errors.push(required(`${field}[${index}].name`));
    for (const problem of name === "" ? [] : isQualifiedName(name)) {
      errors.push(wrong(`${field}[${index}].name`, name, problem));
    }
    if (name !== "" && names.has(name)) {
      errors.push({ type: "FieldValueDuplicate", field: `${field}[${index}].name`, value: name, detail: "" });
    }
    names.add(name);
  }
  return errors;
}
