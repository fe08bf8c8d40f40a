import type { TransportRequest } from "../transport.ts";

/** One HTTP request, ready for the wire. */
export interface WireRequest {
  origin: string;
  method: TransportRequest["method"];
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string;
  /** Milliseconds until the status line must be there. */
  headersTimeout: number;
  /** Milliseconds between two pieces of the body; 0 for none. */
  bodyTimeout: number;
  /** Throws what keeps the request back. */
  beforeSend?: () => void;
}
