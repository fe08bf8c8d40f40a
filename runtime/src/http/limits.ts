/** What a server of ours takes from a client, by Node's names; sizes are bytes and times milliseconds. Those of Go's, where it has one. */
export const limits: {
  maxHeaderSize: number;
  headersTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
} = {
  maxHeaderSize: 1024 * 1024,
  headersTimeout: 32_000,
  keepAliveTimeout: 90_000,
  // Late requests are found by looking: no later than this after their time.
  connectionsCheckingInterval: 5000,
};

/** What it takes from a client before it is sure who that is. */
export const tlsLimits: { handshakeTimeout: number } = { handshakeTimeout: 32_000 };
