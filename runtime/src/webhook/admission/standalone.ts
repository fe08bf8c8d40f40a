import type { RequestListener } from "node:http";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { noWebhookMetrics } from "../metrics.ts";
import type { AdmissionOptions } from "../options.ts";
import type { AdmissionHandler } from "./types.ts";

/** Options of {@link standaloneWebhook}. */
export interface StandaloneOptions extends AdmissionOptions {
  /**
   * Logger of the webhook.
   *
   * @defaultValue JSON lines on standard error
   */
  logger?: Logger;
}

/**
 * Creates an admission webhook for your own server, without a manager. It answers AdmissionReviews at any path. With
 * `recoverPanic: false`, a bug in the handler ends the connection without a response.
 *
 * @param handler - answers the requests
 * @param options - see {@link StandaloneOptions}
 * @returns a listener for a server of Node.js
 *
 * The webhook limits the size, the rate and the memory of request bodies. Your server limits everything else: connections, request
 * heads and TLS versions. Node's servers accept any number of connections by default. `mgr.webhookServer` and a {@link Server} that
 * gets a listener limit connections as well.
 *
 * @example
 * https.createServer({ cert, key }, standaloneWebhook({ handle: () => allowed() })).listen(9443);
 */
export function standaloneWebhook(handler: AdmissionHandler, options: StandaloneOptions = {}): RequestListener {
  const { logger: log = createLogger(), ...hook } = options;
  const host = {
    log,
    metrics: noWebhookMetrics,
    fail: (error: unknown) =>
      log.error(error, "Observed a panic in the webhook, which recoverPanic: false doesn't recover"),
  };
  // Loaded when a webhook is created, since not every program that imports the runtime needs it.
  const listener = import("./hook.ts").then(({ admissionListener }) => admissionListener({ ...hook, handler }, host));
  return async (request, response) => (await listener)(request, response);
}
