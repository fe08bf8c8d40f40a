import { findApiError } from "../errors/predicates.ts";
import type { Transport } from "../transport/transport.ts";

/** Rejects a write because this process may no longer be the leader. */
export class LeadershipLostError extends Error {
  /** Always `LeadershipLostError`. */
  override readonly name = "LeadershipLostError";

  /** Creates the error. */
  constructor() {
    super("the lease was not renewed in time: another process may be the leader, so nothing is written");
  }
}

/**
 * Creates a transport that sends writes only while `mayWrite` returns `true`. It is called when a write starts, and
 * again before each attempt, since a retry or a slow connection can delay one. Reads always pass.
 *
 * @param onUnanswered - called when a write ends without a response, so that the server can still store it
 */
export function guardWrites(transport: Transport, mayWrite: () => boolean, onUnanswered?: () => void): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    async request(request) {
      if (request.method === "GET") return transport.request(request);
      const beforeSend = (): void => {
        if (!mayWrite()) throw new LeadershipLostError();
      };
      beforeSend();
      const response = transport.request({ ...request, beforeSend });
      if (!onUnanswered) return response;
      return response.catch((error: unknown) => {
        if (!findApiError(error) && !(error instanceof LeadershipLostError)) onUnanswered();
        throw error;
      });
    },
  };
}
