import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  child,
  type FieldError,
  invalidValue,
  isDNS1123Subdomain,
  isValidPortNumber,
  required,
} from "@kubewright/cel/validation";
import { parseUrl } from "./url.ts";

const form = "; desired format: https://host[/path]";

/**
 * Validates the URL of a webhook.
 *
 * @param text - the URL
 * @param path - its path
 * @returns the errors
 */
export function validateWebhookUrl(text: string, path: string): FieldError[] {
  const url = parseUrl(text);
  if ("problem" in url) return [required(path, `url must be a valid URL: ${url.problem}${form}`)];
  const { scheme, host, user, fragment, query } = url;
  const errors: FieldError[] = [];
  if (scheme !== "https") errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`));
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
  if (isEmpty(service.namespace)) errors.push(required(child(path, "name"), ""));
  if (isEmpty(service.name)) errors.push(required(child(path, "namespace"), ""));
  const port = Number(service.port ?? 443);
  const rules = isValidPortNumber(port);
  if (rules.length > 0) errors.push(invalidValue(child(path, "port"), port, `port is not valid: ${rules.join(", ")}`));
  if (typeof service.path !== "string" || service.path === "" || service.path === "/") return errors;
  return [...errors, ...urlPathErrors(service.path, child(path, "path"))];
}

function isEmpty(value: Json | undefined): boolean {
  return typeof value !== "string" || value === "";
}

function urlPathErrors(urlPath: string, path: string): FieldError[] {
  if (urlPath === "//") return [invalidValue(path, urlPath, "segment[0] may not be empty")];
  const errors = urlPath.startsWith("/") ? [] : [invalidValue(path, urlPath, "must start with a '/'")];
  for (const [index, segment] of urlPath.slice(1).replace(/\/$/, "").split("/").entries()) {
    const problems = segment === "" ? [" may not be empty"] : isDNS1123Subdomain(segment).map((rule) => `: ${rule}`);
    errors.push(...problems.map((problem) => invalidValue(path, urlPath, `segment[${index}]${problem}`)));
  }
  return errors;
}
