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

export interface TransportOptions {
  /** Server warnings go here, each text once. */
  logger?: Logger;
  /** Called for each attempt. */
  observe?: (exchange: Exchange) => void;
}
