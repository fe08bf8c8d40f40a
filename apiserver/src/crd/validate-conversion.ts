import { X509Certificate } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { FieldError } from "../request/field-error.ts";
import { at, child, forbiddenValue, invalidValue, notSupported, required } from "../request/paths.ts";
import { isDNS1035Label, isDNS1123Subdomain, isValidPortNumber } from "../validation/name-rules.ts";
import { textOf } from "./internal-form.ts";

const reviewVersions = ["v1", "v1beta1"];

/** @returns true if one of the versions is one that the server sends, or there are none */
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
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  return certificates.some((certificate) => {
    try {
      new X509Certificate(certificate);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Validates the URL of a webhook.
 *
 * @param url - the URL
 * @param path - its path
 * @returns the errors
 */
export function validateWebhookUrl(url: string, path: string): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [, scheme = "", authority = "", query = "", fragment = ""] = match ?? [];
  const errors: FieldError[] = [];
  const user = authority.includes("@") ? authority.slice(0, authority.lastIndexOf("@")) : undefined;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (scheme.toLowerCase() !== "https") {
    errors.push(invalidValue(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (host === "") errors.push(invalidValue(path, host, `host must be specified${form}`));
  if (user !== undefined) errors.push(invalidValue(path, user, "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalidValue(path, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalidValue(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

/**
 * Validates the service of a webhook. As in the real server, the paths of an absent name and an absent namespace are swapped.
 *
 * @param service - the service, with its default port
 * @param path - its path
 * @returns the errors
 */
export function validateWebhookService(service: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (textOf(service.namespace) === "") errors.push(required(child(path, "name"), ""));
  if (textOf(service.name) === "") errors.push(required(child(path, "namespace"), ""));
  const port = Number(service.port ?? 443);
  const rules = isValidPortNumber(port);
  if (rules.length > 0) errors.push(invalidValue(child(path, "port"), port, `port is not valid: ${rules.join(", ")}`));
  if (typeof service.path !== "string" || service.path === "" || service.path === "/") return errors;
  const url = service.path;
  const field = child(path, "path");
  if (url === "//") return [...errors, invalidValue(field, url, "segment[0] may not be empty")];
  if (!url.startsWith("/")) errors.push(invalidValue(field, url, "must start with a '/'"));
  for (const [index, segment] of url.slice(1).replace(/\/$/, "").split("/").entries()) {
    if (segment === "") errors.push(invalidValue(field, url, `segment[${index}] may not be empty`));
    else
      for (const rule of isDNS1123Subdomain(segment))
        errors.push(invalidValue(field, url, `segment[${index}]: ${rule}`));
  }
  return errors;
}
