const seconds = 1000;
const kibi = 1024;

/** Limits of our HTTP servers, by Node's names. Sizes are bytes, times are milliseconds. */
export const limits: {
  maxHeaderSize: number;
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
} = {
  // A service account token has 1 to 2 KiB, and proxies add a few headers. Node keeps a head in memory until it is complete.
  maxHeaderSize: 32 * kibi,
  // Callers within a cluster send a head at once.
  headersTimeout: 10 * seconds,
  // API servers wait 30 seconds at most. Also limits bodies of unknown paths.
  requestTimeout: 60 * seconds,
  // As long as Go's clients keep a connection without a request.
  keepAliveTimeout: 90 * seconds,
  // Node finds late requests by this interval.
  connectionsCheckingInterval: 1 * seconds,
};

/** Limits of the TLS handshake. */
export const tlsLimits: { handshakeTimeout: number } = { handshakeTimeout: 10 * seconds };

/** Limits of an HTTP/2 session, by Node's names. */
export const http2Limits: {
  maxSessionMemory: number;
  maxSettings: number;
  settings: { maxConcurrentStreams: number; maxHeaderListSize: number };
} = {
  // Mebibytes, and the least that Node takes: heads and queued frames of a session. Bodies are limited separately.
  maxSessionMemory: 1,
  // Entries per SETTINGS frame. The protocol defines fewer than ten.
  maxSettings: 16,
  settings: {
    // Go's clients open another connection for more.
    maxConcurrentStreams: 100,
    maxHeaderListSize: limits.maxHeaderSize,
  },
};

/** Connections per server. One over TLS takes about 60 KiB, and an API server opens one per concurrent request over HTTP/1.1. */
export const maxConnections = 512;

/** Connections that one peer address may hold before its connections are the first to be closed when there are too many. */
export const fairShare: number = maxConnections / 8;

/** Requests in progress per connection: clients that pipeline more than that don't read the answers. HTTP/2 has its own limit of 100. */
export const maxPipelinedRequests = 64;

/** Requests in progress per server whose body isn't complete: each holds a head and the objects that Node makes for it. */
export const maxIncompleteRequests = 1024;
