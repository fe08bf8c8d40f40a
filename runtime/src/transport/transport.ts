/** One HTTP exchange with an API server. Paths and query are relative to the server's URL. */
export interface TransportRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path, already escaped, such as `/api/v1/namespaces/default/pods`. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Content type of the body; `application/json` unless said otherwise (patches have their own). */
  contentType?: string;
  /** `Accept` header; `application/json` unless said otherwise. */
  accept?: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /**
   * Called each time right before the request goes onto the wire, however long it waited for a retry, the rate limit or a
   * connection. What it throws keeps the request back, and is what the caller gets.
   */
  beforeSend?: () => void;
  /** Milliseconds until the answer must be complete, retries included; none by default. For streams: until they are open. */
  timeout?: number;
  /** How often the request is sent again when the server says "later" (429 and 5xx with Retry-After) or a GET's connection breaks; 10 by default. */
  maxRetries?: number;
  /**
   * Streams only: milliseconds without a byte after which the connection counts as dead. 72 s by default where bookmarks were asked
   * for (servers send one each minute), else none: TCP keep-alive has to notice then.
   */
  idleTimeout?: number;
}

/** The answer of a server whose status is 2xx; every other status rejects with an `ApiError`. */
export interface TransportResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body; `undefined` where there is none; text where `accept` asked for something else than JSON. */
  body: unknown;
}

/** The answer lines of a stream: parsed JSON values, or text where `accept` asked for something else. Can be iterated once; ends quietly after close() or when the signal aborts. */
export interface TransportStream extends AsyncIterable<unknown> {
  /** Ends the stream and its request; resolves when the connection is given back. */
  close(): Promise<void>;
}

/**
 * The one way to an API server: connection reuse, TLS, credentials, retries after `Retry-After`, JSON that keeps big
 * integers. Clients, caches, discovery and leader election all speak through it.
 */
export interface Transport {
  /** Sends a request and gives the answer; rejects with `ApiError` for any status but 2xx, and with `TransportError` where none comes. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Opens a stream of lines (watches, logs): resolves when the status line is there, rejects with `ApiError` otherwise. */
  stream(request: TransportRequest): Promise<TransportStream>;
  /** Ends all requests and connections. */
  close(): Promise<void>;
}
