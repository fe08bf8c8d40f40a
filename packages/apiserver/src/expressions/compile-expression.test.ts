import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { attributesOf, configMap } from "../admission/admission.fixture.ts";
import type { AccessRequest } from "../model/authorizer.ts";
import { expressionCompiler } from "./compile-expression.ts";
import { Evaluation, type ExpressionEnvironment } from "./expressions.ts";

const environment: ExpressionEnvironment = { params: false, authorizer: true, patchTypes: true, variables: [] };
const asked: AccessRequest[] = [];
const compile = expressionCompiler({
  authorize(request) {
    asked.push(request);
    const allowed = request.verb === "get";
    return { allowed, reason: allowed ? "RBAC" : "" };
  },
});

function run(text: string, changes: Partial<ExpressionEnvironment> = {}, results: readonly string[] = []) {
  asked.length = 0;
  const program = compile(text, { ...environment, ...changes }, results);
  const attributes = attributesOf({ object: configMap("a", { a: "1" }) });
  const request: JsonObject = { name: "a", operation: "CREATE", userInfo: { username: "ann", groups: ["dev"] } };
  const namespaceObject: JsonObject = { metadata: { name: "ns", labels: { team: "a" } } };
  const { object = null } = attributes;
  const input = { object, oldObject: null, request, namespaceObject, params: null, attributes };
  const evaluation = new Evaluation(input, 10_000_000);
  const result = evaluation.run({ text, program });
  if ("error" in result) return result.error;
  return program.toJson(result.value);
}

describe("authorizer", () => {
  test("checks a resource for the user of the request", () => {
    const check = "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('x')";
    expect(run(`${check}.check('get').allowed()`)).toBe(true);
    expect(asked).toMatchObject([
      { group: "apps", resource: "deployments", subresource: "scale", namespace: "n", name: "x", isResource: true },
    ]);
    expect(asked[0]?.user).toEqual(attributesOf({ object: configMap("a") }).user);
    expect(run(`${check}.check('get').reason()`)).toBe("RBAC");
    expect(run(`${check}.check('delete').allowed()`)).toBe(false);
    expect(run(`${check}.check('delete').errored() || ${check}.check('get').error() != ''`)).toBe(false);
  });

  test("checks the resource of the request", () => {
    expect(run("authorizer.requestResource.check('get').allowed()")).toBe(true);
    expect(asked).toMatchObject([{ group: "", resource: "configmaps", subresource: "", namespace: "ns" }]);
  });

  test("checks a path", () => {
    expect(run("authorizer.path('/healthz').check('get').allowed()")).toBe(true);
    expect(asked).toMatchObject([{ isResource: false, path: "/healthz", resource: "" }]);
    expect(run("authorizer.path(' ').check('get').allowed()")).toContain("path must not be empty");
  });

  test("checks for a service account", () => {
    run("authorizer.serviceAccount('ns', 'sa').group('').resource('pods').check('get').allowed()");
    expect(asked[0]?.user).toEqual({
      name: "system:serviceaccount:ns:sa",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns"],
    });
    expect(run("authorizer.serviceAccount('ns', '-').path('/').check('get').allowed()")).toContain(
      "Invalid service account name",
    );
    expect(run("authorizer.serviceAccount('a.b', 'sa').path('/').check('get').allowed()")).toContain(
      "Invalid service account namespace",
    );
  });

  test("rejects an empty resource", () => {
    expect(run("authorizer.group('').resource('').check('get').allowed()")).toContain("resource must not be empty");
  });

  test("is so expensive that an expression can use it twice at most", () => {
    const check = "authorizer.path('/a').check('get').allowed()";
    expect(run(`${check} && ${check}`)).toBe(true);
    expect(run(`${check} && ${check} && ${check}`)).toContain("cost limit exceeded");
  });

  test("isn't declared in an environment without an authorizer", () => {
    expect(run("authorizer.path('/').check('get').allowed()", { authorizer: false })).toContain(
      "undeclared reference to 'authorizer'",
    );
  });
});

describe("types", () => {
  test("of fields of the request are checked", () => {
    expect(run("request.userInfo.groups.exists(g, g == 'dev')")).toBe(true);
    expect(run("request.foo")).toContain("undefined field 'foo'");
    expect(run("request.userInfo.username + 1")).toContain("found no matching overload for '_+_'");
  });

  test("of fields of the namespace are checked", () => {
    expect(run("namespaceObject.metadata.labels['team']")).toBe("a");
    expect(run("namespaceObject.metadata.uid")).toContain("undefined field 'uid'");
  });

  test("of variables are those of their expressions", () => {
    const program = compile("[1, 2]", environment, []);
    const variables = [{ name: "numbers", program }];
    expect(run("variables.numbers + ['a']", { variables })).toContain("found no matching overload");
    expect(run("variables.other", { variables })).toContain("undefined field 'other'");
    expect(run("variables.numbers", { variables: undefined })).toContain("undeclared reference to 'variables'");
  });

  test("of results are named in the error if they are wrong", () => {
    expect(run("1", {}, ["bool"])).toContain("must evaluate to bool but got int");
    expect(run("1", {}, ["string", "null_type"])).toContain("must evaluate to one of [string null_type] but got int");
    expect(run("null", {}, ["string", "null_type"])).toBe(null);
  });
});

describe("patches", () => {
  test("are lists of JSONPatch", () => {
    const text = `[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a/b~c"), value: Object.data{x: 1}}]`;
    expect(run(text, {}, ["list(JSONPatch)"])).toEqual([{ op: "add", path: "/data/a~1b~0c", value: { x: 1 } }]);
    expect(run(`[JSONPatch{op: "test", paths: "/"}]`)).toContain(
      "expected type of field 'paths' is '' but provided type",
    );
    expect(run(`[JSONPatch{op: 1}]`)).toContain("expected type of field 'op' is 'string'");
  });

  test("are apply configurations of any fields", () => {
    const text = `Object{metadata: Object.metadata{labels: {"a": "b"}}, spec: Object.spec{list: [Object.spec.list{n: 1}]}}`;
    expect(run(text, {}, ["Object"])).toEqual({ metadata: { labels: { a: "b" } }, spec: { list: [{ n: 1 }] } });
  });

  test("have object types that are named after the path of the field", () => {
    const message =
      'type mismatch: unexpected type name "Object.spec.wrong", expected "Object.spec.selector", which matches field name path from root Object type';
    const text = "Object{spec: Object.spec{selector: Object.spec.wrong{}}}";
    expect(() => run(text)).toThrow(message);
  });

  test("have types that other expressions don't have", () => {
    expect(run("Object{}", { patchTypes: false })).toContain("undeclared reference to 'Object'");
    expect(run("jsonpatch.escapeKey('a')", { patchTypes: false })).toContain("undeclared reference to");
  });
});
