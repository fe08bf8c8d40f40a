import { describe, expect, it } from "vitest";
import { newWebhookManagedBy } from "../../builder/webhook-builder.ts";
import type { Logger } from "../../log/logger.ts";
import type { Context } from "../../reconcile/context.ts";
import { json, review, send, startServer } from "../server.fixture.ts";
import { Ticket, TicketValidator, ticket } from "../ticket.fixture.ts";

const validate = "/validate-webhook-kubewright-dev-v1-ticket";
const object = () => ticket("one", { title: "opera" });

describe("the context of a webhook", () => {
  it("contains the request, no reasons, and the additions of the context function", async () => {
    const contexts: Context[] = [];
    const t = await startServer((server) => {
      void newWebhookManagedBy({ webhookServer: server }, Ticket)
        .withValidator({
          validateCreate: (ctx) => void contexts.push(ctx),
          validateUpdate() {},
          validateDelete() {},
        })
        .withContextFunc((ctx, request) => ({ ...ctx, reconcileID: String(request.headers["x-test"] ?? "") }))
        .complete();
    });
    const body = {
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        uid: "u",
        operation: "CREATE",
        dryRun: true,
        subResource: "status",
        userInfo: { username: "zoë" },
        object: object(),
      },
    };
    await send(t.port, { path: validate, headers: { ...json, "X-Test": "yes" } }, JSON.stringify(body));
    expect(contexts[0]).toMatchObject({
      reconcileID: "yes",
      reasons: [],
      request: { operation: "CREATE", dryRun: true, subResource: "status", userInfo: { username: "zoë" } },
    });
    expect(contexts[0]?.signal.aborted).toBe(false);
    await t.stop();
  });

  it("contains a logger whose lines have the kind, the object and the user", async () => {
    const fields: object[] = [];
    const log: Logger = {
      debug() {},
      info() {},
      warn() {},
      error() {},
      with(more) {
        fields.push(more);
        return log;
      },
    };
    const other = await startServer(
      (server) => {
        void newWebhookManagedBy({ webhookServer: server }, Ticket).withValidator(new TicketValidator()).complete();
      },
      {},
      { log },
    );
    await review(other.port, validate, {
      operation: "CREATE",
      name: "one",
      namespace: "default",
      userInfo: { username: "zoë" },
      resource: { group: "g", version: "v1", resource: "tickets" },
      object: object(),
    } as never);
    await other.stop();
    expect(fields.at(-1)).toEqual({
      webhookGroup: "webhook.kubewright.dev",
      webhookKind: "Ticket",
      Ticket: { name: "one", namespace: "default" },
      namespace: "default",
      name: "one",
      resource: { group: "g", version: "v1", resource: "tickets" },
      user: "zoë",
      requestID: "u-1",
    });
  });
});

it("the signal of a webhook aborts after the timeout of the API server", async () => {
  let reason: unknown;
  const t = await startServer((server) => {
    server.register("/slow", {
      handle: (ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            reason = ctx.signal.reason;
            resolve({ allowed: true });
          });
        }),
    });
  });
  const body = JSON.stringify({ request: { uid: "u" } });
  await send(t.port, { path: "/slow?x=1&timeout=0.1s", headers: json }, body);
  expect(String(reason)).toContain("timeout of 100 ms has expired");
  await t.stop();
});

it("the signal of a webhook aborts if the client disconnects", async () => {
  let gone: (reason: unknown) => void = () => {};
  const aborted = new Promise((resolve) => {
    gone = resolve;
  });
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const t = await startServer((server) => {
    server.register("/slow", {
      handle(ctx) {
        ctx.signal.addEventListener("abort", () => gone(ctx.signal.reason));
        asked();
        return new Promise(() => {});
      },
    });
  });
  const client = new AbortController();
  const answer = send(t.port, { path: "/slow", headers: json, signal: client.signal }, '{"request":{"uid":"u"}}');
  answer.catch(() => {});
  await isAsked;
  client.abort();
  expect(String(await aborted)).toContain("the client closed the connection");
  await t.stop();
});

it("a context function that throws denies the request", async () => {
  const t = await startServer((server) => {
    const contextFunc = () => {
      throw new Error("no context");
    };
    server.register("/x", { handle: () => ({ allowed: true }) }, { contextFunc });
  });
  const { response } = await review(t.port, "/x", { operation: "CREATE" });
  expect(response).toMatchObject({ uid: "u-1", allowed: false, status: { code: 403, message: "no context" } });
  await t.stop();
});
