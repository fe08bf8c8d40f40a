const seconds = 1000;
const kibi = 1024;

/** Limits of the HTTP servers, with the names of Node.js. Sizes are in bytes, times in milliseconds. */
export const limits: {
  maxHeaderSize: number;
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
} = {
  // A service account token has 1 to 2 KiB, and proxies add a few headers. Node.js keeps an incomplete head in memory.
  maxHeaderSize: 32 * kibi,
  // Longer than the 90 seconds for which API servers keep an idle connection, used or unused. The client must close it
  // first: a request that is sent while the server closes the connection is lost. The difference is a reserve for a busy
  // process. In Node.js, the first two times start with the connection. Times that start with a request are enforced by the
  // connection limiter.
  headersTimeout: 120 * seconds,
  requestTimeout: 120 * seconds,
  keepAliveTimeout: 120 * seconds,
  // Interval at which Node.js searches for late requests.
  connectionsCheckingInterval: 1 * seconds,
};

/** Time in milliseconds from the first to the last byte of an HTTP/1.1 head. Clients in a cluster send a head in one piece. */
export const maxHeadTime: number = 10 * seconds;

/** Limits of the TLS handshake. */
export const tlsLimits: { handshakeTimeout: number } = { handshakeTimeout: 10 * seconds };

/** Limits of an HTTP/2 session, with the names of Node.js. */
export const http2Limits: {
  maxSessionMemory: number;
  maxSettings: number;
  maxSessionInvalidFrames: number;
  maxSessionRejectedStreams: number;
  settings: { maxConcurrentStreams: number; maxHeaderListSize: number };
} = {
  // In MiB, the minimum of Node.js: heads and queued frames of a session. Bodies are limited separately.
  maxSessionMemory: 1,
  // Entries per SETTINGS frame. The protocol defines fewer than ten.
  maxSettings: 16,
  // Invalid frames and streams before the session ends. Correct clients send none, or a few before they receive the
  // first settings.
  maxSessionInvalidFrames: 10,
  maxSessionRejectedStreams: 100,
  settings: {
    // Each takes about 10 KiB and 0.1 ms without its body. Go's clients open another connection for more streams. They retry
    // requests that were refused because they were sent before the settings arrived.
    maxConcurrentStreams: 32,
    maxHeaderListSize: limits.maxHeaderSize,
  },
};

/**
 * Maximum number of connections per server. A TLS connection takes about 60 KiB, and an API server opens one per
 * concurrent HTTP/1.1 request. Clients reconnect when a connection is closed, and a handshake costs more than hundreds
 * of idle connections.
 */
export const maxConnections = 1024;

/** The same for HTTP/2, whose sessions take more memory. */
export const maxHttp2Connections = 640;

/**
 * Requests in progress per HTTP/1.1 connection. Clients wait for a response before the next request, which can arrive
 * slightly too early.
 */
export const maxPipelinedRequests = 2;

/** HTTP/2 requests in progress per server above which connections are limited to {@link fairStreams}. Each takes about 10 KiB. */
export const maxStreams = 4096;

/** HTTP/2 requests that each connection may always have in progress. */
export const fairStreams = 8;

/**
 * Requests that a connection may cancel before their response, minus those that were answered. API servers cancel after
 * a timeout.
 */
export const maxCancelledRequests = 50;
