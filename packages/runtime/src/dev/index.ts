// The parts of a project's runtime that `scaffold dev`, `scaffold plan` and the tests of the command line use. Operators don't import it.
export { selfSignedCertificate } from "../certs/self-signed.ts";
export { createClient } from "../client/create-client.ts";
export { type FactReader, readAggregated, readDefinitions } from "../discovery/cluster-facts.ts";
export type { KStatus } from "../kstatus/result.ts";
export type * from "../session/plan.ts";
export type * from "../session/records.ts";
export { createTransport } from "../transport/create-transport.ts";
export { ClusterWebhooks, type ClusterWebhooksOptions } from "../webhook/local/cluster-webhooks.ts";
export { createEndpointKeys, type EndpointKeys } from "../webhook/local/endpoint/keys.ts";
export {
  WebhookEndpoint,
  type WebhookEndpointOptions,
  type WebhookTarget,
} from "../webhook/local/endpoint/webhook-endpoint.ts";
