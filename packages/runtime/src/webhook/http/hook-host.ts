import type { Logger } from "../../log/logger.ts";
import type { Tracer } from "../../tracing/tracer.ts";
import type { WebhookInspection } from "./inspection.ts";
import type { MemoryLimiter } from "./memory-limiter.ts";
import type { WebhookMetrics } from "./metrics.ts";

/** The parts of a server that its handlers use. */
export interface HookHost {
  log: Logger;
  metrics: WebhookMetrics;
  /** Limits the memory of all bodies that the server receives. */
  memory: MemoryLimiter;
  tracer?: () => Tracer | undefined;
  /** Records the requests. */
  inspection?: WebhookInspection;
  /** Stops the server with an error. */
  fail(error: unknown): void;
}
