import { type FieldError, invalidValue, isDNS1123Subdomain, required, tooLong } from "@kubewright/cel/validation";
import { invalidFor } from "./fields.ts";

const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/**
 * Checks a name that begins with a domain, such as `example.com/controller`.
 *
 * @param text - the name
 * @param path - its path
 * @param limit - the largest number of bytes
 * @returns the errors
 */
export function domainPrefixedPathErrors(text: string, path: string, limit: number): FieldError[] {
  const errors: FieldError[] = [];
  if (text.length > limit) errors.push(tooLong(path, limit));
  if (text === "") return [required(path, "")];
  const slash = text.indexOf("/");
  const [domain, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || rest === "") {
    return [...errors, invalidValue(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  errors.push(...invalidFor(path, domain, isDNS1123Subdomain(domain)));
  if (!pathPattern.test(rest)) {
    const detail = `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`;
    errors.push(invalidValue(path, rest, detail));
  }
  return errors;
}
