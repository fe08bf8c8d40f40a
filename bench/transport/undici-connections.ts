// Connections of undici in place of the runtime's own ones, for the comparison in operator.ts. It loads only the pool of
// undici. Proxies, changed certificates and lent connections are left out, so the comparison favors undici.
import type { LookupFunction } from "node:net";
import type { Config } from "@kubewright/runtime";
import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import type { Connection } from "../../packages/runtime/src/transport/http/connection.ts";
import type { Sending } from "../../packages/runtime/src/transport/http/pool.ts";
import type { WireRequest } from "../../packages/runtime/src/transport/http/wire-request.ts";

type Controller = Dispatcher.DispatchController;

/** Sends requests through a pool of undici, and has the methods of the runtime's pool that requests use. */
class UndiciPool {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  send(request: WireRequest, sending: Sending): () => void {
    let controller: Controller | undefined;
    let ended: Error | undefined;
    const connection = {
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      destroy(reason: unknown) {
        ended = reason instanceof Error ? reason : new Error("the request was cancelled");
        controller?.abort(ended);
      },
      limitSilence() {},
    };
    const { origin, path, method, headers, body, headersTimeout, bodyTimeout } = request;
    this.#pool.dispatch(
      { origin, path, method: method as Dispatcher.HttpMethod, headers, body, headersTimeout, bodyTimeout },
      {
        onRequestStart(started: Controller) {
          controller = started;
          if (ended === undefined) sending.onSend(connection as unknown as Connection);
          else started.abort(ended);
        },
        onResponseStart(_controller, status, fields, statusText) {
          sending.onHead(status, statusText ?? "", { ...fields });
        },
        onResponseData: (_controller, chunk) => sending.onData(chunk),
        onResponseEnd: () => sending.onEnd(),
        onResponseError: (_controller, error) => sending.onError(error),
      },
    );
    return () => connection.destroy(undefined);
  }

  close(): void {
    void this.#pool.close();
  }

  destroy(error: Error): void {
    void this.#pool.destroy(error);
  }
}

/** Replaces the function of the same name in the runtime's transport. */
export function openConnections(config: Config, origin: URL) {
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const { ca, cert, key } = config;
  const connect = {
    secureContext: origin.protocol === "https:" ? createSecureContext({ ca, cert, key }) : undefined,
    servername: config.tlsServerName,
    rejectUnauthorized: config.insecureSkipTLSVerify !== true,
    keepAliveInitialDelay: 30_000,
    timeout: 10_000,
    lookup: undefined as LookupFunction | undefined,
  };
  const open = (connections: number | null): UndiciPool =>
    new UndiciPool(new Pool(origin, { connections, connect, pipelining: 1, keepAliveTimeout: 60_000 }));
  const requests = open(100);
  const streams = open(null);
  return {
    requests,
    streams,
    close() {
      requests.close();
      streams.close();
    },
    destroy(error: Error) {
      requests.destroy(error);
      streams.destroy(error);
    },
  };
}
