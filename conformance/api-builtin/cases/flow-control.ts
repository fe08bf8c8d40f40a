import type { JsonObject } from "@kubewright/cel/json";
import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const flowcontrol = "flowcontrol.apiserver.k8s.io/v1";

const subject = { kind: "User", user: { name: "a" } };
const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const flowRule = { subjects: [subject], resourceRules: [resourceRule] };
const flowRules = (...rules: JsonObject[]): JsonObject[] => rules;

const limited = (more: JsonObject): JsonObject => ({
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, ...more },
});
const queuing = (values: JsonObject): JsonObject => limited({ limitResponse: { type: "Queue", queuing: values } });

/** The cases of the kinds of flow control. */
export const flowControlKinds: KindCases[] = [
  {
    ...kind(
      flowcontrol,
      "FlowSchema",
      {
        spec: { priorityLevelConfiguration: { name: "global-default" }, rules: [flowRule] },
      },
      false,
    ),
    creations: {
      ...each("spec/priorityLevelConfiguration", undefined, {}, { name: "A b" }),
      ...each("spec/matchingPrecedence", 0, -1, 1, 10_001, 5),
      ...each("spec/distinguisherMethod", {}, { type: "Other" }, { type: "ByUser" }),
      ...each(
        "spec/rules",
        undefined,
        flowRules({}),
        flowRules({ subjects: [subject] }),
        flowRules({ resourceRules: [resourceRule] }),
        flowRules({ ...flowRule, subjects: [{}] }),
        flowRules({ ...flowRule, subjects: [{ kind: "Other" }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "User" }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "User", user: { name: "" }, group: { name: "g" } }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "Group", group: { name: "" } }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "ServiceAccount", serviceAccount: {} }] }),
        flowRules({
          ...flowRule,
          subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "A b", name: "C d" } }],
        }),
        flowRules({
          ...flowRule,
          subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "*", name: "*" }, user: { name: "x" } }],
        }),
        flowRules({ subjects: [subject], resourceRules: [{}] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, verbs: ["*", "get"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, verbs: ["other"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, apiGroups: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, resources: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: [] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: ["A b"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: [], clusterScope: true }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{}] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["*", "/a"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["x"], nonResourceURLs: ["a"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/a*", "/a b"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/a//b", "/a/*"] }] }),
      ),
      "another exempt schema": { "metadata/name": "exempt" },
    },
    changesAtOnce: true,
  },
  {
    ...kind(flowcontrol, "PriorityLevelConfiguration", { spec: limited({}) }, false),
    creations: {
      ...each(
        "spec",
        undefined,
        {},
        { type: "Other" },
        { type: "Exempt" },
        { type: "Limited" },
        { ...limited({}), exempt: {} },
        limited({ nominalConcurrencyShares: 0 }),
        limited({ nominalConcurrencyShares: -1 }),
        limited({ nominalConcurrencyShares: undefined }),
        limited({ lendablePercent: 101 }),
        limited({ lendablePercent: -1 }),
        limited({ borrowingLimitPercent: -1 }),
        limited({ borrowingLimitPercent: 50 }),
        limited({ limitResponse: {} }),
        limited({ limitResponse: { type: "Other" } }),
        limited({ limitResponse: { type: "Queue" } }),
        limited({ limitResponse: { type: "Reject", queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } } }),
        queuing({}),
        queuing({ queues: 0, handSize: 0, queueLengthLimit: 0 }),
        queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
        queuing({ queues: 10, handSize: 20, queueLengthLimit: 1 }),
        queuing({ queues: 100_000_001, handSize: 8, queueLengthLimit: 1 }),
        queuing({ queues: 10_000_000, handSize: 8, queueLengthLimit: 1 }),
      ),
      "another exempt level": { "metadata/name": "exempt" },
    },
    updates: { ...each("spec/limited/nominalConcurrencyShares", 7, -1), ...each("spec/type", "Exempt") },
    statuses: each("status/conditions", [{ type: "X", status: "True" }], [{}]),
  },
];
