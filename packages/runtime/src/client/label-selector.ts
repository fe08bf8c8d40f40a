import { ownField } from "../json/object.ts";
import { checkedLabels, isLabelKey, isLabelValue } from "./selectors.ts";

type Labels = Readonly<Record<string, string>>;

/** Returns whether labels match. */
export type LabelMatcher = (labels: Labels | undefined) => boolean;

/** Values by label, or a selector in the API server's syntax: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>5`. */
export type LabelSelector = Readonly<Record<string, string>> | string;

/**
 * Compiles a selector by the rules of the API server.
 *
 * @param selector - the selector; `undefined` matches everything
 * @returns a function that returns whether labels match
 * @throws Error with the selector and the rule if the API server would reject it
 * @throws TypeError for labels that no object can have
 */
export function labelMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return () => true;
  if (typeof selector !== "string") {
    const wanted = checkedLabels(selector);
    return (labels) => wanted.every(([key, value]) => ownField(labels, key) === value);
  }
  const requirements = new Parser(selector).parse();
  return (labels) => requirements.every((matches) => matches(labels));
}

const operators = new Set(["=", "==", "!=", "in", "notin", ">", "<"]);
/** Longer symbols first, as the API server reads them. */
const token = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+|$)/y;
const isName = /^[^=!(),<>]/;

/** A recursive-descent parser for the grammar of `labels.Parse` in Kubernetes' apimachinery. */
class Parser {
  readonly #selector: string;
  readonly #tokens: string[] = [];
  #position = 0;

  constructor(selector: string) {
    this.#selector = selector;
    token.lastIndex = 0;
    // The last token is empty and marks the end.
    do this.#tokens.push(token.exec(selector)?.[1] ?? "");
    while (this.#tokens.at(-1) !== "");
  }

  parse(): LabelMatcher[] {
    const requirements: LabelMatcher[] = [];
    if (this.#next === "") return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator === "") return requirements;
      if (separator !== ",") throw this.#error(separator, "a comma or the end");
    }
  }

  get #next(): string {
    return this.#tokens[this.#position] ?? "";
  }

  #take(): string {
    return this.#tokens[this.#position++] ?? "";
  }

  #requirement(): LabelMatcher {
    const isAbsence = this.#next === "!";
    if (isAbsence) this.#take();
    const key = this.#take();
    if (!isName.test(key)) throw this.#error(key, "a label key");
    if (!isLabelKey(key)) throw this.#invalid(`${JSON.stringify(key)} isn't a valid label key`);
    if (isAbsence) return (labels) => ownField(labels, key) === undefined;
    if (this.#next === "" || this.#next === ",") return (labels) => ownField(labels, key) !== undefined;
    const operator = this.#take();
    if (!operators.has(operator)) throw this.#error(operator, `an operator (${[...operators].join(", ")})`);
    const values = operator === "in" || operator === "notin" ? this.#list() : [this.#value()];
    return this.#comparison(key, operator, values);
  }

  #comparison(key: string, operator: string, values: readonly string[]): LabelMatcher {
    const wrong = values.find((value) => !isLabelValue(value));
    if (wrong !== undefined) throw this.#invalid(`${JSON.stringify(wrong)} isn't a valid label value`);
    if (operator === ">" || operator === "<") {
      const limit = integer(values[0]);
      if (limit === undefined) throw this.#invalid(`${JSON.stringify(values[0])} after ${operator} must be an integer`);
      return (labels) => {
        const value = integer(ownField(labels, key));
        return value !== undefined && (operator === ">" ? value > limit : value < limit);
      };
    }
    const wanted = new Set(values);
    const isNegated = operator === "!=" || operator === "notin";
    return (labels) => {
      const value = ownField(labels, key);
      return (value !== undefined && wanted.has(value)) !== isNegated;
    };
  }

  /** Parses the value after an operator. A missing value is the empty one. */
  #value(): string {
    if (this.#next === "" || this.#next === ",") return "";
    const value = this.#take();
    if (!isName.test(value)) throw this.#error(value, "a label value");
    return value;
  }

  /** Parses the values in parentheses. Missing values are empty: `()`, `(a,)`, `(,a)`. */
  #list(): string[] {
    const open = this.#take();
    if (open !== "(") throw this.#error(open, "an opening parenthesis");
    const values: string[] = [];
    for (;;) {
      values.push(isName.test(this.#next) ? this.#take() : "");
      const separator = this.#take();
      if (separator === ")") return values;
      if (separator !== ",") throw this.#error(separator, "a comma or a closing parenthesis");
    }
  }

  #error(actual: string, expected: string): Error {
    return this.#invalid(`${actual === "" ? "the end" : JSON.stringify(actual)} found, ${expected} expected`);
  }

  #invalid(rule: string): Error {
    return new Error(`invalid label selector ${JSON.stringify(this.#selector)}: ${rule}`);
  }
}

/** Parses an unsigned 64-bit integer. Returns `undefined` for other text. */
function integer(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
