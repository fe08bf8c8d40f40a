import type { JsonObject } from "@kubewright/cel/json";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import { expect, test } from "vitest";
import type { ApiObject, StrategyContext } from "../../../model/resource.ts";
import { webhookConfiguration } from "./webhook-configuration.ts";

const context = {} as StrategyContext;
const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] };
const valid: JsonObject = {
  name: "x.example.com",
  clientConfig: { url: "https://x.example.com" },
  rules: [rule],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const configuration = (...webhooks: JsonObject[]): ApiObject => ({ metadata: { name: "a" }, webhooks });

function errors(changes: JsonObject, mutating = false): string[] {
  const problems = webhookConfiguration(mutating).validate?.(configuration({ ...valid, ...changes }), context) ?? [];
  return problems.map(fieldErrorMessage);
}

test("a complete webhook is valid", () => {
  expect(errors({})).toEqual([]);
});

test.each([{}, { sideEffects: null, admissionReviewVersions: null }])("%j lacks its parts", (webhook) => {
  const problems = webhookConfiguration(false).validate?.(configuration(webhook), context) ?? [];
  expect(problems.map(fieldErrorMessage)).toEqual([
    "webhooks[0].name: Required value",
    "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
    "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
  ]);
});

test("rules for reviews of access have no effect", () => {
  const { warningsOnCreate, warningsOnUpdate } = webhookConfiguration(true);
  const reviews = {
    ...rule,
    apiGroups: ["authentication.k8s.io", "authorization.k8s.io"],
    resources: ["tokenreviews"],
  };
  const rules = [rule, { ...reviews, apiGroups: ["*"] }, { ...reviews, resources: ["*"] }, reviews];
  const object = configuration({ ...valid, rules });
  const warning =
    "webhooks[0].rules[3]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect";
  expect(warningsOnCreate?.(object)).toEqual([warning]);
  expect(warningsOnUpdate?.(object, object, context)).toEqual([warning]);
});

const operations = '"*", "CONNECT", "CREATE", "DELETE", "UPDATE"';
const invalid: [JsonObject, string][] = [
  [
    { name: "short" },
    '.name: Invalid value: "short": should be a domain with at least three segments separated by dots',
  ],
  [
    { clientConfig: { url: "http://x.example.com" } },
    `.clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
  ],
  [
    { clientConfig: { url: "https://u:p@x.example.com" } },
    '.clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
  ],
  [
    { clientConfig: { url: "https:///x" } },
    '.clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
  ],
  [
    { clientConfig: { url: "https://x/?a=b" } },
    '.clientConfig.url: Invalid value: "a=b": query parameters are not permitted in the URL',
  ],
  [
    { clientConfig: { service: { namespace: "n", name: "s", path: "/a//b" } } },
    '.clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
  ],
  [{ sideEffects: "Some" }, '.sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  [
    { admissionReviewVersions: ["v9"] },
    '.admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
  ],
  [{ failurePolicy: "X" }, '.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"'],
  [{ matchPolicy: "X" }, '.matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"'],
  [{ timeoutSeconds: 31 }, ".timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"],
  [
    { rules: [{ ...rule, operations: ["X"] }] },
    `.rules[0].operations[0]: Unsupported value: "X": supported values: ${operations}`,
  ],
  [
    { rules: [{ ...rule, operations: ["CREATE", "*"] }] },
    `.rules[0].operations: Invalid value: ["CREATE","*"]: if '*' is present, must not specify other operations`,
  ],
  [
    { rules: [{ ...rule, resources: ["a/b", "*/*", "*"] }] },
    `.rules[0].resources: Invalid value: ["a/b","*/*","*"]: if '*/*' is present, must not specify other resources`,
  ],
  [
    { rules: [{ ...rule, resources: ["a/*", "a/b"] }] },
    `.rules[0].resources[1]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b`,
  ],
  [{ rules: [{ ...rule, apiVersions: [] }] }, ".rules[0].apiVersions: Required value"],
  [
    { rules: [{ ...rule, scope: "X" }] },
    '.rules[0].scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced"',
  ],
  [
    { clientConfig: { url: ":x" } },
    '.clientConfig.url: Required value: url must be a valid URL: parse ":x": missing protocol scheme; desired format: https://host[/path]',
  ],
  [
    { namespaceSelector: { matchExpressions: [{ key: "a", operator: "X" }] } },
    '.namespaceSelector.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
  ],
  [
    { objectSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
    ".objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [
    { matchConditions: [{ name: "a", expression: "1" }] },
    '.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
  ],
  [{ matchConditions: [{ name: "", expression: "true" }] }, ".matchConditions[0].name: Required value"],
];

test.each(invalid)("%j isn't valid", (changes, message) => {
  expect(errors(changes)).toEqual([`webhooks[0]${message}`]);
});

test("mutating webhooks have a reinvocation policy", () => {
  expect(errors({ reinvocationPolicy: "X" }, true)).toEqual([
    'webhooks[0].reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never"',
  ]);
});

test("names are unique, unless they weren't before", () => {
  const twice = configuration(valid, valid);
  const strategy = webhookConfiguration(false);
  expect(strategy.validate?.(twice, context).map(fieldErrorMessage)).toEqual([
    'webhooks[1].name: Duplicate value: "x.example.com"',
  ]);
  expect(strategy.validateUpdate?.(twice, twice, context)).toEqual([]);
  expect(strategy.validateUpdate?.(twice, configuration(valid), context)).toHaveLength(1);
});

test("match conditions are checked unless an update keeps them", () => {
  const strategy = webhookConfiguration(false);
  const before = configuration({ ...valid, matchConditions: [{ name: "a", expression: "x" }] });
  const after = configuration({ ...valid, matchConditions: [{ name: "b", expression: "x" }] });
  expect(strategy.validateUpdate?.(before, before, context)).toEqual([]);
  expect(strategy.validateUpdate?.(after, before, context)).toHaveLength(1);
});
