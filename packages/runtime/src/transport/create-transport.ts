import type { Config } from "../config/config.ts";
import { TransportError } from "../errors/transport-error.ts";
import { checkEncoding, defaultMaxResponseBytes, maxTextBytes, readSuccess } from "./answer.ts";
import { limitedByBookmarks } from "./bookmarks.ts";
import { transportHook } from "./hooks.ts";
import { jsonLine, textLine } from "./json-lines.ts";
import type { TransportOptions } from "./options.ts";
import { Sender } from "./sender.ts";
import { LineStream, openedAsJson } from "./stream.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "./transport.ts";

/**
 * Creates the connection to an API server. It connects with the first request.
 *
 * @param config - URL and credentials of the server
 * @param options - see {@link TransportOptions}
 * @returns the transport
 * @throws Error if the configuration isn't valid, for example because of its URL
 *
 * @example
 * const transport = createTransport(loadConfig());
 * const { body } = await transport.request({ method: "GET", path: "/api/v1/nodes" });
 * await transport.close();
 */
export function createTransport(config: Config, options: TransportOptions = {}): Transport {
  const sender = new Sender(config, options);
  const { maxResponseBytes = defaultMaxResponseBytes } = config;
  if (!(maxResponseBytes > 0))
    throw new Error(`invalid maxResponseBytes ${maxResponseBytes}: it must be greater than 0`);
  const maxBytes = Math.min(maxResponseBytes, maxTextBytes);

  async function request(request: TransportRequest): Promise<TransportResponse> {
    return sender.run(request, request.timeout, "requests", async (answer, what) => ({
      status: answer.status,
      headers: answer.headers,
      body: await readSuccess(answer, what, { wantsJson: wantsJson(request), maxBytes }),
    }));
  }

  async function stream(request: TransportRequest): Promise<TransportStream> {
    return sender.run(request, request.timeout, "streams", async (answer, what, scope) => {
      if (wantsJson(request)) await openedAsJson(answer, what);
      else checkEncoding(answer, what);
      scope.stopTimer();
      const { body } = answer;
      const isLimited = request.query?.allowWatchBookmarks === true && request.idleTimeout === undefined;
      const read = !wantsJson(request) ? textLine : isLimited ? limitedByBookmarks(jsonLine, body) : jsonLine;
      return new LineStream(body, what, scope, read);
    });
  }

  const transport: Transport = {
    request,
    stream,
    close: () => sender.close(new TransportError("ECLOSED", "the transport is closed")),
  };
  return transportHook.installed?.(transport, config) ?? transport;
}

function wantsJson({ accept }: TransportRequest): boolean {
  return accept === undefined || accept.includes("json");
}
