import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { pathOf, queryOf } from "../http/path.ts";
import type { Inspector } from "./inspector.ts";

const maxLimit = 1000;
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Serves the records of an inspector as JSON, read-only. Requests need the token: other users of the machine and other
 * containers of the Pod reach the loopback interface, too. Requests whose `Host` isn't the loopback interface are refused, and
 * so are those with an `Origin`: no page in a browser can read the records, not even with DNS rebinding.
 */
export function inspectListener(inspector: Inspector, token: string): RequestListener {
  return (request, response) => {
    const { host = "", origin, authorization = "" } = request.headers;
    if (!loopbackHost.test(host))
      return failure(response, 421, `host ${JSON.stringify(host)} isn't the loopback interface`);
    if (origin !== undefined) return failure(response, 403, "requests of web pages aren't allowed");
    if (!isSame(authorization, `Bearer ${token}`)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      return failure(response, 401, "the token is missing or wrong: send Authorization: Bearer TOKEN");
    }
    if (request.method !== "GET") return failure(response, 405, `method ${request.method} isn't GET`);
    const query = queryOf(request.url);
    const text = (name: string): string | undefined => query.get(name) ?? undefined;
    const limit = Math.min(Math.max(1, Number(query.get("limit") ?? 10) || 10), maxLimit);
    const filter = {
      apiVersion: text("apiVersion"),
      kind: text("kind"),
      namespace: text("namespace"),
      name: text("name"),
      limit,
    };
    switch (pathOf(request.url)) {
      case "/api/why":
      case "/api/reconciles":
        return json(response, { reconciles: inspector.reconciles(filter) });
      case "/api/queue":
        return json(response, { controllers: inspector.queues() });
      case "/api/controllers":
        return json(response, { paused: inspector.paused, controllers: inspector.controllers() });
      case "/api/caches":
        return json(response, { caches: inspector.caches() });
      case "/api/admission":
        return json(response, { requests: inspector.admissions(filter) });
      case "/api/stream":
        return stream(inspector, response);
      default:
        return failure(
          response,
          404,
          `${pathOf(request.url)} not found: see /api/why, /api/queue, /api/controllers, /api/caches, /api/admission and /api/stream`,
        );
    }
  };
}

/** Compares without a time that depends on the position of the first difference. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function stream(inspector: Inspector, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.flushHeaders();
  const end = inspector.subscribe((message) => {
    // A client that doesn't read must not fill the memory.
    if (response.writableLength > maxBuffered) response.destroy();
    else response.write(`data: ${JSON.stringify(message)}\n\n`);
  });
  response.once("close", end);
}

/** In bytes. */
const maxBuffered = 4 * 1024 * 1024;

function json(response: ServerResponse, body: unknown): void {
  response
    .writeHead(200, {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    })
    .end(JSON.stringify(body));
}

function failure(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ error }));
}
