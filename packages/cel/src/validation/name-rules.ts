import { byteLength } from "../json/bytes.ts";

/** Validators of names and labels: each returns the texts of the rules that a value breaks. */
export type NameValidator = (name: string, prefix: boolean) => string[];

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelKey = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelPattern = wholeText(label);
const subdomainPattern = wholeText(subdomain);
const label1035Pattern = wholeText(label1035);
const labelKeyPattern = wholeText(labelKey);

/** Anchors a pattern. The patterns here are our own and have no nested repetition of the same characters. */
function wholeText(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** @returns the text for a value that doesn't match a pattern */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  const rule = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${message} (${rule}`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}${rule}`;
}

/** @returns the text for a value that is too long, of the newer validators */
export function maxBytesError(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** @returns the text for a value that is too long, of the older validators */
export function maxLengthError(length: number): string {
  return `must be no more than ${length} characters`;
}

/** @returns the rules of labels of RFC 1123 that the value breaks */
export function isDNS1123Label(value: string): string[] {
  const errors = byteLength(value) > 63 ? [maxLengthError(63)] : [];
  if (labelPattern.test(value)) return errors;
  if (subdomainPattern.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, regexError(rule, label, "my-name", "123-abc")];
}

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** @returns the rules of subdomains of RFC 1123 that the value breaks */
export function isDNS1123Subdomain(value: string): string[] {
  const errors = byteLength(value) > 253 ? [maxLengthError(253)] : [];
  if (!subdomainPattern.test(value)) errors.push(regexError(subdomainRule, subdomain, "example.com"));
  return errors;
}

/** @returns the rules of labels of RFC 1035 that the value breaks */
export function isDNS1035Label(value: string): string[] {
  const errors = byteLength(value) > 63 ? [maxLengthError(63)] : [];
  if (!label1035Pattern.test(value)) {
    const rule =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
    errors.push(regexError(rule, label1035, "my-name", "abc-123"));
  }
  return errors;
}

/** @returns the rules of wildcard subdomains that the value breaks */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  const errors = byteLength(value) > 253 ? [maxLengthError(253)] : [];
  if (!value.startsWith("*.") || !subdomainPattern.test(value.slice(2))) {
    const rule =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
    errors.push(regexError(rule, `\\*\\.${subdomain}`, "*.example.com"));
  }
  return errors;
}

const labelKeyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** @returns the rules of label keys that the value breaks */
export function isQualifiedName(value: string): string[] {
  const errors: string[] = [];
  const keyRule = (): string => regexError(labelKeyRule, labelKey, "MyName", "my.name", "123-abc");
  const parts = value.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${keyRule()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) as string;
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    if (prefix === "") errors.push("prefix part must be non-empty");
    else errors.push(...subdomainWithBytes(prefix).map((message) => `prefix part ${message}`));
  }
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > 63) errors.push(`name part ${maxBytesError(63)}`);
  if (!labelKeyPattern.test(name)) errors.push(`name part ${keyRule()}`);
  return errors;
}

function subdomainWithBytes(value: string): string[] {
  const errors = byteLength(value) > 253 ? [maxBytesError(253)] : [];
  if (!subdomainPattern.test(value)) errors.push(regexError(subdomainRule, subdomain, "example.com"));
  return errors;
}

/** @returns the rules of label values that the value breaks */
export function isValidLabelValue(value: string): string[] {
  const errors = byteLength(value) > 63 ? [maxBytesError(63)] : [];
  if (value !== "" && !labelKeyPattern.test(value)) {
    const rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    errors.push(regexError(rule, `(${labelKey})?`, "MyValue", "my_value", "12345"));
  }
  return errors;
}

/** @returns the rules of names in paths that the value breaks; a prefix may be `.` or `..` */
export function isPathSegment(name: string, prefix: boolean): string[] {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** Replaces the dash that ends a `generateName`: characters will follow it. */
function maskTrailingDash(name: string, prefix: boolean): string {
  return prefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

/** Checks names that are subdomains of RFC 1123. */
export const nameIsDNSSubdomain: NameValidator = (name, prefix) => isDNS1123Subdomain(maskTrailingDash(name, prefix));

/** Checks names that are subdomains of RFC 1123, with the newer validators, which accept any prefix of a name. */
export const nameIsLongName: NameValidator = (name, prefix) =>
  prefix ? [] : isDNS1123Subdomain(name).map((text) => (text === maxLengthError(253) ? maxBytesError(253) : text));

/** Checks names that are labels of RFC 1123. */
export const nameIsDNSLabel: NameValidator = (name, prefix) => isDNS1123Label(maskTrailingDash(name, prefix));

/** Checks names that are labels of RFC 1035. */
export const nameIsDNS1035Label: NameValidator = (name, prefix) => isDNS1035Label(maskTrailingDash(name, prefix));

/** @returns the rules of port names that the value breaks */
export function isValidPortName(port: string): string[] {
  const errors: string[] = [];
  if (byteLength(port) > 15) errors.push(maxLengthError(15));
  if (!/^[-a-z0-9]+$/.test(port)) errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(port)) errors.push("must contain at least one letter (a-z)");
  if (port.includes("--")) errors.push("must not contain consecutive hyphens");
  if (port.startsWith("-") || port.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

/** @returns the rule of port numbers, if the value breaks it */
export function isValidPortNumber(port: number): string[] {
  return isInRange(port, 1, 65535);
}

/** @returns the rule of a range with both ends, if the value breaks it */
export function isInRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];
}

/** @returns the rules of keys of ConfigMaps and Secrets that the value breaks */
export function isConfigMapKey(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 253) errors.push(maxLengthError(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(regexError(rule, "[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"));
  }
  if (value === ".") errors.push("must not be '.'");
  else if (value === "..") errors.push("must not be '..'");
  else if (value.startsWith("..")) errors.push("must not start with '..'");
  return errors;
}
