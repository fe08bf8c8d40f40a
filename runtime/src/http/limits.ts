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
  // Longer than the 90 seconds for which API servers keep a connection without a request, also one that has not had any yet. The caller
  // must be the first to close it: a request that is sent while the server closes is lost. The rest is for a process that had no time to
  // read for a while. Node's first two times begin with the connection; those that begin with a request are ours.
  headersTimeout: 120 * seconds,
  requestTimeout: 120 * seconds,
  keepAliveTimeout: 120 * seconds,
  // Node finds late requests by this interval.
  connectionsCheckingInterval: 1 * seconds,
};

/** Milliseconds from the first byte of a head of HTTP/1.1 to its last. Callers within a cluster send a head at once. */
export const maxHeadTime: number = 10 * seconds;

/** Limits of the TLS handshake. */
export const tlsLimits: { handshakeTimeout: number } = { handshakeTimeout: 10 * seconds };

/** Limits of an HTTP/2 session, by Node's names. */
export const http2Limits: {
  maxSessionMemory: number;
  maxSettings: number;
  maxSessionInvalidFrames: number;
  maxSessionRejectedStreams: number;
  settings: { maxConcurrentStreams: number; maxHeaderListSize: number };
} = {
  // Mebibytes, and the least that Node takes: heads and queued frames of a session. Bodies are limited separately.
  maxSessionMemory: 1,
  // Entries per SETTINGS frame. The protocol defines fewer than ten.
  maxSettings: 16,
  // Frames and streams that a client sends against the rules before its session ends. Correct clients send none, or a few that cross
  // with the first settings.
  maxSessionInvalidFrames: 10,
  maxSessionRejectedStreams: 100,
  settings: {
    // Each takes about 10 KiB and 0.1 ms before its body. Go's clients open another connection for more, and repeat those that were
    // refused because they were sent before the settings arrived.
    maxConcurrentStreams: 32,
    maxHeaderListSize: limits.maxHeaderSize,
  },
};

/**
 * Connections per server. One over TLS takes about 60 KiB, and an API server opens one per concurrent request over HTTP/1.1. Clients
 * that are closed come back, and a handshake costs more than an idle connection: it is cheaper to let hundreds of them wait.
 */
export const maxConnections = 1024;

/** The same for HTTP/2, where a session takes more. */
export const maxHttp2Connections = 640;

/** Requests in progress per connection of HTTP/1.1. Clients wait for an answer before their next request; that may come a bit too early. */
export const maxPipelinedRequests = 2;

/** HTTP/2 requests in progress per server from which on connections are held to {@link fairStreams}. Each takes about 10 KiB. */
export const maxStreams = 4096;

/** Requests that a connection of HTTP/2 may always have in progress. */
export const fairStreams = 8;

/** Requests that a connection may take back before their answer, less those that were answered. API servers do so after a timeout. */
export const maxCancelledRequests = 50;
