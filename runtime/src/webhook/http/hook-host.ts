import type { Logger } from "../../log/logger.ts";
import type { Tracer } from "../../tracing/tracer.ts";
import type { WebhookMetrics } from "../metrics.ts";

/** What the paths of a server need of it. */
export interface HookHost {
  log: Logger;
  metrics: WebhookMetrics;
  tracer?: () => Tracer | undefined;
  /** Ends the server with an error. */
  fail(error: unknown): void;
}
