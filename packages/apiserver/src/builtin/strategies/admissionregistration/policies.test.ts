import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { mutatingAdmissionPolicy } from "./mutating-admission-policy.ts";
import { mutatingAdmissionPolicyBinding, validatingAdmissionPolicyBinding } from "./policy-binding.ts";
import { validatingAdmissionPolicy } from "./validating-admission-policy.ts";

const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
const selectors = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const matchConstraints = { ...selectors, resourceRules: [rule] };
const common = { failurePolicy: "Fail", matchConstraints };
const validating: JsonObject = { ...common, validations: [{ expression: "true" }] };
const mutation = { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } };
const mutating: JsonObject = { ...common, reinvocationPolicy: "Never", mutations: [mutation] };
const undeclared = (name: string, text: string, column = 1): string =>
  `Invalid value: ${JSON.stringify(text)}: compilation failed: ERROR: <input>:1:${column}: undeclared reference to '${name}' (in container '')\n | ${text}\n | ${".".repeat(column - 1)}^`;

describe("validating policies", () => {
  const errors = (changes: JsonObject): string[] =>
    callsOf(validatingAdmissionPolicy).create({ spec: { ...validating, ...changes } }).errors;
  const cases: [JsonObject, string[]][] = [
    [{}, []],
    [{ failurePolicy: null }, ["spec.failurePolicy: Required value"]],
    [{ failurePolicy: "X" }, ['spec.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"']],
    [{ paramKind: {} }, ["spec.paramKind.apiVersion: Required value", "spec.paramKind.kind: Required value"]],
    [
      { paramKind: { apiVersion: "a/b/c", kind: "X" } },
      ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      { paramKind: { apiVersion: "example.com/", kind: "X" } },
      ['spec.paramKind.apiVersion: Invalid value: "example.com/": version must be specified'],
    ],
    [{ matchConstraints: null }, ["spec.matchConstraints: Required value"]],
    [
      { matchConstraints: {} },
      [
        "spec.matchConstraints.matchPolicy: Required value",
        "spec.matchConstraints.namespaceSelector: Required value",
        "spec.matchConstraints.objectSelector: Required value",
        "spec.matchConstraints.resourceRules: Required value",
      ],
    ],
    [
      { matchConstraints: { ...matchConstraints, resourceRules: [{ ...rule, resourceNames: ["a", "b/c", "a"] }] } },
      [
        `spec.matchConstraints.resourceRules[0].resourceNames[1]: Invalid value: "b/c": may not contain '/'`,
        'spec.matchConstraints.resourceRules[0].resourceNames[2]: Duplicate value: "a"',
      ],
    ],
    [
      { matchConditions: [{ name: "a", expression: "params.x" }] },
      [`spec.matchConditions[0].expression: ${undeclared("params", "params.x")}`],
    ],
    [
      { matchConditions: [{ name: "a", expression: "params.x" }], paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
      ['spec.matchConditions[0].expression: Invalid value: "params.x": must evaluate to bool but got dyn'],
    ],
    [
      { variables: [{ name: "in", expression: " " }] },
      [
        'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
        "spec.variables[0].expression: Required value: expression is not specified",
      ],
    ],
    [
      {
        variables: [{ name: "n", expression: "1" }],
        validations: [{ expression: "variables.n", messageExpression: "variables.n" }],
      },
      [
        'spec.validations[0].expression: Invalid value: "variables.n": must evaluate to bool but got int',
        'spec.validations[0].messageExpression: Invalid value: "variables.n": must evaluate to string but got int',
      ],
    ],
    [
      { validations: [] },
      ["validations", "auditAnnotations"].map(
        (field) => `spec.${field}: Required value: validations or auditAnnotations must contain at least one item`,
      ),
    ],
    [
      { validations: [{ expression: "variables.n" }] },
      [`spec.validations[0].expression: ${undeclared("variables", "variables.n")}`],
    ],
    [
      { validations: [{ expression: "true", messageExpression: "authorizer" }] },
      [`spec.validations[0].messageExpression: ${undeclared("authorizer", "authorizer")}`],
    ],
    [
      { validations: [{ expression: "true", message: "a\nb", messageExpression: " ", reason: "X" }] },
      [
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "X": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      { auditAnnotations: [{ key: "k", valueExpression: " 1" }, { key: "k" }] },
      [
        'spec.auditAnnotations[0].valueExpression: Invalid value: " 1": must evaluate to one of [string null_type] but got int',
        "spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified",
        'spec.auditAnnotations[1].key: Duplicate value: "k"',
      ],
    ],
    [
      { auditAnnotations: [{ key: "k", valueExpression: `'${"x".repeat(5120)}'` }] },
      ["spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length"],
    ],
  ];

  test.each(cases)("%j", (changes, expected) => {
    expect(errors(changes)).toEqual(expected);
  });

  test("an update checks match conditions only if they or the kind of parameters change", () => {
    const { update } = callsOf(validatingAdmissionPolicy);
    const invalid = { ...validating, matchConditions: [{ name: "a", expression: "x" }] };
    expect(update({ spec: invalid }, { spec: { ...invalid, failurePolicy: "Ignore" } })).toEqual([]);
    expect(update({ spec: validating }, { spec: invalid })).toEqual([
      `spec.matchConditions[0].expression: ${undeclared("x", "x")}`,
    ]);
    const withParams = { ...invalid, paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
    expect(update({ spec: invalid }, { spec: withParams })).toHaveLength(1);
  });

  test("the status has complete warnings and conditions", () => {
    const status = {
      typeChecking: { expressionWarnings: [{ fieldRef: "spec.validations[0].expression", warning: "w" }, {}] },
      conditions: [{ type: "A", status: "True", reason: "R", lastTransitionTime: "2026-01-01T00:00:00Z" }, {}],
    };
    expect(callsOf(validatingAdmissionPolicy).update({}, { status }, "status")).toEqual([
      "status.typeChecking.expressionWarnings[1].warning: Required value",
      "status.typeChecking.expressionWarnings[1].fieldRef: Required value",
      "status.conditions[1].type: Required value: is required",
      "status.conditions[1].status: Required value",
      "status.conditions[1].lastTransitionTime: Required value",
      "status.conditions[1].reason: Required value",
    ]);
  });
});

describe("mutating policies", () => {
  const json = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });
  const cases: [JsonObject, string[]][] = [
    [{}, []],
    [{ mutations: [json('[JSONPatch{op: "remove", path: "/a"}]')] }, []],
    [
      { matchConstraints: { ...matchConstraints, resourceRules: [{ ...rule, operations: ["DELETE"] }] } },
      [
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [{ mutations: [] }, ["spec.mutations: Required value: mutations must contain at least one item"]],
    [
      { mutations: [{}, { patchType: "X" }] },
      [
        "spec.mutations[0].patchType: Required value",
        'spec.mutations[1].patchType: Unsupported value: "X": supported values: "ApplyConfiguration", "JSONPatch"',
      ],
    ],
    [
      { mutations: [{ patchType: "JSONPatch", applyConfiguration: {} }] },
      [
        "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
        'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      ],
    ],
    [
      { mutations: [json("[]"), json(" ")] },
      [
        'spec.mutations[0].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
        "spec.mutations[1].jsonPatch.expression: Required value",
      ],
    ],
    [{ reinvocationPolicy: null }, ["spec.reinvocationPolicy: Required value"]],
    [
      { reinvocationPolicy: "X" },
      ['spec.reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never"'],
    ],
  ];

  test.each(cases)("%j", (changes, expected) => {
    const { create } = callsOf(mutatingAdmissionPolicy);
    expect(create({ spec: { ...mutating, ...changes } }).errors).toEqual(expected);
  });
});

describe("bindings", () => {
  const valid: JsonObject = { policyName: "a", validationActions: ["Deny"] };
  const cases: [JsonObject, string[]][] = [
    [{}, []],
    [{ policyName: "" }, ["spec.policyName: Required value"]],
    [
      { paramRef: {} },
      [
        "spec.paramRef: Required value: one of name or selector must be specified",
        "spec.paramRef.parameterNotFoundAction: Required value",
      ],
    ],
    [
      { paramRef: { name: "a/b", selector: {}, parameterNotFoundAction: "X" } },
      [
        `spec.paramRef.name: Invalid value: "a/b": may not contain '/'`,
        "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
        "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "X": supported values: "Deny", "Allow"',
      ],
    ],
    [{ matchResources: selectors }, []],
    [{ validationActions: [] }, ["spec.validationActions: Required value"]],
    [
      { validationActions: ["Deny", "Warn", "Deny", "X"] },
      [
        'spec.validationActions[2]: Duplicate value: "Deny"',
        'spec.validationActions[3]: Unsupported value: "X": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions: Invalid value: ["Deny","Warn","Deny","X"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
  ];

  test.each(cases)("of validating policies: %j", (changes, expected) => {
    const { create, update } = callsOf(validatingAdmissionPolicyBinding);
    expect(create({ spec: { ...valid, ...changes } }).errors).toEqual(expected);
    expect(update({ spec: valid }, { spec: { ...valid, ...changes } })).toEqual(expected);
  });

  test("of mutating policies can't apply to deletions", () => {
    const matchResources = { ...selectors, resourceRules: [{ ...rule, operations: ["DELETE"] }] };
    const { create } = callsOf(mutatingAdmissionPolicyBinding);
    expect(create({ spec: { policyName: "a", matchResources } }).errors).toEqual([
      'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ]);
  });
});
