import type { Transport } from "../transport/transport.ts";

/** A write that was held back because this process may be the leader no longer. */
export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";

  constructor() {
    super("the lease was not renewed in time: another process may be the leader, nothing is written");
  }
}

/**
 * A transport that lets writes through only while `mayWrite` says so: asked at once, and again right before each sending, which a
 * retry or a slow connection puts off. Reads always pass.
 */
export function guardWrites(transport: Transport, mayWrite: () => boolean): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    async request(request) {
      if (request.method === "GET") return transport.request(request);
      const beforeSend = (): void => {
        if (!mayWrite()) throw new LeadershipLostError();
      };
      beforeSend();
      return transport.request({ ...request, beforeSend });
    },
  };
}
