import { X509Certificate } from "node:crypto";
import { textOf } from "@kubewright/cel/crd";
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  at,
  child,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1035Label,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { validateWebhookService, validateWebhookUrl } from "../validation/webhook-client.ts";

const reviewVersions = ["v1", "v1beta1"];

/** Returns true if one of the versions is one that the server sends, or there are none. */
export function hasKnownReviewVersion(conversion: JsonObject | undefined): boolean {
  const versions = isObject(conversion?.webhook) ? conversion.webhook.conversionReviewVersions : undefined;
  if (!Array.isArray(versions) || versions.length === 0) return true;
  return versions.some((version) => reviewVersions.includes(version as string));
}

/**
 * Validates `spec.conversion`.
 *
 * @param conversion - the conversion
 * @param path - its path
 * @param requireKnownVersion - false if the stored definition has no review version that the server supports
 * @param allowInvalidCA - true if an invalid CA bundle is accepted
 * @returns the errors
 */
export function validateConversion(
  conversion: JsonObject | undefined,
  path: string,
  requireKnownVersion: boolean,
  allowInvalidCA: boolean,
): FieldError[] {
  if (conversion === undefined) return [];
  const errors: FieldError[] = [];
  const strategy = textOf(conversion.strategy);
  const strategies = ["None", "Webhook"];
  const strategyPath = child(path, "strategy");
  if (strategy === "") errors.push(required(strategyPath, ""));
  else if (!strategies.includes(strategy)) errors.push(notSupported(strategyPath, strategy, strategies));
  const webhook = isObject(conversion.webhook) ? conversion.webhook : undefined;
  const config = isObject(webhook?.clientConfig) ? webhook.clientConfig : undefined;
  const versions = Array.isArray(webhook?.conversionReviewVersions) ? webhook.conversionReviewVersions : [];
  const configPath = child(path, "webhookClientConfig");
  const versionsPath = child(path, "conversionReviewVersions");
  if (strategy !== "Webhook") {
    const detail = "should not be set when strategy is not set to Webhook";
    if (config !== undefined) errors.push(forbiddenValue(configPath, detail));
    if (versions.length > 0) errors.push(forbiddenValue(versionsPath, detail));
    return errors;
  }
  if (config === undefined) errors.push(required(configPath, "required when strategy is set to Webhook"));
  else {
    const hasUrl = typeof config.url === "string";
    if (hasUrl === isObject(config.service)) {
      errors.push(required(configPath, "exactly one of url or service is required"));
    } else if (hasUrl) errors.push(...validateWebhookUrl(textOf(config.url), child(configPath, "url")));
    else errors.push(...validateWebhookService(config.service as JsonObject, child(configPath, "service")));
    const bundle = textOf(config.caBundle);
    if (bundle !== "" && !allowInvalidCA && !isCABundle(bundle)) {
      const detail = "unable to load root certificates: unable to parse bytes as PEM block";
      errors.push(invalidValue(child(configPath, "caBundle"), bundle, detail));
    }
  }
  return [...errors, ...reviewVersionErrors(versions, versionsPath, requireKnownVersion)];
}

function reviewVersionErrors(versions: readonly Json[], path: string, requireKnown: boolean): FieldError[] {
  if (versions.length === 0) return [required(path, "")];
  const errors: FieldError[] = [];
  const seen = new Set<Json>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalidValue(at(path, index), version, "duplicate version"));
      continue;
    }
    seen.add(version);
    for (const rule of isDNS1035Label(textOf(version))) errors.push(invalidValue(at(path, index), version, rule));
  }
  if (requireKnown && !reviewVersions.some((version) => seen.has(version))) {
    errors.push(invalidValue(path, [...versions], `must include at least one of ${reviewVersions.join(", ")}`));
  }
  return errors;
}

/**
 * Reports whether a CA bundle of a webhook can be used.
 *
 * @param bundle - the bundle in base64
 * @returns true if it holds a certificate, or is empty
 */
export function isCABundle(bundle: string): boolean {
  if (bundle === "") return true;
  const text = Buffer.from(bundle, "base64").toString("latin1");
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return certificates.some((certificate) => {
    try {
      new X509Certificate(certificate);
      return true;
    } catch {
      return false;
    }
  });
}
