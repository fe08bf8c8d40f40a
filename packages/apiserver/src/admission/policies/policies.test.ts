import type { Json, JsonObject } from "@kubewright/cel/json";
import { beforeEach, expect, test } from "vitest";
import { compileJavaScript } from "../../expressions/expressions.fixture.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { ApiObject } from "../../model/resource.ts";
import type { StatusError } from "../../model/status.ts";
import type { Store } from "../../storage/store.ts";
import { attributesOf, configMap, configMaps, put, storeWith } from "../admission.fixture.ts";
import { AdmissionChain } from "../chain.ts";
import { Matcher } from "../plugin/match.ts";
import { MutatingPolicies } from "./mutating-policies.ts";
import { ValidatingPolicies } from "./validating-policies.ts";

const group = "admissionregistration.k8s.io";
const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE", "UPDATE"] };
let store: Store;

beforeEach(() => {
  store = storeWith({ name: "ns", labels: { team: "a" } });
});

function chain(): AdmissionChain {
  const version = configMaps.versions.get("v1");
  const parts = {
    store,
    matcher: new Matcher(store, (type) => [type]),
    compile: compileJavaScript,
    resourceOfKind: ({ kind }: { kind: string }) =>
      kind === "ConfigMap" && version ? { type: configMaps, version } : undefined,
  };
  const patches = {
    decode: () => [],
    apply: (document: Json, patch: readonly Json[]) => {
      const copy = JSON.parse(JSON.stringify(document)) as { data: JsonObject };
      for (const { op, path, value } of patch as { op: string; path: string; value: Json }[]) {
        if (op === "test") throw Object.assign(new Error("testing value failed"), { test: true });
        if (op === "fail") throw new Error("no such path");
        copy.data[path.split("/")[2] as string] = value;
      }
      return copy as unknown as Json;
    },
    isFailedTest: (error: unknown) => (error as { test?: boolean }).test === true,
  };
  const mutating = new MutatingPolicies({
    ...parts,
    patches,
    decode: (_target, _subresource, value) => value as ApiObject,
    applyConfiguration: (_target, object, { data }) => {
      if (data === undefined) throw new Error("may not mutate atomic arrays, maps or structs: .x");
      return { ...object, data: { ...(object.data as JsonObject), ...(data as JsonObject) } };
    },
  });
  return new AdmissionChain([mutating, new ValidatingPolicies(parts)], [], () => undefined);
}

function policy(spec: JsonObject, binding: JsonObject = {}, kind = "validating"): void {
  put(store, `${kind}admissionpolicies.${group}`, "p", {
    metadata: { name: "p" },
    spec: { failurePolicy: "Fail", matchConstraints: { resourceRules: [rule] }, ...spec },
  });
  put(store, `${kind}admissionpolicybindings.${group}`, "b", {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...binding },
  });
}

async function validate(attributes: AdmissionAttributes = attributesOf({ object: configMap("a") })) {
  try {
    await chain().validate(attributes);
    return undefined;
  } catch (error) {
    const { code, reason, message, details } = error as StatusError;
    return { code, reason, message, details };
  }
}

const deniedBy = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request";

test("a validation that fails rejects the request", async () => {
  policy({ validations: [{ expression: "false", message: "no bad", reason: "Forbidden" }] });
  expect(await validate()).toEqual({
    code: 403,
    reason: "Forbidden",
    message: `configmaps "a" is forbidden: ${deniedBy}: no bad`,
    details: { name: "a", kind: "configmaps", causes: [{ message: `${deniedBy}: no bad` }] },
  });
});

const messages: [string, JsonObject, string][] = [
  ["the expression", { expression: " false " }, "failed expression: false"],
  ["the message", { expression: "false", message: " m " }, "m"],
  [
    "the result of messageExpression",
    { expression: "false", message: "m", messageExpression: "'n ' + object.data.a" },
    "n b",
  ],
  ["the message if messageExpression fails", { expression: "false", message: "m", messageExpression: "none.x" }, "m"],
  [
    "the message if messageExpression has several lines",
    { expression: "false", message: "m", messageExpression: "'a\\nb'" },
    "m",
  ],
  ["the error", { expression: "none.x" }, "expression 'none.x' resulted in error: none is not defined"],
  ["the problem of the compiler", { expression: "!compile" }, "compilation error: compilation failed: ERROR"],
];

test.each(messages)("a rejection shows %s", async (_name, validation, shown) => {
  policy({ validations: [validation] });
  expect(await validate()).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: `configmaps "a" is forbidden: ${deniedBy}: ${shown}`,
  });
});

test("failurePolicy Ignore ignores errors, but not rejections", async () => {
  policy({ failurePolicy: "Ignore", validations: [{ expression: "none.x" }] });
  expect(await validate()).toBeUndefined();
  policy({ failurePolicy: "Ignore", validations: [{ expression: "false" }] });
  expect(await validate()).toMatchObject({ code: 422 });
});

test("variables are evaluated once, and only if they are used", async () => {
  const variables = [
    { name: "n", expression: "Object.keys(object.data).length" },
    { name: "twice", expression: "variables.n * 2" },
    { name: "broken", expression: "none.x" },
  ];
  policy({
    variables,
    validations: [{ expression: "variables.twice > 2", messageExpression: "'n = ' + variables.n" }],
  });
  expect((await validate())?.message).toMatch(/: n = 1$/);
  policy({ variables, validations: [{ expression: "variables.broken" }] });
  expect((await validate())?.message).toMatch(
    /: expression 'variables\.broken' resulted in error: composited variable "broken" fails to evaluate: none is not defined$/,
  );
});

test("expressions fail if they exceed their cost budget", async () => {
  policy({ validations: [{ expression: "true /*9000000*/" }, { expression: "true /*2000000*/" }] });
  expect((await validate())?.message).toMatch(
    /: validation failed due to running out of cost budget, no further validation rules will be run$/,
  );
});

test("the action Warn adds a warning", async () => {
  policy({ validations: [{ expression: "false", message: "take care" }] }, { validationActions: ["Warn", "Audit"] });
  const attributes = attributesOf({ object: configMap("a") });
  expect(await validate(attributes)).toBeUndefined();
  expect(attributes.warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': take care",
  ]);
});

test("match conditions, exclusions and the binding restrict the requests that a policy checks", async () => {
  const validations = [{ expression: "false" }];
  policy({ validations, matchConditions: [{ name: "m", expression: "object.metadata.name !== 'a'" }] });
  expect(await validate()).toBeUndefined();
  const excludeResourceRules = [{ ...rule, resourceNames: ["a"] }];
  policy({ validations, matchConstraints: { resourceRules: [rule], excludeResourceRules } });
  expect(await validate()).toBeUndefined();
  expect(await validate(attributesOf({ object: configMap("b") }))).toBeDefined();
  policy({ validations }, { matchResources: { namespaceSelector: { matchLabels: { team: "b" } } } });
  expect(await validate()).toBeUndefined();
});

test("failurePolicy applies to errors in match conditions", async () => {
  policy({ validations: [], matchConditions: [{ name: "m", expression: "none.x" }] });
  expect((await validate())?.message).toMatch(/: expression 'none\.x' resulted in error: none is not defined$/);
});

test("a policy without a binding, and a binding without a policy, do nothing", async () => {
  policy({ validations: [{ expression: "false" }] }, { policyName: "other" });
  expect(await validate()).toBeUndefined();
});

test("expressions get the namespace without its managed fields", async () => {
  const owned = { metadata: { name: "ns", labels: { team: "a" }, managedFields: [{}] }, status: { phase: "Active" } };
  put(store, "namespaces", "ns", owned);
  policy({ validations: [{ expression: "false", messageExpression: "JSON.stringify(namespaceObject)" }] });
  expect((await validate())?.message).toMatch(
    /: \{"metadata":\{"name":"ns","labels":\{"team":"a"\}\},"status":\{"phase":"Active"\}\}$/,
  );
});

const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const limit = [{ expression: "false", messageExpression: "'limit ' + params.data.limit" }];

test("parameters are found by name or labels", async () => {
  const param = (name: string, value: string): void =>
    put(store, "configmaps", `ns/${name}`, { metadata: { name, labels: { use: "x" } }, data: { limit: value } });
  param("one", "1");
  param("two", "2");
  policy({ paramKind, validations: limit }, { paramRef: { name: "two" } });
  expect((await validate())?.message).toMatch(/: limit 2$/);
  const selector = { matchLabels: { use: "x" } };
  policy({ paramKind, validations: limit }, { paramRef: { selector }, validationActions: ["Warn"] });
  const attributes = attributesOf({ object: configMap("a") });
  await validate(attributes);
  expect(attributes.warnings.map((text) => text.slice(-7))).toEqual(["limit 1", "limit 2"]);
});

const paramProblems: [string, JsonObject, JsonObject, string][] = [
  [
    "that don't exist",
    {},
    { name: "none", parameterNotFoundAction: "Deny" },
    `${deniedBy}: failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
  ],
  [
    "of an unknown kind",
    { paramKind: { apiVersion: "example.com/v1", kind: "Nothing" } },
    { name: "x" },
    "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Nothing'",
  ],
];

test.each(paramProblems)("parameters %s reject the request", async (_name, spec, paramRef, message) => {
  policy({ paramKind, validations: limit, ...spec }, { paramRef });
  expect((await validate())?.message).toBe(`configmaps "a" is forbidden: ${message}`);
});

test("parameters that don't exist can be allowed", async () => {
  policy({ paramKind, validations: limit }, { paramRef: { name: "none", parameterNotFoundAction: "Allow" } });
  expect(await validate()).toBeUndefined();
});

function mutation(expression: string, patchType = "JSONPatch"): JsonObject {
  return { patchType, [patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration"]: { expression } };
}

async function mutate(): Promise<ApiObject | { code: number; reason: string; message: string; details: unknown }> {
  try {
    return (await chain().mutate(attributesOf({ object: configMap("a") }))) as ApiObject;
  } catch (error) {
    const { code, reason, message, details } = error as StatusError;
    return { code, reason, message, details };
  }
}

test("a mutating policy applies its patches and apply configurations in order", async () => {
  const mutations = [
    mutation("[{ op: 'add', path: '/data/x', value: object.data.a }]"),
    mutation("({ data: { y: object.data.x } })", "ApplyConfiguration"),
  ];
  policy({ mutations }, {}, "mutating");
  expect(await mutate()).toMatchObject({ data: { a: "b", x: "b", y: "b" } });
});

test("a JSON patch whose test operation fails changes nothing", async () => {
  policy({ mutations: [mutation("[{ op: 'test', path: '/data/x', value: 1 }]")] }, {}, "mutating");
  expect(await mutate()).toEqual(configMap("a"));
});

const mutationProblems: [string, JsonObject, string][] = [
  ["expression", mutation("none.x"), "expression 'none.x' resulted in error: none is not defined"],
  ["compilation", mutation("!compile"), "compilation failed: ERROR"],
  ["patch", mutation("[{ op: 'fail' }]"), "JSON Patch: no such path"],
  [
    "configuration",
    mutation("({})", "ApplyConfiguration"),
    "error applying patch: may not mutate atomic arrays, maps or structs: .x",
  ],
];

test.each(mutationProblems)("a failed %s rejects the request", async (_name, one, problem) => {
  policy({ mutations: [one] }, {}, "mutating");
  const message = `policy 'p' with binding 'b' denied request: ${problem}`;
  const details = { name: "a", kind: "configmaps", causes: [{ message }] };
  expect(await mutate()).toEqual({ code: 403, reason: "Invalid", message, details });
  policy({ mutations: [one], failurePolicy: "Ignore" }, {}, "mutating");
  expect(await mutate()).toEqual(configMap("a"));
});

test.each([
  ["IfNeeded", "xx"],
  ["Never", "x"],
])("with reinvocationPolicy %s a counter ends at %s", async (reinvocationPolicy, expected) => {
  const count = mutation("[{ op: 'add', path: '/data/n', value: (object.data.n ?? '') + 'x' }]");
  policy({ mutations: [count], reinvocationPolicy }, {}, "mutating");
  expect(await mutate()).toMatchObject({ data: { n: expected } });
});
