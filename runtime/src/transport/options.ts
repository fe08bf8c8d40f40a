import type { Logger } from "../log/logger.ts";

/** One answer (or the lack of one), for metrics. */
export interface Exchange {
  method: string;
  /** HTTP status code, or `<error>` where no answer came. */
  code: string;
  /** Host and port of the server. */
  host: string;
  /** Milliseconds from the request to the status line. */
  duration: number;
}

/** What else can be told of requests: for those who look closely, as each call costs a little. Durations are milliseconds. */
export interface RequestDetails {
  /** A request waited for the limit on requests of this side. */
  rateLimited(method: string, host: string, duration: number): void;
  /** Bytes of a request's body. */
  sent(method: string, host: string, bytes: number): void;
  /** Bytes of an answer's body; those of streams count nowhere, as they never end. */
  received(method: string, host: string, bytes: number): void;
  /** A request is sent again because of this status code, or `<error>`. */
  retried(method: string, host: string, code: string): void;
  /** The server's name was looked up. */
  resolved(host: string, duration: number): void;
}

/** Who is told of what a transport does. */
export interface TransportOptions {
  /** Server warnings go here, each text once. */
  logger?: Logger;
  /** Called for each attempt. */
  observe?: (exchange: Exchange) => void;
  /** Asked for each request who wants to know more of it. */
  details?: () => RequestDetails | undefined;
}
