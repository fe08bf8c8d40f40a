import { isQualifiedName, isValidLabelValue } from "@kubewright/cel/validation";

/** A requirement on one label. */
export interface LabelRequirement {
  key: string;
  operator: "=" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";
  values: readonly string[];
}

/** Requirements that must all hold. */
export type LabelSelector = readonly LabelRequirement[];

/**
 * Reports whether labels meet a selector.
 *
 * @param selector - the requirements
 * @param labels - the labels of an object
 * @returns true if all requirements hold
 */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, unknown>> | undefined): boolean {
  return selector.every((requirement) => {
    const value = labels !== undefined && Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.operator) {
      case "=":
      case "in":
        return typeof value === "string" && requirement.values.includes(value);
      case "!=":
      case "notin":
        return typeof value !== "string" || !requirement.values.includes(value);
      case "exists":
        return typeof value === "string";
      case "!":
        return typeof value !== "string";
      default: {
        const number = typeof value === "string" ? integerOf(value) : undefined;
        const limit = integerOf(requirement.values[0] as string) as bigint;
        if (number === undefined) return false;
        return requirement.operator === "gt" ? number > limit : number < limit;
      }
    }
  });
}

/** Reads an integer of 64 bits. Undefined for other texts. */
function integerOf(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const number = BigInt(text.replace(/^\+/, ""));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

const operators: Readonly<Record<string, LabelRequirement["operator"]>> = {
  "=": "=",
  "==": "=",
  "!=": "!=",
  ">": "gt",
  "<": "lt",
  in: "in",
  notin: "notin",
};

/** Reads the tokens of a selector. The token after the last one is empty. */
class Tokens {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/[=!]=|[(),!<>=]|[^ \t\r\n(),!<>=]+/g) ?? [];
  }

  get next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  take(): string {
    const token = this.next;
    this.#at++;
    return token;
  }
}

const isIdentifier = (token: string): boolean => !/^(|[(),!<>=]|[=!]=)$/.test(token);

/**
 * Parses a label selector.
 *
 * @param text - for example `app=web,tier in (a, b),!old`
 * @returns its requirements, sorted by key
 * @throws Error with kube-apiserver's message if the text isn't a selector
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  while (tokens.next !== "") {
    const starts = (): boolean => isIdentifier(tokens.next) || tokens.next === "!";
    if (!starts()) throw new Error(`found '${tokens.next}', expected: !, identifier, or 'end of string'`);
    requirements.push(parseRequirement(tokens));
    const separator = tokens.take();
    if (separator === "") break;
    if (separator !== ",") throw new Error(`found '${separator}', expected: ',' or 'end of string'`);
    if (!starts()) throw new Error(`found '${tokens.next}', expected: identifier after ','`);
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const absent = tokens.next === "!";
  if (absent) tokens.take();
  const key = tokens.take();
  if (!isIdentifier(key)) throw unable(`found '${key}', expected: identifier`);
  checkKey(key);
  if (absent) return { key, operator: "!", values: [] };
  if (tokens.next === "" || tokens.next === ",") return { key, operator: "exists", values: [] };
  const token = tokens.take();
  const operator = Object.hasOwn(operators, token) ? operators[token] : undefined;
  if (operator === undefined) throw unable(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`);
  const isSet = operator === "in" || operator === "notin";
  return requirement(key, operator, isSet ? parseValues(tokens) : [parseValue(tokens)]);
}

function parseValue(tokens: Tokens): string {
  if (tokens.next === "" || tokens.next === ",") return "";
  const token = tokens.take();
  if (!isIdentifier(token)) throw unable(`found '${token}', expected: identifier`);
  return token;
}

/** Parses the values in parentheses. Between two commas is an empty value. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open !== "(") throw unable(`found '${open}' expected: '('`);
  if (!isIdentifier(tokens.next) && tokens.next !== "," && tokens.next !== ")") {
    throw unable(`found '${tokens.next}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  if (tokens.next === ")") values.add("");
  while (tokens.next !== ")") {
    const token = tokens.take();
    if (token === ",") {
      if (values.size === 0 || tokens.next === ")" || tokens.next === ",") values.add("");
    } else if (isIdentifier(token)) {
      values.add(token);
      if (tokens.next !== "," && tokens.next !== ")") throw unable(`found '${tokens.next}', expected: ',' or ')'`);
    } else throw unable(`found '${token}', expected: ',', or identifier`);
  }
  tokens.take();
  return [...values].sort();
}

function unable(problem: string): Error {
  return new Error(`unable to parse requirement: ${problem}`);
}

function checkKey(key: string): void {
  const problems = isQualifiedName(key);
  if (problems.length > 0) throw unable(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join("; ")}`);
}

function requirement(key: string, operator: LabelRequirement["operator"], values: string[]): LabelRequirement {
  if (operator === "gt" || operator === "lt") {
    if (integerOf(values[0] as string) === undefined) {
      throw unable(`values[0]: Invalid value: "${values[0]}": for 'Gt', 'Lt' operators, the value must be an integer`);
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = isValidLabelValue(value);
    if (problems.length > 0) {
      throw unable(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problems.join("; ")}`);
    }
  }
  return { key, operator, values };
}
