import { isQualifiedName, isValidLabelValue } from "../validation/name-rules.ts";

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

const special = new Set(["(", ")", ",", "!", "=", "==", "!=", "<", ">", "in", "notin", ""]);

/**
 * Parses a label selector.
 *
 * @param text - for example `app=web,tier in (a, b),!old`
 * @returns its requirements, sorted by key
 * @throws Error with kube-apiserver's message if the text isn't a selector
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = tokenize(text);
  let at = 0;
  const peek = (): string => tokens[at] ?? "";
  const next = (): string => tokens[at++] ?? "";
  const isName = (token: string): boolean => !special.has(token);
  const requirements: LabelRequirement[] = [];

  const key = (): LabelRequirement | undefined => {
    let absent = false;
    if (peek() === "!") {
      next();
      absent = true;
    }
    const name = next();
    if (!isName(name) && name !== "in" && name !== "notin") {
      throw unable(`found '${name}', expected: identifier`);
    }
    checkKey(name);
    if (absent) {
      if (peek() !== "" && peek() !== ",") throw unable(`found '${peek()}', expected: ',' or 'end of string'`);
      return { key: name, operator: "!", values: [] };
    }
    const operator = peek();
    if (operator === "" || operator === ",") return { key: name, operator: "exists", values: [] };
    next();
    switch (operator) {
      case "=":
      case "==":
        return requirement(name, "=", [value()]);
      case "!=":
        return requirement(name, "!=", [value()]);
      case ">":
        return requirement(name, "gt", [value()]);
      case "<":
        return requirement(name, "lt", [value()]);
      case "in":
      case "notin":
        return requirement(name, operator, values());
      default:
        throw unable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  };
  const value = (): string => {
    const token = peek();
    if (token === "" || token === ",") return "";
    next();
    if (special.has(token) && token !== "in" && token !== "notin")
      throw unable(`found '${token}', expected: identifier`);
    return token;
  };
  const values = (): string[] => {
    if (next() !== "(") throw unable(`found '${tokens[at - 1] ?? ""}', expected: '('`);
    const found = new Set<string>();
    let wantsValue = true;
    for (;;) {
      const token = next();
      if (token === ")" && !(wantsValue && found.size === 0)) {
        if (wantsValue) found.add("");
        return [...found].sort();
      }
      if (token === ")") return [""];
      if (token === ",") {
        if (wantsValue) found.add("");
        wantsValue = true;
      } else if (token === "" || (special.has(token) && token !== "in" && token !== "notin")) {
        throw unable(`found '${token}', expected: ',', or identifier`);
      } else {
        if (!wantsValue) throw unable(`found '${token}', expected: ',' or ')'`);
        found.add(token);
        wantsValue = false;
      }
    }
  };

  while (at < tokens.length) {
    const found = key();
    if (found !== undefined) requirements.push(found);
    const separator = next();
    if (separator === "") break;
    if (separator !== ",") throw unable(`found '${separator}', expected: ',' or 'end of string'`);
    if (!isName(peek()) && peek() !== "!" && peek() !== "in" && peek() !== "notin") {
      throw unable(`found '${peek()}', expected: identifier after ','`);
    }
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
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
      throw unable(
        `values[0][${key}]: Invalid value: "${values[0]}": for 'Gt', 'Lt' operators, the value must be an integer`,
      );
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

function tokenize(text: string): string[] {
  return [...text.matchAll(/[ \t\r\n]*([=!]=|[(),!<>=]|[^ \t\r\n(),!<>=]+)/g)].map((match) => match[1] as string);
}
