import { byteLength, type Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isDNS1123Subdomain } from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, textOf } from "../../fields/fields.ts";

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainName = /^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$/;

function userProblems(text: string): string[] {
  if (text === "") return ["runAsUserName cannot be an empty string"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about these characters
  if (/[\u0000-\u001f\u007f]/.test(text)) return ["runAsUserName cannot contain control characters"];
  const parts = text.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const [domain, user = ""] = parts.length === 1 ? [undefined, parts[0]] : parts;
  const problems: string[] = [];
  if (domain !== undefined && byteLength(domain) >= 256) {
    problems.push("runAsUserName's Domain length must be under 256 characters");
  }
  if (domain !== undefined && !netBios.test(domain) && !domainName.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > 104) {
    problems.push("runAsUserName's User length must not be longer than 104 characters");
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
  return problems;
}

/** Checks the options of a security context for Windows. */
export function windowsOptionsErrors(value: Json | undefined, path: string): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credential, runAsUserName: user } = fieldsOf(value);
  const errors: FieldError[] = [];
  if (isSet(name)) errors.push(...invalidFor(`${path}.gmsaCredentialSpecName`, name, isDNS1123Subdomain(textOf(name))));
  const at = `${path}.gmsaCredentialSpec`;
  const size = byteLength(textOf(credential));
  if (isSet(credential) && size === 0) {
    errors.push(invalidValue(at, credential, "gmsaCredentialSpec cannot be an empty string"));
  } else if (size > 64 * 1024) {
    errors.push(invalidValue(at, credential, "gmsaCredentialSpec size must be under 64 KiB"));
  }
  if (isSet(user)) errors.push(...invalidFor(`${path}.runAsUserName`, user, userProblems(textOf(user))));
  return errors;
}
