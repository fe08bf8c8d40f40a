import { byteLength } from "../../json/bytes.ts";
import { define, type Functions } from "../declarations/function.ts";
import { parseTime } from "../values/time.ts";
import { ArrayList, noValue, OpaqueValue, Optional, type Value } from "../values/value.ts";
import { urlProblems } from "./net.ts";

/** A named format of texts. */
class NamedFormat extends OpaqueValue {
  readonly typeName = "kubernetes.NamedFormat";
  readonly name: string;
  readonly patternSize: number;
  readonly validate: (text: string) => string[];

  constructor(name: string, patternSize: number, validate: (text: string) => string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.validate = validate;
  }

  equals(other: NamedFormat): boolean {
    return this.name === other.name;
  }
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const regexUsed = (pattern: string) => `regex used for validation is '${pattern}'`;
const tooLong = (limit: number) => `must be no more than ${limit} bytes`;

function check(pattern: string, limit: number, message: string, ...examples: string[]) {
  const regex = new RegExp(`^(?:${pattern})$`);
  const shown = examples.map((example) => `'${example}'`).join(",  or ");
  const details = `${message} (e.g. ${shown}, ${regexUsed(pattern)})`;
  return (text: string) => [
    ...(byteLength(text) > limit ? [tooLong(limit)] : []),
    ...(regex.test(text) ? [] : [details]),
  ];
}

const dnsLabel = check(
  label,
  63,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  "my-name",
  "123-abc",
);
const dns1123Label = (text: string) => {
  const problems = dnsLabel(text);
  const isSubdomain = problems.length > 0 && text.includes(".") && dnsSubdomain(text).length === 0;
  return isSubdomain ? [...problems.slice(0, -1), "must not contain dots"] : problems;
};
const dnsSubdomain = check(
  subdomain,
  253,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  "example.com",
);
const dns1035 = check(
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  63,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "my-name",
  "abc-123",
);
const qualified = check(
  "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
  63,
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "MyName",
  "my.name",
  "123-abc",
);
const labelValue = check(
  "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
  63,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "MyValue",
  "my_value",
  "12345",
);

function qualifiedName(text: string): string[] {
  const parts = text.split("/");
  const name = parts.at(-1) as string;
  const problems: string[] = [];
  if (parts.length > 2) {
    const rule =
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    return [
      `${rule} (e.g. 'MyName',  or 'my.name',  or '123-abc', ${regexUsed("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")}) with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (parts.length === 2) {
    if (parts[0] === "") problems.push("prefix part must be non-empty");
    else problems.push(...dnsSubdomain(parts[0] as string).map((problem) => `prefix part ${problem}`));
  }
  if (name === "") problems.push("name part must be non-empty");
  return [...problems, ...qualified(name).map((problem) => `name part ${problem}`)];
}

/** Checks a prefix of a generated name: a trailing dash is completed to a valid character. */
const prefixed = (validate: (text: string) => string[]) => (text: string) =>
  validate(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
const only = (holds: (text: string) => boolean, problem: string) => (text: string) => (holds(text) ? [] : [problem]);

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
/** The lengths of the patterns of the real server. Its pattern of URLs is only an estimate. */
const timePatternSize = 71;
const uuidPatternSize = 70;
const urlPatternSize = 1103;

const formats = new Map<string, NamedFormat>(
  (
    [
      ["dns1123Label", "DNS1123Label", 30, dns1123Label],
      ["dns1123Subdomain", "DNS1123Subdomain", 60, dnsSubdomain],
      ["dns1035Label", "DNS1035Label", 30, dns1035],
      ["qualifiedName", "QualifiedName", 60, qualifiedName],
      ["dns1123LabelPrefix", "DNS1123LabelPrefix", 30, prefixed(dns1123Label)],
      ["dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, prefixed(dnsSubdomain)],
      ["dns1035LabelPrefix", "DNS1035LabelPrefix", 30, prefixed(dns1035)],
      ["labelValue", "LabelValue", 40, labelValue],
      ["uri", "URI", urlPatternSize, urlProblems],
      ["uuid", "uuid", uuidPatternSize, only((text) => uuid.test(text), "does not match the UUID format")],
      ["byte", "byte", 84, only((text) => base64.test(text), "invalid base64")],
      ["date", "date", timePatternSize, only((text) => parseTime(`${text}T00:00:00Z`) !== undefined, "invalid date")],
      ["datetime", "datetime", timePatternSize, only((text) => parseTime(text) !== undefined, "invalid datetime")],
    ] as const
  ).map(([key, name, patternSize, validate]) => [key, new NamedFormat(name, patternSize, validate)]),
);

/** @returns the named format that a value is, for its cost */
export function namedFormat(value: Value): { patternSize: number } | undefined {
  return value instanceof NamedFormat ? value : undefined;
}

/**
 * Declares the named formats.
 *
 * @param functions - receives the declarations
 */
export function defineFormats(functions: Functions): void {
  const type = "kubernetes.NamedFormat";
  const validate = (format: NamedFormat, text: string) => {
    const problems = format.validate(text);
    return problems.length === 0 ? noValue : new Optional(new ArrayList(problems));
  };
  define(functions, "validate", ["format-validate", `${type}.(string) -> optional(list(string))`, validate]);
  const byName = (name: string) => {
    const format = formats.get(name);
    return format === undefined ? noValue : new Optional(format);
  };
  define(functions, "format.named", ["format-named", `(string) -> optional(${type})`, byName]);
  for (const [name, format] of formats)
    define(functions, `format.${name}`, [`format.${name}`, `() -> ${type}`, () => format]);
}
