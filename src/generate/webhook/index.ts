export { type WebhookConfiguration, type WebhooksInput, webhookConfigurations } from "./configurations.ts";
