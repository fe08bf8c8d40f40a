/** An HTTP request to an API server. Path and query are relative to the server's URL. */
export interface TransportRequest {
  /** The HTTP method. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute, escaped path, such as `/api/v1/namespaces/default/pods`. */
  path: string;
  /** Parameters of the query. Undefined ones are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Body, which is sent as JSON. */
  body?: unknown;
  /** Content type of the body. The default is `application/json`; patches have their own. */
  contentType?: string;
  /** `Accept` header. The default is `application/json`. */
  accept?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** Cancels the request. */
  signal?: AbortSignal;
  /**
   * Called each time right before the request is sent, after waiting for a retry, the rate limit or a connection. If it
   * throws, the request isn't sent and the caller receives the error.
   */
  beforeSend?: () => void;
  /**
   * Time limit in milliseconds for the complete response, retries included; for streams, until they are open.
   * Unset for no limit.
   */
  timeout?: number;
  /**
   * Maximum number of retries if the server requests one (429 and 5xx with Retry-After), or if the connection of a GET
   * is lost. The default is 10.
   */
  maxRetries?: number;
  /**
   * Time in milliseconds without data after which a stream's connection counts as lost. By default, TCP keep-alive detects
   * a lost connection in 40 seconds. If something else keeps the connection open, such as a load balancer, a watch counts
   * as lost 72 seconds after a bookmark, because servers send the next one within a minute. Before the first bookmark, it
   * counts as lost 12 seconds after its `timeoutSeconds`.
   */
  idleTimeout?: number;
}

/** A response with status 2xx. Every other status rejects with an `ApiError`. */
export interface TransportResponse {
  /** The HTTP status code. */
  status: number;
  /** The headers, with names in lowercase. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body, `undefined` if there is none, or text if `accept` doesn't include JSON. */
  body: unknown;
}

/**
 * The lines of a streamed response: parsed JSON values, or text if `accept` doesn't include JSON. It can be iterated
 * once, and ends without an error after `close()` or when the signal aborts.
 */
export interface TransportStream extends AsyncIterable<unknown> {
  /** Ends the stream and its request. Resolves when the connection is released. */
  close(): Promise<void>;
}

/**
 * Sends requests to an API server, with connection reuse, TLS, credentials, retries after `Retry-After`, and JSON that
 * preserves large integers. Clients, caches, discovery and leader election use it.
 */
export interface Transport {
  /**
   * Sends a request.
   *
   * @param request - the request
   * @returns the response, whose status is 2xx
   * @throws ApiError for any other status
   * @throws TransportError if the response is missing or invalid
   */
  request(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Opens a stream of lines, such as a watch or a log. Resolves when the server has accepted the request.
   *
   * @param request - the request
   * @returns the stream
   * @throws ApiError if the status isn't 2xx
   * @throws TransportError if the response is missing or invalid
   */
  stream(request: TransportRequest): Promise<TransportStream>;
  /** Ends all requests and connections. */
  close(): Promise<void>;
}
