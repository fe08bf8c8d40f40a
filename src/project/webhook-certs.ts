import { shown } from "./names.ts";
import { inputProblem, type Problem } from "./problem.ts";

/**
 * Where webhooks get their certificate: the manager makes it by itself, cert-manager issues it, or it lies in files that
 * somebody else writes. In the order in which they are offered.
 */
export const webhookCertificates = ["self", "cert-manager", "files"] as const;
export type WebhookCertificates = (typeof webhookCertificates)[number];

/** What kubebuilder's projects have, and what PROJECT doesn't record. */
export const defaultCertificates: WebhookCertificates = "cert-manager";

export function isWebhookCertificates(value: unknown): value is WebhookCertificates {
  return webhookCertificates.some((known) => known === value);
}

/** Why a value of `--webhook-certs` can't be taken. */
export function webhookCertsProblem(value: string): Problem | undefined {
  if (isWebhookCertificates(value)) return undefined;
  return inputProblem(
    "bad-webhook-certs",
    `--webhook-certs ${shown(value)} is not known: self, cert-manager and files are, such as --webhook-certs self`,
  );
}
