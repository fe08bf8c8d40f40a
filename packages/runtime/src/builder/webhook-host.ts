import type { WebhookServer } from "../webhook/server.ts";

/** The part of a {@link Manager} that a {@link WebhookBuilder} uses. */
export interface WebhookHost {
  /** Serves the webhooks. */
  readonly webhookServer: WebhookServer;
}
