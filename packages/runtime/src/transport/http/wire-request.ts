/** An HTTP request, ready to be sent. */
export interface WireRequest {
  origin: string;
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string;
  /** Time limit in milliseconds until the status line arrives. */
  headersTimeout: number;
  /** Time limit in milliseconds between two pieces of the body; 0 disables it. */
  bodyTimeout: number;
  /** Called right before the request is sent. If it throws, the request isn't sent. */
  beforeSend?: () => void;
}
