import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AdmissionRequest } from "../../api/admission/v1.ts";
import { findCause } from "../../errors/cause.ts";
import { isPanic } from "../../errors/panic.ts";
import { findApiError } from "../../errors/predicates.ts";
import { pathOf } from "../../http/path.ts";
import { refuse } from "../../http/refusal.ts";
import { errorText } from "../../log/error-text.ts";
import type { Logger } from "../../log/logger.ts";
import type { Context } from "../../reconcile/context.ts";
import { remoteParent } from "../../tracing/remote-parent.ts";
import { inSpan, type SpanOptions, spanKind } from "../../tracing/tracer.ts";
import { BodyError, type BodyLimits, readBody } from "../http/body.ts";
import type { HookHost } from "../http/hook-host.ts";
import { answerNoRoom, NoRoomError } from "../http/memory-limiter.ts";
import { RefusalLog } from "../http/refusal-log.ts";
import { RequestSignal } from "../http/request-signal.ts";
import type { AdmissionOptions } from "../options/server.ts";
import { DecodeError } from "./decode.ts";
import { Denied } from "./denied.ts";
import { defaultRequestLogger } from "./request-logger.ts";
import { denied, errored, withWarnings } from "./response.ts";
import { decodeReview, encodeReview, type Review } from "./review.ts";
import type { AdmissionHandler, AdmissionResponse } from "./types.ts";

/** Maximum size of a request in bytes: twice the largest stored object, old and new, and one MiB for the rest. */
const maxRequestSize = 7 * 1024 * 1024;
/** Maximum time in milliseconds for the body. API servers wait 30 seconds at most for the response. */
const bodyTime = 30_000;
const maxDepth = 1000;

export interface AdmissionHook extends AdmissionOptions {
  handler: AdmissionHandler;
  limits?: Partial<BodyLimits>;
}

/**
 * Answers AdmissionReviews over HTTP. The status is 200 even for denials and errors, because API servers treat any
 * other status as a webhook that couldn't be called. Only requests without memory get another one (503).
 */
export function admissionListener(hook: AdmissionHook, host: HookHost): RequestListener {
  const limits = { size: maxRequestSize, time: bodyTime, depth: maxDepth, memory: host.memory, ...hook.limits };
  const refusals = new RefusalLog(host.log, "unable to read the request");

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    const { signal } = new RequestSignal(request, response);
    let review: Review;
    try {
      review = await readReview(request, response, limits);
    } catch (error) {
      refusals.add(error, request.url);
      refuse(response);
      if (error instanceof NoRoomError) {
        answerNoRoom(response, error);
        return undefined;
      }
      return encodeReview(errored(error instanceof BodyError ? error.code : 400, error));
    }
    const admitted = host.inspection?.begin();
    const { answer, log } = await runHandler({ hook, review, request, signal, host });
    admitted?.(pathOf(request.url), review.request, answer);
    log.debug("wrote response", { allowed: answer.allowed, code: answer.status?.code ?? 200 });
    try {
      return encodeReview(answer, review);
    } catch (error) {
      log.error(error, "unable to encode response");
      return encodeReview(errored(500, new Error("unable to encode response")), review);
    }
  }

  return (request, response) => {
    serve(request, response).then(
      (text) => {
        if (text !== undefined) response.writeHead(200, { "Content-Type": "application/json" }).end(text);
      },
      // Reached only by bugs with `recoverPanic: false`.
      (error: unknown) => {
        response.destroy();
        host.fail(error);
      },
    );
  };
}

async function readReview(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): Promise<Review> {
  const text = await readBody(request, response, limits);
  if (text === "") throw new BodyError(400, "request body is empty");
  if (request.method !== "POST") throw new BodyError(405, `request method is ${request.method}, expected POST`);
  const contentType = request.headers["content-type"] ?? "";
  if (contentType !== "application/json") {
    throw new BodyError(400, `contentType=${contentType}, expected application/json`);
  }
  return decodeReview(text);
}

interface Case {
  hook: AdmissionHook;
  review: Review;
  request: IncomingMessage;
  signal: AbortSignal;
  host: HookHost;
}

async function runHandler({
  hook,
  review,
  request,
  signal,
  host,
}: Case): Promise<{ answer: AdmissionResponse; log: Logger }> {
  let { log } = host;
  try {
    log = (hook.logConstructor ?? defaultRequestLogger)(log, review.request);
    log.debug("received request");
    const made: Context = { log, signal, reconcileID: "", reasons: [], request: review.request };
    const ctx = hook.contextFunc ? await hook.contextFunc(made, request) : made;
    const answer: unknown = await inSpan(
      host.tracer?.(),
      `admit ${request.url?.split("?", 1)[0]}`,
      spanOf(review.request),
      async () => hook.handler.handle(ctx, review.request),
      remoteParent(request.headers.traceparent),
    );
    if (!isResponse(answer)) throw new TypeError("the handler returned no response");
    return { answer, log };
  } catch (thrown) {
    const undecodable = findCause(thrown, DecodeError);
    if (undecodable) return { answer: errored(400, undecodable), log };
    if (isPanic(thrown)) {
      host.metrics.panicked();
      log.error(thrown, "Bug in the webhook");
      if (hook.recoverPanic === false) throw thrown;
    }
    return { answer: answerTo(thrown), log };
  }
}

function answerTo(thrown: unknown): AdmissionResponse {
  try {
    return verdictOf(thrown);
  } catch {
    // A getter of the error threw, or the error has too many warnings. This denies one request and must not end the process.
    return errored(500, new Error("the handler threw an error that can't be read"));
  }
}

function spanOf({ operation = "CONNECT", kind, namespace, name }: AdmissionRequest): SpanOptions {
  const attributes = { operation, kind: kind?.kind ?? "", namespace: namespace ?? "", name: name ?? "" };
  return { kind: spanKind.server, attributes };
}

/** Checks a response at run time, since JavaScript callers can return anything. */
function isResponse(answer: unknown): answer is AdmissionResponse {
  return typeof answer === "object" && answer !== null && "allowed" in answer && typeof answer.allowed === "boolean";
}

/**
 * Converts a thrown value into a denial: 403 with its message, or the status of an `ApiError`, with the warnings of
 * {@link Denied}.
 */
function verdictOf(thrown: unknown): AdmissionResponse {
  const status = findApiError(thrown)?.status;
  const response = status ? { allowed: false, status } : denied(messageOf(thrown));
  const warnings = findCause(thrown, Denied)?.warnings ?? [];
  return warnings.length > 0 ? withWarnings(response, ...warnings) : response;
}

function messageOf(thrown: unknown): string {
  // The user sees the author's message without its causes.
  if (thrown instanceof Error && thrown.message !== "") return thrown.message;
  return errorText(thrown);
}
