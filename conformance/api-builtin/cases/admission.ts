import { each, type KindCases } from "../case.ts";

const group = "admissionregistration.k8s.io/v1";
const rule = { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] };
const match = { resourceRules: [rule] };

function policy(kind: string, plural: string, spec: object): Pick<KindCases, "path" | "object"> {
  return {
    path: `/apis/${group}/${plural}`,
    object: { apiVersion: group, kind, metadata: { name: kind.toLowerCase() }, spec } as never,
  };
}

const policies = {
  ...each("spec/failurePolicy", "Other", "Ignore"),
  ...each(
    "spec/paramKind",
    {},
    { apiVersion: "v1", kind: "ConfigMap" },
    { apiVersion: "a/b/c", kind: "a b" },
    { apiVersion: "example.com/V1", kind: "X" },
  ),
  ...each(
    "spec/matchConstraints",
    undefined,
    {},
    { resourceRules: [{}] },
    { resourceRules: [{ ...rule, operations: ["Other"] }] },
    { resourceRules: [{ ...rule, operations: ["*", "CREATE"] }] },
    { resourceRules: [{ ...rule, resources: ["a/*", "a/b"] }] },
    { resourceRules: [{ ...rule, scope: "Other" }] },
    { resourceRules: [{ ...rule, resourceNames: ["a", "a", "a b/c"] }] },
    { ...match, matchPolicy: "Other" },
    { ...match, namespaceSelector: { matchLabels: { "a b": "c" } } },
    { ...match, objectSelector: { matchExpressions: [{ key: "a", operator: "Other" }] } },
    { ...match, excludeResourceRules: [{ apiGroups: ["*", "a"] }] },
  ),
  ...each(
    "spec/matchConditions",
    [{}],
    [{ name: "a", expression: "x" }],
    [{ name: "a b", expression: "true" }],
    [{ name: "a", expression: "1" }],
    [
      { name: "a", expression: "true" },
      { name: "a", expression: "true" },
    ],
    [{ name: "a", expression: "object.spec.x == 1" }],
    [{ name: "a", expression: "variables.x" }],
    [{ name: "a", expression: "params.x == 1" }],
  ),
  ...each(
    "spec/variables",
    [{}],
    [{ name: "a b", expression: "1" }],
    [{ name: "a", expression: "x" }],
    [
      { name: "a", expression: "1" },
      { name: "a", expression: "2" },
    ],
    [
      { name: "a", expression: "variables.b" },
      { name: "b", expression: "2" },
    ],
    [
      { name: "a", expression: "2" },
      { name: "b", expression: "variables.a + 1" },
    ],
  ),
};

const bindings = {
  ...each("spec/policyName", undefined, "A b"),
  ...each(
    "spec/paramRef",
    {},
    { name: "a" },
    { name: "a", selector: {}, parameterNotFoundAction: "Allow" },
    { name: "a", parameterNotFoundAction: "Other" },
    { parameterNotFoundAction: "Deny" },
    {
      name: "A b",
      parameterNotFoundAction: "Deny",
    },
  ),
  ...each(
    "spec/matchResources",
    {},
    match,
    { resourceRules: [{}] },
    { namespaceSelector: { matchLabels: { "a b": "c" } } },
  ),
};

const webhook = {
  name: "a.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { service: { namespace: "default", name: "none" } },
  rules: [rule],
};

function webhooks(kind: string, plural: string): KindCases {
  return {
    path: `/apis/${group}/${plural}`,
    object: { apiVersion: group, kind, metadata: { name: "hooks" }, webhooks: [webhook] },
    creations: {
      ...each("webhooks", [], [{}], [webhook, webhook]),
      ...each("webhooks/0/name", "a", "A b.c.d", undefined),
      ...each("webhooks/0/sideEffects", undefined, "Some", "Other"),
      ...each("webhooks/0/admissionReviewVersions", undefined, ["v2"], ["v1", "v1"], ["A b"]),
      ...each("webhooks/0/failurePolicy", "Other"),
      ...each("webhooks/0/matchPolicy", "Other"),
      ...each("webhooks/0/timeoutSeconds", 0, 31),
      ...each("webhooks/0/namespaceSelector", { matchLabels: { "a b": "c" } }),
      ...each("webhooks/0/objectSelector", { matchExpressions: [{ key: "a", operator: "In" }] }),
      ...each(
        "webhooks/0/clientConfig",
        {},
        { url: "http://a" },
        { url: "https://a/b?c#d" },
        { url: "https://a:b@c" },
        { url: ":x" },
        { url: "https://a b" },
        { url: "https://" },
        { service: {} },
        { service: { namespace: "a", name: "b", port: 0, path: "x" } },
        { service: { namespace: "a", name: "b", path: "/A b" } },
        { service: { namespace: "a", name: "b" }, url: "https://a" },
        { service: { namespace: "a", name: "b" }, caBundle: "eA==" },
      ),
      ...each(
        "webhooks/0/rules",
        [{}],
        [{ ...rule, resources: ["*/*", "a"] }],
        [{ ...rule, apiGroups: ["*", "a"] }],
        [{ ...rule, scope: "x" }],
      ),
      ...each(
        "webhooks/0/matchConditions",
        [{}],
        [{ name: "a", expression: "x" }],
        [{ name: "a", expression: "1" }],
        [{ name: "a b", expression: "true" }],
        [{ name: "a", expression: "object.a == 1 &&" }],
        [
          { name: "a", expression: "true" },
          { name: "a", expression: "true" },
        ],
        [{ name: "a", expression: "authorizer.group('').resource('pods').check('get').allowed()" }],
      ),
      ...(kind.startsWith("Mutating") ? each("webhooks/0/reinvocationPolicy", "Other", "IfNeeded") : {}),
    },
    updates: {
      ...each("webhooks/0/sideEffects", "Some"),
      ...each("webhooks/0/matchConditions", [{ name: "a", expression: "x" }]),
    },
  };
}

/** The cases of admission webhooks and policies. */
export const admissionKinds: KindCases[] = [
  webhooks("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
  webhooks("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
  {
    ...policy("ValidatingAdmissionPolicy", "validatingadmissionpolicies", {
      matchConstraints: match,
      validations: [{ expression: "object.spec.x == 1" }],
    }),
    creations: {
      ...policies,
      ...each(
        "spec/validations",
        [],
        [{}],
        [{ expression: "x" }],
        [{ expression: " " }],
        [{ expression: "1" }],
        [{ expression: "true", message: "a\nb" }],
        [{ expression: "true", message: " " }],
        [{ expression: "a\nb" }],
        [{ expression: "true\n" }],
        [{ expression: "true", messageExpression: "1" }],
        [{ expression: "true", messageExpression: "x" }],
        [{ expression: "true", reason: "Other" }],
        [{ expression: "true", reason: "Forbidden" }],
        [{ expression: "params.x == 1" }],
        [{ expression: "variables.x == 1" }],
        [{ expression: "object.spec.list.all(x, x == 1)" }],
      ),
      ...each(
        "spec/auditAnnotations",
        [{}],
        [{ key: "a", valueExpression: "1" }],
        [{ key: "a b", valueExpression: "'x'" }],
        [
          { key: "a", valueExpression: "'x'" },
          { key: "a", valueExpression: "'x'" },
        ],
        [{ key: "a", valueExpression: "x" }],
        [{ key: "a", valueExpression: "null" }],
      ),
      "only annotations": {
        "spec/validations": undefined,
        "spec/auditAnnotations": [{ key: "a", valueExpression: "'x'" }],
      },
    },
    updates: {
      ...each("spec/validations", [], [{ expression: "x" }], [{ expression: "true" }]),
      ...each("spec/failurePolicy", "Ignore"),
    },
    statuses: each(
      "status",
      { observedGeneration: 1 },
      { conditions: [{ type: "A", status: "True" }] },
      { typeChecking: { expressionWarnings: [{ fieldRef: "", warning: "" }] } },
    ),
  },
  {
    ...policy("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", {
      policyName: "none",
      validationActions: ["Deny"],
    }),
    creations: {
      ...bindings,
      ...each(
        "spec/validationActions",
        undefined,
        [],
        ["Other"],
        ["Deny", "Deny"],
        ["Deny", "Warn"],
        ["Audit", "Warn"],
      ),
    },
    updates: { ...each("spec/validationActions", ["Audit"], []), ...each("spec/policyName", "b") },
  },
  {
    ...policy("MutatingAdmissionPolicy", "mutatingadmissionpolicies", {
      matchConstraints: match,
      reinvocationPolicy: "Never",
      mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
    }),
    creations: {
      ...policies,
      ...each("spec/reinvocationPolicy", undefined, "Other"),
      ...each(
        "spec/mutations",
        [],
        [{}],
        [{ patchType: "Other" }],
        [{ patchType: "ApplyConfiguration" }],
        [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "" } }],
        [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "1" } }],
        [{ patchType: "JSONPatch", jsonPatch: { expression: "[]" } }],
        [{ patchType: "JSONPatch", jsonPatch: { expression: "x" }, applyConfiguration: { expression: "Object{}" } }],
      ),
    },
  },
  {
    ...policy("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", { policyName: "none" }),
    creations: bindings,
  },
];
