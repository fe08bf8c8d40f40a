import type { Logger } from "../log/logger.ts";

/** A response, or the failure to get one, for metrics. */
export interface Exchange {
  /** The HTTP method. */
  method: string;
  /** HTTP status code, or `<error>` if there was no response. */
  code: string;
  /** Host and port of the server. */
  host: string;
  /** Time in milliseconds from the request to the status line. */
  duration: number;
}

/** Receives further details of requests, at a small cost per call. Durations are in milliseconds. */
export interface RequestDetails {
  /**
   * Called when a request waited for the client-side rate limit.
   *
   * @param method - the HTTP method
   * @param host - host and port of the server
   * @param duration - the waiting time in milliseconds
   */
  rateLimited(method: string, host: string, duration: number): void;
  /**
   * Called with the size of a request's body.
   *
   * @param method - the HTTP method
   * @param host - host and port of the server
   * @param bytes - the size in bytes
   */
  sent(method: string, host: string, bytes: number): void;
  /**
   * Called with the size of a response's body. Streams aren't counted, since they don't end.
   *
   * @param method - the HTTP method
   * @param host - host and port of the server
   * @param bytes - the size in bytes
   */
  received(method: string, host: string, bytes: number): void;
  /**
   * Called when a request is sent again.
   *
   * @param method - the HTTP method
   * @param host - host and port of the server
   * @param code - the HTTP status code, or `<error>`
   */
  retried(method: string, host: string, code: string): void;
  /**
   * Called when the server's host name was resolved.
   *
   * @param host - the host name
   * @param duration - the time in milliseconds
   */
  resolved(host: string, duration: number): void;
}

/** Options of {@link createTransport}. */
export interface TransportOptions {
  /**
   * Receives the server's warnings, each text once.
   *
   * @defaultValue none
   */
  logger?: Logger;
  /**
   * Called for each attempt to send a request.
   *
   * @defaultValue none
   */
  observe?: (exchange: Exchange) => void;
  /**
   * Called for each request. Returns who receives details of it.
   *
   * @defaultValue none
   */
  details?: () => RequestDetails | undefined;
}
