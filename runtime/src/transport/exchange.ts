import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { ByteSource } from "./bytes.ts";
import type { Scope } from "./scope.ts";

/** One HTTP request, ready for the wire. */
export interface WireRequest {
  origin: string;
  method: Dispatcher.HttpMethod;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string;
  /** Milliseconds until the status line must be there. */
  headersTimeout: number;
  /** Milliseconds between two pieces of the body; 0 for none. */
  bodyTimeout: number;
  /** Throws what keeps the request back. */
  beforeSend?: () => void;
}

/** Status line and headers are there, the body comes as it is read. */
export interface WireAnswer {
  status: number;
  statusText: string;
  headers: IncomingHttpHeaders;
  body: ByteSource;
}

/**
 * One request and its answer on a dispatcher, without any judgement about status or content. Rejects with what the dispatcher says
 * (see wire-error.ts) or with the reason of the scope's end.
 */
export function exchange(dispatcher: Dispatcher, request: WireRequest, scope: Scope): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: ByteSource | undefined;
    const abort = (reason: unknown): void => {
      controller?.abort(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onEnd = (reason: unknown): void => {
      reject(reason);
      body?.finish(reason);
      abort(reason);
    };
    scope.listen(onEnd);
    if (scope.ended) return;
    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: request.headersTimeout,
        bodyTimeout: request.bodyTimeout,
      },
      {
        onRequestStart(started) {
          controller = started;
          // The caller may have gone while the connection was being made, or may not send any more.
          if (scope.ended) abort(scope.reason);
          else tryCall(request.beforeSend, abort);
        },
        onResponseStart(started, status, headers, statusText) {
          if (status < 200) return;
          body = new ByteSource({
            pause: () => started.pause(),
            resume: () => started.resume(),
            abort: (reason) => started.abort(reason),
          });
          resolve({ status, statusText: statusText ?? "", headers, body });
        },
        onResponseData(_controller, chunk) {
          body?.push(chunk);
        },
        onResponseEnd() {
          scope.unlisten(onEnd);
          body?.finish();
        },
        onResponseError(_controller, error) {
          scope.unlisten(onEnd);
          reject(error);
          body?.finish(error);
        },
      },
    );
  });
}

function tryCall(call: (() => void) | undefined, onError: (error: unknown) => void): void {
  try {
    call?.();
  } catch (error) {
    onError(error);
  }
}
