import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  required,
} from "@kubewright/cel/validation";
import { accessReviews } from "../../../model/access-reviews.ts";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { validateWebhookService, validateWebhookUrl } from "../../../validation/webhook-client.ts";
import { isSet, objectsOf, optionalOneOf, textOf, textsOf } from "../fields/fields.ts";
import { failurePolicies, matchPolicies, reinvocationPolicies } from "./enumerations.ts";
import { matchConditionErrors } from "./match-conditions.ts";
import { ruleErrors } from "./rules.ts";

const reviewVersions = ["v1", "v1beta1"];
const harmless = ["None", "NoneOnDryRun"];
const sideEffects = ["None", "NoneOnDryRun", "Some", "Unknown"];

/** Rules that older configurations may break as long as they don't get worse. */
interface Options {
  noSideEffects: boolean;
  knownReviewVersion: boolean;
  uniqueNames: boolean;
  validConditions: boolean;
}

const strict: Options = { noSideEffects: true, knownReviewVersion: true, uniqueNames: true, validConditions: true };

/**
 * Creates the rules of webhook configurations.
 *
 * @param mutating - true for MutatingWebhookConfigurations, whose webhooks have a reinvocation policy
 * @returns the rules
 */
export function webhookConfiguration(mutating: boolean): Strategy {
  return {
    warningsOnCreate: ruleWarnings,
    warningsOnUpdate: ruleWarnings,
    validate: (object) => configurationErrors(object, mutating, strict),
    validateUpdate: (object, old) =>
      configurationErrors(object, mutating, {
        noSideEffects: webhooksOf(old).every(({ sideEffects: effects }) => harmless.includes(String(effects))),
        knownReviewVersion: webhooksOf(old).every(hasKnownReviewVersion),
        uniqueNames: new Set(webhooksOf(old).map(({ name }) => name)).size === webhooksOf(old).length,
        validConditions: !equalJson(conditionsOf(object), conditionsOf(old)),
      }),
  };
}

/** Warns about rules for resources that webhooks never see. Rules with wildcards usually mean other resources. */
function ruleWarnings(object: ApiObject): string[] {
  return webhooksOf(object).flatMap(({ rules }, webhook) =>
    objectsOf(rules).flatMap((rule, index) => {
      const [groups, resources] = [textsOf(rule.apiGroups), textsOf(rule.resources)];
      if (groups.includes("*") || resources.includes("*")) return [];
      const named = groups.flatMap((group) => resources.map((resource) => [group, resource] as const));
      const ignored = new Map(named.map(([group, resource]) => [`${group}/${resource}`, `${resource}.${group}`]));
      return [...ignored]
        .filter(([key]) => accessReviews.has(key))
        .map(([, name]) => {
          const at = `webhooks[${webhook}].rules[${index}]`;
          return `${at}: ${name} is excluded from admission webhooks; this rule will have no effect`;
        });
    }),
  );
}

function webhooksOf(object: ApiObject): JsonObject[] {
  return objectsOf(object.webhooks);
}

function conditionsOf(object: ApiObject): JsonObject[][] {
  return webhooksOf(object).map(({ matchConditions }) => objectsOf(matchConditions));
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
      errors.push(duplicateValue(`${at}.name`, name));
    }
    names.add(name);
    return errors;
  });
}

function webhookErrors(webhook: JsonObject, mutating: boolean, options: Options, at: string): FieldError[] {
  const allowed = options.noSideEffects ? harmless : sideEffects;
  const detail = `must specify one of ${allowed.join(", ")}`;
  const seconds = webhook.timeoutSeconds;
  const outside = typeof seconds === "number" && (seconds > 30 || seconds < 1);
  const timeout = "the timeout value must be between 1 and 30 seconds";
  const reinvocation = `${at}.reinvocationPolicy`;
  return [
    ...nameErrors(textOf(webhook.name), `${at}.name`),
    ...objectsOf(webhook.rules).flatMap((rule, index) => ruleErrors(rule, `${at}.rules[${index}]`)),
    ...optionalOneOf(webhook.failurePolicy, `${at}.failurePolicy`, failurePolicies),
    ...optionalOneOf(webhook.matchPolicy, `${at}.matchPolicy`, matchPolicies),
    ...(isSet(webhook.sideEffects) ? [] : [required(`${at}.sideEffects`, detail)]),
    ...optionalOneOf(webhook.sideEffects, `${at}.sideEffects`, allowed),
    ...(outside ? [invalidValue(`${at}.timeoutSeconds`, seconds, timeout)] : []),
    ...validateLabelSelector(webhook.namespaceSelector, `${at}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${at}.objectSelector`),
    ...(mutating ? optionalOneOf(webhook.reinvocationPolicy, reinvocation, reinvocationPolicies) : []),
    ...clientErrors(isObject(webhook.clientConfig) ? webhook.clientConfig : {}, `${at}.clientConfig`),
    ...(options.validConditions
      ? matchConditionErrors(webhook.matchConditions, `${at}.matchConditions`, { params: false })
      : []),
  ];
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field, "")];
  const problems = isDNS1123Subdomain(name);
  if (problems.length > 0) return [invalidValue(field, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalidValue(field, name, "should be a domain with at least three segments separated by dots")];
}

function reviewVersionErrors(webhook: JsonObject, options: Options, at: string): FieldError[] {
  const field = `${at}.admissionReviewVersions`;
  const versions = textsOf(webhook.admissionReviewVersions);
  const supported = reviewVersions.join(", ");
  if (versions.length === 0) return [required(field, `must specify one of ${supported}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidValue(`${field}[${index}]`, version, "duplicate version")];
    return isDNS1035Label(version).map((problem) => invalidValue(`${field}[${index}]`, version, problem));
  });
  if (!options.knownReviewVersion || hasKnownReviewVersion(webhook)) return errors;
  return [...errors, invalidValue(field, versions, `must include at least one of ${supported}`)];
}

function clientErrors(config: JsonObject, field: string): FieldError[] {
  const hasUrl = (config.url ?? null) !== null;
  if (hasUrl === isObject(config.service)) return [required(field, "exactly one of url or service is required")];
  return hasUrl
    ? validateWebhookUrl(textOf(config.url), `${field}.url`)
    : validateWebhookService(config.service as JsonObject, `${field}.service`);
}
