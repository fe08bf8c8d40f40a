import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { attributesOf, configMap } from "../admission.fixture.ts";
import { create, failure, patchOf, WebhookBench } from "./webhooks.fixture.ts";

const bench = new WebhookBench();

beforeAll(() => bench.server.listen());
beforeEach(() => bench.reset());
afterAll(() => bench.close());

test("patches are applied in the order of the configurations' names", async () => {
  bench.configure("mutating", "z", bench.hook("second"));
  bench.configure("mutating", "a", bench.hook("first"));
  bench.respond.first = patchOf({ op: "add", path: "/data/who", value: "first" });
  bench.respond.second = patchOf({ op: "add", path: "/data/who", value: "second" });
  expect(await bench.chain().mutate(create())).toMatchObject({ data: { a: "b", who: "second" } });
});

const badPatches: [string, JsonObject, string][] = [
  ["that can't be applied", patchOf({ op: "remove", path: "/data/none" }), "Unable to remove nonexistent key: none"],
  [
    "of another type",
    { ...patchOf({ op: "add", path: "/data/x", value: "y" }), patchType: "Merge" },
    'failed calling webhook "m.example.com": unsupported patch type "Merge"',
  ],
  [
    "without a type",
    { allowed: true, patch: "W10=" },
    'failed calling webhook "m.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
  ],
  [
    "whose result has a wrong type",
    patchOf({ op: "add", path: "/data", value: 5 }),
    "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
  ],
  [
    "that isn't base64",
    { allowed: true, patchType: "JSONPatch", patch: "!" },
    'failed calling webhook "m.example.com": failed to call webhook: illegal base64 data at input byte 0',
  ],
];

test.each(badPatches)("a patch %s fails the request", async (_name, response, message) => {
  bench.configure("mutating", "m", bench.hook("m"));
  bench.respond.m = response;
  expect(await failure(bench.chain().mutate(create()))).toEqual({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
});

test("a patch for a deletion fails the request", async () => {
  bench.configure("mutating", "m", bench.hook("m"));
  bench.respond.m = patchOf({ op: "add", path: "/data/x", value: "y" });
  const request = attributesOf({ operation: "DELETE", object: undefined, oldObject: configMap("a") });
  expect((await failure(bench.chain().mutate(request))).message).toBe(
    'Internal error occurred: admission webhook "m.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test("webhooks with reinvocationPolicy IfNeeded are called again after a later change", async () => {
  bench.configure("mutating", "m", bench.hook("m1", { reinvocationPolicy: "IfNeeded" }), bench.hook("m2"));
  let calls = 0;
  bench.respond.m1 = () => patchOf({ op: "add", path: "/data/calls", value: String(++calls) });
  bench.respond.m2 = patchOf({ op: "add", path: "/data/m2", value: "x" });
  expect(await bench.chain().mutate(create())).toMatchObject({ data: { calls: "2", m2: "x" } });
  expect(bench.server.requests.map(({ path }) => path.slice(1, 3))).toEqual(["m1", "m2", "m1"]);
});

test("webhooks aren't called again without a later change", async () => {
  bench.configure("mutating", "m", bench.hook("m1", { reinvocationPolicy: "IfNeeded" }), bench.hook("m2"));
  bench.respond.m1 = patchOf({ op: "add", path: "/data/x", value: "y" });
  bench.respond.m2 = { allowed: true };
  await bench.chain().mutate(create());
  expect(bench.server.requests.map(({ path }) => path.slice(1, 3))).toEqual(["m1", "m2"]);
});

test("invalid managed fields from a webhook are replaced by the previous ones, with a warning", async () => {
  bench.configure("mutating", "m", bench.hook("m"));
  bench.respond.m = patchOf({ op: "add", path: "/metadata/managedFields", value: [{}] });
  const attributes = create();
  const object = await bench.chain().mutate(attributes);
  expect(object?.metadata.managedFields).toBeUndefined();
  expect(attributes.warnings[0]).toMatch(
    /^\.metadata\.managedFields was in an invalid state after admission; .*: invalid operation ""$/,
  );
});

test("a patch that changes the kind to an unknown one fails the request", async () => {
  bench.configure("mutating", "m", bench.hook("m"));
  bench.respond.m = patchOf({ op: "replace", path: "/kind", value: "Nothing" });
  expect((await failure(bench.chain().mutate(create()))).message).toContain(
    'no kind "Nothing" is registered for version "v1"',
  );
});

test("the object of the caller isn't changed", async () => {
  bench.configure("mutating", "m", bench.hook("m"));
  bench.respond.m = patchOf({ op: "add", path: "/data/x", value: "y" });
  const attributes = create();
  await bench.chain().mutate(attributes);
  expect(attributes.object?.data).toEqual({ a: "b" });
});

test("webhooks get the time that the request has left", async () => {
  bench.configure("mutating", "m", bench.hook("m"), { ...bench.hook("m2"), timeoutSeconds: 1 });
  bench.respond.m = { allowed: true };
  bench.respond.m2 = { allowed: true };
  await bench.chain().mutate({ ...create(), timeLeft: () => 3500 });
  expect(bench.server.requests.map(({ path }) => path)).toEqual(["/m?timeout=4s", "/m2?timeout=1s"]);
});

test("a request whose time is over fails, even if webhooks may fail", async () => {
  bench.configure("mutating", "m", { ...bench.hook("m"), failurePolicy: "Ignore" });
  const late = { ...create(), timeLeft: () => 0 };
  expect(await failure(bench.chain().mutate(late))).toMatchObject({ code: 504, reason: "Timeout" });
  bench.reset();
  bench.configure("validating", "v", { ...bench.hook("v"), failurePolicy: "Ignore" });
  expect(await failure(bench.chain().validate(late))).toMatchObject({ code: 504, reason: "Timeout" });
});
