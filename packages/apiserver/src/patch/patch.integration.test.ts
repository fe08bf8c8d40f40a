import type { JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { describe, expect, it } from "vitest";
import { StatusError } from "../model/status.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { undecodablePatch } from "./result.ts";
import { applyStrategicPatch } from "./strategic-merge.ts";

const object: JsonObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", labels: { x: "y" } },
  data: { a: "1" },
};

function failure(action: () => unknown): { code: number; reason: string; message: string } {
  try {
    action();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, reason: error.reason, message: error.message };
  }
  throw new Error("no error");
}

const rejected = {
  code: 422,
  reason: "Invalid",
  message: "the server rejected our request due to an error in our request",
};
const bad = (message: string) => ({ code: 400, reason: "BadRequest", message });

describe("JSON patches", () => {
  const patch = (body: unknown) =>
    applyJsonPatch(object, typeof body === "string" ? body : JSON.stringify(body), "Warn");

  it("rejects malformed JSON with Go's message", () => {
    expect(failure(() => patch("["))).toEqual(bad("error decoding patch: unexpected end of JSON input"));
    expect(failure(() => patch("[}"))).toEqual(
      bad("error decoding patch: invalid character '}' looking for beginning of value"),
    );
    expect(failure(() => applyJsonPatch(object, "[", "Ignore"))).toEqual(bad("unexpected end of JSON input"));
  });

  it("rejects patches of other types", () => {
    expect(failure(() => patch({}))).toEqual(
      bad("error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"),
    );
    expect(failure(() => patch(["x"]))).toEqual(
      bad("error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp"),
    );
    expect(failure(() => patch([{ op: 5 }]))).toEqual(
      bad("error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"),
    );
  });

  it("doesn't report the reason why an operation failed", () => {
    expect(failure(() => patch([{ op: "test", path: "/data/a", value: "2" }]))).toEqual(rejected);
    expect(failure(() => patch([{ op: "remove", path: "/data/b" }]))).toEqual(rejected);
    expect(failure(() => patch([null]))).toEqual(rejected);
  });

  it("limits the number of operations", () => {
    const operations = new Array(10_001).fill({ op: "test", path: "/data/a", value: "1" });
    expect(failure(() => patch(operations))).toEqual({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    });
  });

  it("limits the size of copies", () => {
    const copies = new Array(60).fill(0).map((_, i) => ({ op: "copy", from: "/data", path: `/data/x${i}` }));
    expect(failure(() => patch(copies))).toEqual(rejected);
  });

  it("reports unknown and repeated fields of operations", () => {
    expect(patch('[{"op":"add","op":"add","path":"/data/b","value":"2","foo":1}]').strict).toEqual([
      'json patch unknown field "[0].foo"',
      'json patch duplicate field "[0].op"',
    ]);
  });

  it("treats keys of prototypes as ordinary keys", () => {
    const { value } = patch(
      '[{"op":"add","path":"/data/__proto__","value":"x"},{"op":"test","path":"/data/__proto__","value":"x"}]',
    );
    expect(JSON.stringify((value as JsonObject).data)).toBe('{"a":"1","__proto__":"x"}');
    expect(failure(() => patch([{ op: "remove", path: "/data/constructor" }]))).toEqual(rejected);
  });

  it("accepts values of 10,000 levels", () => {
    const deep = `${"[".repeat(9000)}${"]".repeat(9000)}`;
    const body = `[{"op":"add","path":"/deep","value":${deep}},{"op":"test","path":"/deep","value":${deep}}]`;
    expect(Object.keys(patch(body).value as JsonObject)).toContain("deep");
    expect(failure(() => patch("[".repeat(10_001)))).toEqual(
      bad("error decoding patch: invalid character '[' exceeded max depth"),
    );
  });
});

describe("merge patches", () => {
  const patch = (body: string) => applyMergePatch(object, body, "Warn");

  it.each([
    ["{", "error decoding patch: unexpected end of JSON input"],
    ["", "error decoding patch: unexpected end of JSON input"],
    ["[]", "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["5", "error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}"],
    ["null", "Invalid JSON Patch"],
  ])("rejects %j", (body, message) => {
    expect(failure(() => patch(body))).toEqual(bad(message));
  });

  it("reports repeated fields with their paths", () => {
    expect(patch('{"data":{"b":"1","b":"2"},"list":[{"x":1,"x":2}]}').strict).toEqual([
      'duplicate field "data.b"',
      'duplicate field "list[0].x"',
    ]);
  });

  it("sorts the keys of patched parts in errors about objects that can't be decoded", () => {
    const status = undecodablePatch(patch('{"data":{"z":5,"b":1}}'), "json: cannot unmarshal", false);
    expect(status.message).toBe(
      ' "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"a\\":\\"1\\",\\"b\\":1,\\"z\\":5},\\"kind\\":\\"ConfigMap\\",\\"metadata\\":{\\"name\\":\\"a\\",\\"labels\\":{\\"x\\":\\"y\\"}}}": json: cannot unmarshal',
    );
    expect(status.status().details).toEqual({ causes: [expect.objectContaining({ field: "patch" })] });
  });
});

describe("strategic merge patches", () => {
  const string: Schema = { type: "string" };
  const container: Schema = { type: "object", properties: { name: string, image: string } };
  const schema: Schema = {
    type: "object",
    properties: {
      metadata: {
        type: "object",
        properties: {
          finalizers: { type: "array", items: string, "x-kubernetes-patch-strategy": "merge" },
          labels: { type: "object", additionalProperties: string },
        },
      },
      containers: {
        type: "array",
        items: container,
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "name",
      },
      strategy: { type: "object", properties: { type: string }, "x-kubernetes-patch-strategy": "retainKeys" },
    },
  };
  const live: JsonObject = {
    metadata: { finalizers: ["a", "b"] },
    containers: [{ name: "x", image: "1" }],
    strategy: { type: "A" },
  };
  const patch = (body: unknown) =>
    applyStrategicPatch(live, typeof body === "string" ? body : JSON.stringify(body), schema, "Warn");
  const internal = (message: string) => ({ code: 500, reason: "", message });

  it("inserts new values before the values that the patch doesn't contain", () => {
    expect(patch({ metadata: { finalizers: ["c"] } }).value).toMatchObject({
      metadata: { finalizers: ["c", "a", "b"] },
    });
  });

  it.each([
    [{ containers: [{ image: "x" }] }, internal("map: map[image:x] does not contain declared merge key: name")],
    [{ strategy: { $patch: "bogus" } }, internal("unknown patch type: bogus in map: map[$patch:bogus]")],
    [{ containers: [{ name: "x", $patch: "merge" }] }, internal("merging lists cannot yet be specified in the patch")],
    [{ strategy: { $retainKeys: ["x"], type: "B" } }, bad("invalid patch format of retainKeys")],
    [{ metadata: { $deleteFromPrimitiveList: ["a"] } }, bad("invalid patch format of primitive list")],
    [
      { metadata: { "$setElementOrder/finalizers": "a" } },
      internal("expected a []interface {}, but received a string"),
    ],
    [{ containers: [["x"]] }, internal("list element types are not identical: [[map[image:1 name:x]] [[x]]]")],
    ["[", bad("unexpected end of JSON input")],
    ["[]", bad("json: cannot unmarshal array into Go value of type map[string]interface {}")],
  ])("rejects %j", (body, expected) => {
    expect(failure(() => patch(body))).toEqual(expected);
  });

  it("prints patches as Go maps if their objects can't be decoded", () => {
    expect(undecodablePatch(patch({ strategy: { type: "B" }, n: 1 }), "bad", false).message).toBe(
      ' "" is invalid: patch: Invalid value: "map[n:1 strategy:map[type:B]]": bad',
    );
  });

  it("merges long lists in less than a second of processor time", () => {
    const names = (prefix: string) => new Array(20_000).fill(0).map((_, i) => ({ name: `${prefix}${i}`, image: "i" }));
    const many = { containers: names("a") };
    const start = process.cpuUsage();
    applyStrategicPatch(many, JSON.stringify({ containers: names("b") }), schema, "Warn");
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  });
});
