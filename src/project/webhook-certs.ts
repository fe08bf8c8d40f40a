import { inputProblem, type Problem } from "./problem.ts";
import { unknownValue } from "./unknown-value.ts";

/**
 * Sources of the webhook certificate: the manager creates it, cert-manager issues it, or another tool provides it in files. The
 * prompt and completion list them in this order.
 */
export const webhookCertificates = ["self", "cert-manager", "files"] as const;
export type WebhookCertificates = (typeof webhookCertificates)[number];

/** The default, as in kubebuilder. PROJECT records it only if the user chose it. */
export const defaultCertificates: WebhookCertificates = "cert-manager";

/** Whether a value is a valid source of the webhook certificate. */
export function isWebhookCertificates(value: unknown): value is WebhookCertificates {
  return webhookCertificates.some((choice) => choice === value);
}

/** Checks `--webhook-certs`. */
export function webhookCertsProblem(value: string): Problem | undefined {
  if (isWebhookCertificates(value)) return undefined;
  const { message, hint } = unknownValue("--webhook-certs", value, webhookCertificates);
  return inputProblem("bad-webhook-certs", message, hint);
}
