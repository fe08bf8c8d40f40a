import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { Controller } from "../controller/controller.ts";
import { silentLogger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { admissionListener } from "../webhook/admission/hook.ts";
import { allowed } from "../webhook/admission/response.ts";
import { bodyMemory } from "../webhook/http/memory-limiter.ts";
import { noWebhookMetrics } from "../webhook/http/metrics.ts";
import { traceRequests } from "./traced-transport.ts";
import { globalTracer, inSpan, type Tracer } from "./tracer.ts";

let exporter: InMemorySpanExporter;
let provider: NodeTracerProvider;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
});

afterEach(async () => {
  trace.disable();
  context.disable();
  await provider.shutdown();
});

const spans = () => exporter.getFinishedSpans();

/** Runs one reconcile of a controller. */
async function reconcileOnce(reconcile: (request: Request) => Promise<object | undefined>, tracer = globalTracer()) {
  const clock = new VirtualClock();
  const controller = new Controller({
    name: "game",
    reconciler: { reconcile: async (_ctx, request: Request) => (await reconcile(request)) ?? undefined },
    log: silentLogger,
    clock,
    tracer: () => tracer,
  });
  await controller.watch({
    name: "feed",
    start: async ({ queue }) => {
      const reason = { type: "update", kind: "Game" } as const;
      queue.add({ namespace: "ns", name: "g", cluster: "west" }, { reason });
    },
  });
  const stop = new AbortController();
  const done = controller.start(stop.signal);
  await clock.advance(0);
  stop.abort();
  await done;
}

/** Sends a request to an admission webhook, with a `traceparent` if one is given. */
async function review(traceparent?: string, tracer = globalTracer(), handle: () => Promise<void> = async () => {}) {
  const { createServer } = await import("node:http");
  const handler = {
    handle: async () => {
      await handle();
      return allowed();
    },
  };
  const http = createServer(
    admissionListener(
      { handler },
      { log: silentLogger, metrics: noWebhookMetrics, memory: bodyMemory(), tracer: () => tracer, fail() {} },
    ),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as { port: number };
  const body = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", operation: "CREATE", kind: { kind: "Game" }, namespace: "ns", name: "g" },
  };
  const answer = await fetch(`http://127.0.0.1:${port}/validate-game?timeout=10s`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(traceparent === undefined ? {} : { traceparent }) },
    body: JSON.stringify(body),
  });
  expect(((await answer.json()) as { response: object }).response).toMatchObject({ allowed: true });
  await new Promise((resolve) => http.close(resolve));
}

/** Returns a transport that responds to all requests, and records them. */
function server(answer: () => Promise<object> = async () => ({})) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    async request(request) {
      requests.push(request);
      return { status: 200, headers: {}, body: await answer() };
    },
    stream: () => Promise.reject(new Error("no streams")),
    close: async () => {},
  };
  return { requests, transport: traceRequests(transport, globalTracer) };
}

describe("spans", () => {
  it("of reconciles contain the object, the trigger and the result", async () => {
    await reconcileOnce(async () => ({ requeueAfter: 500 }));
    expect(spans()).toHaveLength(1);
    expect(spans()[0]?.name).toBe("reconcile game");
    expect(spans()[0]?.attributes).toEqual({
      controller: "game",
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace: "ns",
      name: "g",
      cluster: "west",
      reasons: "update Game",
      result: "requeue_after",
      requeueAfter: 500,
    });
    expect(spans()[0]?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it("of failed reconciles contain the error", async () => {
    await reconcileOnce(() => Promise.reject(new Error("no route")));
    expect(spans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: "no route" });
    expect(spans()[0]?.events[0]?.attributes).toMatchObject({ "exception.message": "no route" });
    exporter.reset();
    await reconcileOnce(() => Promise.reject("a string"));
    expect(spans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: "a string" });
  });

  it("of requests are children of the reconcile, and their context is sent to the server", async () => {
    const { transport, requests } = server();
    await reconcileOnce(async () => {
      await transport.request({ method: "PATCH", path: "/apis/example.com/v1/namespaces/ns/games/g/status" });
      return undefined;
    });
    const [request, reconcile] = spans();
    expect(request?.name).toBe("PATCH games/status");
    expect(request?.parentSpanContext?.spanId).toBe(reconcile?.spanContext().spanId);
    expect(request?.attributes).toMatchObject({
      "http.request.method": "PATCH",
      "url.path": "/apis/example.com/v1/namespaces/ns/games/g/status",
      "http.response.status_code": 200,
    });
    const { traceId, spanId } = request!.spanContext();
    expect(requests[0]?.headers?.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(reconcile?.attributes.result).toBe("success");
  });

  it("of requests have a small number of names, and the error of a failed request", async () => {
    const { transport } = server(() => Promise.reject(new Error("connection refused")));
    for (const path of ["/api/v1/pods", "/api/v1/namespaces/ns/pods/p", "/api/v1/nodes/n", "/version"]) {
      await expect(transport.request({ method: "GET", path })).rejects.toThrow("refused");
    }
    expect(spans().map(({ name }) => name)).toEqual(["GET pods", "GET pods", "GET nodes", "GET /version"]);
    expect(spans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: "connection refused" });
  });

  it("of admission requests contain the request", async () => {
    await review();
    expect(spans()[0]?.name).toBe("admit /validate-game");
    expect(spans()[0]?.attributes).toEqual({ operation: "CREATE", kind: "Game", namespace: "ns", name: "g" });
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
  });

  it("of admission requests continue the trace of the API server", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const spanId = "00f067aa0ba902b7";
    const { transport } = server();
    await review(`00-${traceId}-${spanId}-01`, globalTracer(), async () => {
      await transport.request({ method: "GET", path: "/version" });
    });
    const [request, admission] = spans();
    expect(admission?.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true });
    expect(request?.parentSpanContext?.spanId).toBe(admission?.spanContext().spanId);
    expect(spans().map((span) => span.spanContext().traceId)).toEqual([traceId, traceId]);
    // Requests that the API server doesn't sample aren't sampled by others.
    await review(`00-${traceId}-${spanId}-00`);
    expect(spans()).toHaveLength(2);
  });

  it("of admission requests continue the trace with a given tracer if none is registered", async () => {
    trace.disable();
    context.disable();
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await review(`00-${traceId}-00f067aa0ba902b7-01`, provider.getTracer("mine"));
    expect(spans()[0]?.spanContext().traceId).toBe(traceId);
  });

  it.each([
    "",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
  ])("start a new trace if the parent %j is invalid", async (traceparent) => {
    await review(traceparent);
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
  });

  it("are sent to the given tracer instead of the registered one", async () => {
    const mine = new InMemorySpanExporter();
    const own = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(mine)] });
    const tracer: Tracer = own.getTracer("mine");
    await reconcileOnce(async () => ({ requeue: true }), tracer);
    expect(spans()).toEqual([]);
    expect(mine.getFinishedSpans()[0]?.attributes.result).toBe("requeue");
    await own.shutdown();
  });

  it("that aren't recorded, such as those of other samples, don't prepare the text of errors", async () => {
    const idle = new NodeTracerProvider({ sampler: new AlwaysOffSampler() });
    const tracer: Tracer = idle.getTracer("idle");
    const error = Object.defineProperty(new Error("no"), "stack", { get: () => expect.fail("the stack was read") });
    await expect(inSpan(tracer, "reconcile", {}, () => Promise.reject(error))).rejects.toBe(error);
    await idle.shutdown();
  });

  it("don't exist if no provider is registered", async () => {
    trace.disable();
    expect(globalTracer()).toBeUndefined();
    const { transport, requests } = server();
    await reconcileOnce(async () => {
      await transport.request({ method: "GET", path: "/version" });
      return undefined;
    });
    expect(spans()).toEqual([]);
    expect(requests[0]?.headers).toBeUndefined();
    await expect(transport.stream({ method: "GET", path: "/" })).rejects.toThrow("no streams");
    await transport.close();
  });
});
