import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { flowSchema } from "./flow-schema.ts";

const { create, update } = callsOf(flowSchema);
const subject = { kind: "User", user: { name: "a" } };
const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const rule = { subjects: [subject], resourceRules: [resourceRule] };
const spec: JsonObject = {
  priorityLevelConfiguration: { name: "l" },
  matchingPrecedence: 1000,
  rules: [rule],
};
const cases: [JsonObject, string[]][] = [
  [{}, []],
  [
    { priorityLevelConfiguration: {}, matchingPrecedence: 1, distinguisherMethod: {} },
    [
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      'spec.distinguisherMethod.type: Unsupported value: {"Type":""}: supported values: "ByNamespace", "ByUser"',
      "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
    ],
  ],
  [{ matchingPrecedence: 10_001 }, ["spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"]],
  [
    { rules: [{}] },
    [
      "spec.rules[0].subjects: Required value: subjects must contain at least one value",
      "spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty",
    ],
  ],
  [
    { rules: [{ ...rule, subjects: [{}, { kind: "User", group: { name: "g" } }, { kind: "Group", group: {} }] }] },
    [
      'spec.rules[0].subjects[0].kind: Unsupported value: "": supported values: "Group", "ServiceAccount", "User"',
      "spec.rules[0].subjects[1].user: Required value: user is required when subject kind is 'User'",
      "spec.rules[0].subjects[1].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      "spec.rules[0].subjects[2].group.name: Required value",
    ],
  ],
  [
    { rules: [{ ...rule, subjects: [{ kind: "ServiceAccount", serviceAccount: { name: "*" } }] }] },
    ["spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account"],
  ],
  [
    {
      rules: [
        {
          ...rule,
          resourceRules: [
            { verbs: ["*", "get"], apiGroups: ["*", "a"], resources: [], namespaces: ["A"] },
            { ...resourceRule, verbs: ["x"], namespaces: [] },
          ],
        },
      ],
    },
    [
      `spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
      `spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other api groups`,
      "spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource",
      expect.stringContaining(
        "spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: \"A\": each member of this list must be '*' or a DNS-1123 label; ",
      ),
      'spec.rules[0].resourceRules[1].verbs: Unsupported value: ["x"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      "spec.rules[0].resourceRules[1].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace",
    ],
  ],
  [
    {
      rules: [
        {
          subjects: [subject],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["", "a", "/a b", "/a//b", "/a*", "/a/*"] }],
        },
      ],
    },
    [
      '"": must not be empty',
      '"a": must start with slash',
      '"/a b": must not contain white-space',
      '"/a//b": must not contain double slash',
      '"/a*": wildcard can only do suffix matching',
    ].map((problem, index) => `spec.rules[0].nonResourceRules[0].nonResourceURLs[${index}]: Invalid value: ${problem}`),
  ],
];

test.each(cases)("%j", (changes, expected) => {
  expect(create({ spec: { ...spec, ...changes } }).errors).toEqual(expected);
});

test("the schemas that every cluster has can't change", () => {
  expect(create({ metadata: { name: "catch-all" }, spec }).errors).toEqual([
    expect.stringMatching(
      /^spec: Invalid value: \{"PriorityLevelConfiguration":\{"Name":"l"\},.*\}: spec of 'catch-all' must equal the fixed value$/,
    ),
  ]);
});

test("conditions have types, each only once", () => {
  expect(update({ spec }, { spec, status: { conditions: [{}, { type: "A" }, { type: "A" }] } }, "status")).toEqual([
    "status.conditions[0].type: Required value",
    'status.conditions[2].type: Duplicate value: "A"',
  ]);
});
