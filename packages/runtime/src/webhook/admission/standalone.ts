import type { RequestListener } from "node:http";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { noWebhookMetrics } from "../http/metrics.ts";
import type { AdmissionOptions } from "../options/server.ts";
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
 * The webhook limits the size and the rate of request bodies, and their memory together to a sixteenth of the heap. Your server limits everything else: connections, request
 * heads and TLS versions. Node's servers accept any number of connections by default. `mgr.webhookServer` and a {@link Server} that
 * gets a listener limit connections as well.
 *
 * @example
 * createServer(tlsOptions, standaloneWebhook({ handle: () => allowed() })).listen(9443);
 */
export function standaloneWebhook(handler: AdmissionHandler, options: StandaloneOptions = {}): RequestListener {
  const { logger: log = createLogger(), ...hook } = options;
  const logged = {
    log,
    metrics: noWebhookMetrics,
    fail: (error: unknown) =>
      log.error(error, "Bug in the webhook, which isn't recovered because of recoverPanic: false"),
  };
  // Loaded when a webhook is created, since not every program that imports the runtime needs it.
  const listener = Promise.all([import("./hook.ts"), import("../http/memory-limiter.ts")]).then(
    ([{ admissionListener }, { bodyMemory }]) =>
      admissionListener({ ...hook, handler }, { ...logged, memory: bodyMemory() }),
  );
  return async (request, response) => (await listener)(request, response);
}
