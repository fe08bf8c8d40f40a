const labelKey = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;

const keyPattern = new RegExp(`^${labelKey}$`);
const valuePattern = new RegExp(`^(${labelKey})?$`);
const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);

function tooLong(limit: number): string {
  return `must be no more than ${limit} bytes`;
}

function mismatch(rule: string, pattern: string, examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

/** @returns what keeps a text from being a DNS subdomain of RFC 1123 */
export function subdomainProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 253) problems.push(tooLong(253));
  if (!subdomainPattern.test(value)) {
    const rule =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    problems.push(mismatch(rule, subdomain, ["example.com"]));
  }
  return problems;
}

/** @returns what keeps a text from being the key of a label: a name with an optional DNS subdomain as prefix */
export function qualifiedNameProblems(value: string): string[] {
  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const examples = ["MyName", "my.name", "123-abc"];
  const problems: string[] = [];
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${mismatch(rule, labelKey, examples)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) as string;
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    if (prefix === "") problems.push("prefix part must be non-empty");
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > 63) problems.push(`name part ${tooLong(63)}`);
  if (!keyPattern.test(name)) problems.push(`name part ${mismatch(rule, labelKey, examples)}`);
  return problems;
}

/** @returns what keeps a text from being the value of a label */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push(tooLong(63));
  if (!valuePattern.test(value)) {
    const rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    problems.push(mismatch(rule, `(${labelKey})?`, ["MyValue", "my_value", "12345"]));
  }
  return problems;
}

/** @returns what keeps a text from being a DNS label of RFC 1123 */
export function dnsLabelProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push(tooLong(63));
  if (labelPattern.test(value)) return problems;
  if (subdomainPattern.test(value)) return [...problems, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...problems, mismatch(rule, label, ["my-name", "123-abc"])];
}
