import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookManagedBy } from "../../builder/webhook-builder.ts";
import { ApiError } from "../../errors/api-error.ts";
import type { Context } from "../../reconcile/context.ts";
import type { WebhookMetrics } from "../http/metrics.ts";
import type { AdmissionOptions } from "../options/server.ts";
import { json, patchOf, review, send, startServer, type TestServer } from "../server.fixture.ts";
import { Ticket, TicketDefaulter, TicketValidator, ticket } from "../ticket.fixture.ts";
import { Denied } from "./denied.ts";
import { allowed, denied, errored, patched, withWarnings } from "./response.ts";
import type { AdmissionHandler, Defaulter, ValidationResult, Validator } from "./types.ts";

const mutate = "/mutate-webhook-kubewright-dev-v1-ticket";
const validate = "/validate-webhook-kubewright-dev-v1-ticket";
const object = (spec: object = { title: "opera" }) => ticket("one", spec as Ticket["spec"]);

let t: TestServer;
const calls: string[] = [];
const contexts: Context[] = [];
const counted = { panics: 0, codes: [] as number[] };
const metrics: WebhookMetrics = {
  registered() {},
  started: () => (code) => void counted.codes.push(code),
  panicked: () => void counted.panics++,
  conversionPanicked() {},
  certificateRead() {},
};

const handlers: Record<string, AdmissionHandler["handle"]> = {
  "/raw/allowed": () => allowed("fine"),
  "/raw/denied": () => withWarnings(denied("no"), "w1", "w2"),
  "/raw/errored": () => errored(418, new Error("a teapot")),
  "/raw/patched": () => patched("", [{ op: "add", path: "/x", value: 9007199254740993n }]),
  "/raw/audited": () => ({ allowed: true, auditAnnotations: { a: "b" } }),
  "/raw/unencodable": () => patched("", [{ op: "add", path: "/x", value: circular() }]),
  "/throw/error": () => {
    throw new Error("not like this", { cause: new Error("kept to itself") });
  },
  "/throw/denied": () => {
    throw new Denied("no", { warnings: ["w1", "w2"] });
  },
  "/throw/invalid": () => {
    throw ApiError.invalid(Ticket, "one", [{ field: "spec.seats", message: "too many", reason: "FieldValueInvalid" }]);
  },
  "/throw/wrapped": () => {
    throw new Error("outer", { cause: ApiError.conflict(Ticket, "one", "somebody was faster") });
  },
  "/throw/invalid-and-warnings": () => {
    const cause = ApiError.invalid(Ticket, "one", [{ field: "spec.seats", message: "too many" }]);
    throw new Denied(cause.message, { warnings: ["w"], cause });
  },
  "/throw/bug": () => (undefined as unknown as { missing: { field: never } }).missing.field,
  "/throw/text": () => Promise.reject("just text"),
  "/throw/nothing": () => Promise.reject(undefined),
  "/throw/empty": () => {
    throw new Error("");
  },
};

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

class Recorder implements Validator<Ticket>, Defaulter<Ticket> {
  default(ctx: Context): void {
    contexts.push(ctx);
    calls.push("default");
  }
  validateCreate(ctx: Context, obj: Ticket): ValidationResult {
    contexts.push(ctx);
    calls.push(`create ${obj.spec.title}`);
  }
  validateUpdate(_ctx: Context, before: Ticket, after: Ticket): ValidationResult {
    calls.push(`update ${before.spec.title} ${after.spec.title}`);
  }
  validateDelete(_ctx: Context, obj: Ticket): ValidationResult {
    calls.push(`delete ${obj.spec.title}`);
  }
}

beforeAll(async () => {
  t = await startServer(
    (server) => {
      const host = { webhookServer: server };
      const register = async () => {
        await newWebhookManagedBy(host, Ticket)
          .withDefaulter(new TicketDefaulter())
          .withValidator(new TicketValidator())
          .complete();
        await newWebhookManagedBy(host, Ticket)
          .withDefaulter(new Recorder())
          .withValidator(new Recorder())
          .withDefaulterCustomPath("/recorder/mutate")
          .withValidatorCustomPath("/recorder/validate")
          .complete();
      };
      void register();
      for (const [path, handle] of Object.entries(handlers)) server.register(path, { handle });
      server.register("/listener", (_request, response) => void response.writeHead(204).end());
    },
    {},
    { metrics },
  );
});
afterAll(() => t.stop());

const asked = (path: string, request: object = {}, version?: string) =>
  review(t.port, path, { operation: "CREATE", object: object(), ...request } as never, version);

describe("W1: a response with the HTTP status 200 and a verdict", () => {
  it.each([
    ["/raw/allowed", { allowed: true, status: { code: 200, message: "fine" } }],
    [
      "/raw/denied",
      { allowed: false, status: { code: 403, reason: "Forbidden", message: "no" }, warnings: ["w1", "w2"] },
    ],
    ["/raw/errored", { allowed: false, status: { code: 418, message: "a teapot" } }],
    ["/raw/audited", { allowed: true, status: { code: 200 }, auditAnnotations: { a: "b" } }],
    ["/raw/unencodable", { allowed: false, status: { code: 500, message: "unable to encode response" } }],
  ])("is sent by the handler %s", async (path, expected) => {
    const { response } = await asked(path);
    expect(response).toMatchObject(expected);
    expect(response.uid).toBe("u-1");
  });

  it.each([
    ["a request without a body", "", json, 400, "request body is empty"],
    [
      "a request with a wrong content type",
      "{}",
      { "Content-Type": "text/plain" },
      400,
      "contentType=text/plain, expected application/json",
    ],
    ["a body that isn't JSON", "{", json, 400, "JSON"],
    ["a body that isn't a review", "[]", json, 400, "isn't an AdmissionReview"],
    ["a review without a request", '{"kind":"AdmissionReview"}', json, 400, "contains no request"],
    ["a review of another kind", '{"kind":"Pod","apiVersion":"v1","request":{}}', json, 400, 'no kind "Pod"'],
    [
      "a review of another version",
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2","request":{}}',
      json,
      400,
      "v2",
    ],
  ])("denies %s", async (_name, body, headers, code, message) => {
    const answer = await send(t.port, { path: mutate, headers }, body);
    expect(answer.status).toBe(200);
    const { response, apiVersion } = JSON.parse(answer.text);
    expect(response).toMatchObject({ uid: "", allowed: false, status: { code } });
    expect(response.status.message).toContain(message);
    expect(apiVersion).toBeUndefined();
  });

  it("is counted by HTTP status and path", async () => {
    counted.codes.length = 0;
    await asked("/raw/denied");
    await expect.poll(() => counted.codes).toEqual([200]);
  });
});

describe("W2: a response to a review", () => {
  it.each(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"])("has the version of the review: %s", async (version) => {
    const answer = await asked(mutate, {}, version);
    expect(answer).toMatchObject({ apiVersion: version, kind: "AdmissionReview", response: { uid: "u-1" } });
    expect(Object.keys(answer).sort()).toEqual(["apiVersion", "kind", "response"]);
  });

  it("has the version v1 if the review has no version", async () => {
    const body = JSON.stringify({ request: { uid: "u-2", operation: "DELETE" } });
    const { text } = await send(t.port, { path: mutate, headers: json }, body);
    expect(JSON.parse(text)).toMatchObject({
      apiVersion: "admission.k8s.io/v1",
      response: { uid: "u-2", allowed: true },
    });
  });

  it("rejects application/json with a charset, because only one content type is allowed", async () => {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    const { text } = await send(t.port, { path: mutate, headers }, "{}");
    expect(text).toContain("expected application/json");
  });

  it.each(["/throw/bug", "/throw/text", "/throw/nothing"])("contains the uid even after a bug (%s)", async (path) => {
    counted.panics = 0;
    expect((await asked(path)).response).toMatchObject({ uid: "u-1", allowed: false });
    expect(counted.panics).toBe(1);
  });
});

describe("W3: an error that a handler throws", () => {
  it.each([
    ["/throw/error", { status: { code: 403, reason: "Forbidden", message: "not like this" } }],
    ["/throw/empty", { status: { code: 403, message: "Error" } }],
    ["/throw/text", { status: { code: 403, message: "just text" } }],
    ["/throw/bug", { status: { code: 403, message: "Cannot read properties of undefined (reading 'missing')" } }],
    ["/throw/denied", { status: { code: 403, message: "no" }, warnings: ["w1", "w2"] }],
    ["/throw/invalid", { status: { code: 422, reason: "Invalid", details: { causes: [{ field: "spec.seats" }] } } }],
    ["/throw/wrapped", { status: { code: 409, reason: "Conflict" } }],
    ["/throw/invalid-and-warnings", { status: { code: 422, reason: "Invalid" }, warnings: ["w"] }],
  ])("denies the request with its status: %s", async (path, expected) => {
    expect((await asked(path)).response).toMatchObject({ allowed: false, ...expected });
  });

  it("denies the request if a validator throws it, and keeps the warnings", async () => {
    const { response } = await asked(validate, { object: object({ title: "warned and denied" }) });
    expect(response).toMatchObject({ allowed: false, status: { code: 403 }, warnings: ["first", "second"] });
    const warned = await asked(validate, { object: object({ title: "x", seats: 9 }) });
    expect(warned.response).toMatchObject({ allowed: true, warnings: ["spec.seats: more than 8 are seldom free"] });
  });

  it("denies the request if a defaulter throws it", async () => {
    const { response } = await asked(mutate, { object: object({ title: "no default" }) });
    expect(response).toMatchObject({ allowed: false, status: { code: 403, message: "this title has no defaults" } });
    expect(response.patch).toBeUndefined();
  });
});

describe("W4: a validator", () => {
  const recorded = async (request: object) => {
    calls.length = 0;
    const { response } = await asked("/recorder/validate", request);
    return {
      allowed: response.allowed,
      code: response.status.code,
      message: response.status.message,
      calls: [...calls],
    };
  };

  it("receives the object for CREATE", async () => {
    expect(await recorded({})).toMatchObject({ allowed: true, calls: ["create opera"] });
  });

  it("receives both objects for UPDATE", async () => {
    const request = { operation: "UPDATE", oldObject: object({ title: "before" }) };
    expect(await recorded(request)).toMatchObject({ allowed: true, calls: ["update before opera"] });
  });

  it("receives the old object for DELETE", async () => {
    const request = { operation: "DELETE", object: null, oldObject: object({ title: "before" }) };
    expect(await recorded(request)).toMatchObject({ allowed: true, calls: ["delete before"] });
  });

  it("isn't called for CONNECT, which is allowed", async () => {
    const request = { operation: "CONNECT", object: { apiVersion: "v1", kind: "PodExecOptions" } };
    expect(await recorded(request)).toMatchObject({ allowed: true, calls: [] });
  });

  it("isn't called for an unknown operation, which is rejected with 400", async () => {
    expect(await recorded({ operation: "GAZE" })).toMatchObject({ code: 400, message: 'unknown operation "GAZE"' });
    expect(await recorded({ operation: undefined })).toMatchObject({ code: 400, message: 'unknown operation ""' });
  });

  it.each([
    ["no object", { object: undefined }, "there is no content to decode"],
    ["no old object", { operation: "DELETE", object: undefined }, "there is no content to decode"],
    ["a list", { object: [] }, "object isn't an object"],
    ["another kind", { object: { apiVersion: "v1", kind: "Pod" } }, "unable to decode v1 Pod into"],
    ["another version", { object: { ...object(), apiVersion: "webhook.kubewright.dev/v9" } }, "unable to decode"],
  ])("isn't called with %s, which is rejected with 400", async (_name, request, message) => {
    const recordedCalls = await recorded(request);
    expect(recordedCalls).toMatchObject({ allowed: false, code: 400, calls: [] });
    expect(recordedCalls.message).toContain(message);
  });

  it("receives apiVersion and kind even if the review lacks them", async () => {
    const { apiVersion: _a, kind: _k, ...bare } = object();
    expect(await recorded({ object: bare })).toMatchObject({ allowed: true, calls: ["create opera"] });
    expect(patchOf(await asked(mutate, { object: bare }))).toEqual([{ op: "add", path: "/spec/seats", value: 1 }]);
  });
});

describe("W5: the patch of a defaulter", () => {
  it("contains only the difference", async () => {
    const answer = await asked(mutate);
    expect(answer.response.patchType).toBe("JSONPatch");
    expect(patchOf(answer)).toEqual([{ op: "add", path: "/spec/seats", value: 1 }]);
  });

  it("doesn't exist without a difference", async () => {
    const { response } = await asked(mutate, { object: object({ title: "x", seats: 2 }) });
    expect(response).toEqual({ uid: "u-1", allowed: true, status: { metadata: {}, code: 200 } });
  });

  it("doesn't exist for a deletion, for which the defaulter isn't called", async () => {
    calls.length = 0;
    const { response } = await asked("/recorder/mutate", { operation: "DELETE", object: null, oldObject: object() });
    expect(response.allowed).toBe(true);
    expect(calls).toEqual([]);
  });

  it("keeps unknown fields and the digits of integers", async () => {
    const text = JSON.stringify({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: { uid: "u", operation: "CREATE", object: object() },
    }).replace(
      '"title":"opera"',
      '"title":"opera","unknown":{"deep":[{"er":1}]},"id":9007199254740993,"empty":{},"none":null',
    );
    const answer = JSON.parse((await send(t.port, { path: mutate, headers: json }, text)).text);
    expect(patchOf(answer)).toEqual([{ op: "add", path: "/spec/seats", value: 1 }]);
  });

  it("contains big integers as integers", async () => {
    const { response } = await asked("/raw/patched");
    expect(Buffer.from(response.patch ?? "", "base64").toString()).toBe(
      '[{"op":"add","path":"/x","value":9007199254740993}]',
    );
  });

  it("is computed from the received object, which the context contains as a frozen object", async () => {
    contexts.length = 0;
    await asked("/recorder/mutate");
    expect(Object.isFrozen(contexts[0]?.request?.object)).toBe(true);
  });
});

it("a server serves any listener for other requests", async () => {
  expect((await send(t.port, { path: "/listener" }, "")).status).toBe(204);
});

describe("an invalid handler, option or listener", () => {
  it.each<[string, AdmissionHandler["handle"], AdmissionOptions]>([
    ["a handler without a response", () => undefined as never, {}],
    ["a handler with an incomplete response", () => ({ warnings: [] }) as never, {}],
    ["a logger that throws", () => allowed(), { logConstructor: () => (undefined as never as { gone: never }).gone }],
    ["a context function that throws", () => allowed(), { contextFunc: () => Promise.reject("no") }],
    ["invalid patches", () => ({ allowed: true, patches: 1n }) as never, {}],
  ])("denies the request, and the server continues: %s", async (name, handle, options) => {
    const path = `/bad/${name.replaceAll(" ", "-")}`;
    t.server.register(path, { handle }, options);
    const { response } = await asked(path);
    expect(response.uid).toBe("u-1");
    if (!path.includes("patches")) expect(response.allowed).toBe(false);
    expect((await asked("/raw/allowed")).response.allowed).toBe(true);
  });

  it.each<[string, RequestListener]>([
    ["throws", () => (undefined as never as { gone: { too: never } }).gone.too],
    ["rejects", async () => Promise.reject(new Error("no"))],
  ])("causes a 500 if the listener %s, and the server continues", async (name, listener) => {
    t.server.register(`/listener/${name}`, listener);
    expect((await send(t.port, { path: `/listener/${name}` }, "")).status).toBe(500);
    expect((await asked("/raw/allowed")).response.allowed).toBe(true);
  });
});

it("recoverPanic(false) stops the server after a bug", async () => {
  const host = await startServer((server) => {
    server.register("/bug", { handle: handlers["/throw/bug"]! }, { recoverPanic: false });
    server.register("/error", { handle: handlers["/throw/error"]! }, { recoverPanic: false });
  });
  expect((await review(host.port, "/error", { operation: "CREATE" })).response.status.code).toBe(403);
  await expect(review(host.port, "/bug", { operation: "CREATE" })).rejects.toThrow();
  await expect(host.stop()).rejects.toThrow("Cannot read properties of undefined");
});
