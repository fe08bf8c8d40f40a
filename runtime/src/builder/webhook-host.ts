import type { WebhookServer } from "../webhook/server.ts";

/** What a webhook builder needs of a manager. */
export interface WebhookHost {
  readonly webhookServer: WebhookServer;
}
