import type { IncomingHttpHeaders } from "node:http";
import { ByteSource } from "./bytes.ts";
import type { Connection } from "./http/connection.ts";
import type { Pool } from "./http/pool.ts";
import type { WireRequest } from "./http/wire-request.ts";
import type { Scope } from "./scope.ts";

/** A response whose status line and headers have arrived. The body arrives as it is read. */
export interface WireAnswer {
  status: number;
  statusText: string;
  headers: IncomingHttpHeaders;
  /** The content encoding that the request accepts. */
  accepted: string | string[] | undefined;
  body: ByteSource;
}

/**
 * Sends one request on a pool of connections and returns its response, regardless of status or content. Rejects with the
 * connection's error (see wire-error.ts) or with the reason of the scope's end.
 */
export function exchange(pool: Pool, request: WireRequest, scope: Scope): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let connection: Connection | undefined;
    let body: ByteSource | undefined;
    let cancel: (() => void) | undefined;
    const onEnd = (reason: unknown): void => {
      reject(reason);
      body?.finish(reason);
      cancel?.();
      connection?.destroy(reason);
    };
    scope.listen(onEnd);
    if (scope.ended) return;
    cancel = pool.send(request, {
      onSend(taken) {
        // Throws if the caller may no longer send.
        request.beforeSend?.();
        connection = taken;
      },
      onHead(status, statusText, headers) {
        body = new ByteSource({
          pause: () => connection?.pause(),
          resume: () => connection?.resume(),
          abort: (reason) => connection?.destroy(reason),
          limitSilence: (milliseconds) => connection?.limitSilence(milliseconds),
        });
        resolve({ status, statusText, headers, accepted: request.headers["accept-encoding"], body });
      },
      onData(chunk) {
        body!.push(chunk);
      },
      onEnd() {
        connection = undefined;
        scope.unlisten(onEnd);
        body!.finish();
      },
      onError(error) {
        connection = undefined;
        scope.unlisten(onEnd);
        reject(error);
        body?.finish(error);
      },
    });
  });
}
