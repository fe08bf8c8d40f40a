import { byteLength } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Subdomain,
  regexError,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import { driverNameErrors } from "../core/volume/volume-sources.ts";
import { invalidFor } from "../fields/fields.ts";

const longestPool = 253;
const longestID = 32;

/** Checks the name of a pool of devices: subdomains with slashes in between. */
export function poolNameErrors(name: string, path: string): FieldError[] {
  if (name === "") return [required(path, "")];
  return [
    ...(byteLength(name) > longestPool ? [tooLong(path, longestPool)] : []),
    ...name.split("/").flatMap((part) => invalidFor(path, part, isDNS1123Subdomain(part))),
  ];
}

function identifierErrors(id: string, path: string): FieldError[] {
  const problem =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  const rule = regexError(problem, "[A-Za-z_][A-Za-z0-9_]*", "my_name", "MY_NAME", "MyName");
  return [
    ...(byteLength(id) > longestID ? [tooLong(path, longestID)] : []),
    ...(/^[A-Za-z_][A-Za-z0-9_]*$/.test(id) ? [] : [invalidValue(path, id, rule)]),
  ];
}

/** Checks the name of an attribute or a capacity, which may begin with the domain of its driver. */
export function qualifiedNameErrors(name: string, path: string): FieldError[] {
  const parts = name.split("/");
  const [domain = "", id = ""] = parts;
  if (parts.length === 1) return identifierErrors(name, path);
  // The real server has no rule about more slashes.
  if (parts.length > 2) return [];
  return [
    ...(domain === "" ? [invalidValue(path, "", "the domain must not be empty")] : driverNameErrors(domain, path)),
    ...(id === "" ? [invalidValue(path, "", "name must not be empty")] : identifierErrors(id, path)),
  ];
}

/** Checks the name of an attribute that must begin with a domain. */
export function fullyQualifiedNameErrors(name: string, path: string): FieldError[] {
  const detail = "a fully qualified name must be a domain and a name separated by a slash";
  return [...qualifiedNameErrors(name, path), ...(name.includes("/") ? [] : [invalidValue(path, name, detail)])];
}
