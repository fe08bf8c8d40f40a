import type { RequestListener } from "node:http";
import type { Logger } from "../log/logger.ts";

/**
 * Logs errors of a listener as `message` and responds with 500, so that they neither end the process nor leave the
 * client waiting.
 */
export function guarded(listener: RequestListener, log: () => Logger, message: string): RequestListener {
  return async (request, response) => {
    try {
      await (listener(request, response) as unknown);
    } catch (error) {
      log().error(error, message, { path: request.url });
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };
}
