import { isObject, type Json } from "@kubewright/cel/json";

/** A compiled JSON path: returns all values that it finds. Missing fields find nothing. */
export type JsonPath = (value: Json) => Json[];

type Step = (values: Json[]) => Json[];

/**
 * Compiles a JSON path as kubectl's library reads it, for example `.status.conditions[?(@.type=="Ready")].status`.
 *
 * @param path - the path without braces
 * @returns the compiled path
 * @throws Error if the path is malformed
 */
export function compileJsonPath(path: string): JsonPath {
  const parser = new PathParser(path);
  const steps = parser.steps();
  return (value) => steps.reduce((values, step) => step(values), [value]);
}

const name = /^(?:\\.|[^.[\]\s(){}\\*])+/;

class PathParser {
  readonly #path: string;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    if (this.#path.startsWith("$") || this.#path.startsWith("@")) this.#at++;
    while (this.#at < this.#path.length) steps.push(this.#step());
    return steps;
  }

  #step(): Step {
    const rest = this.#path.slice(this.#at);
    if (rest.startsWith("..")) {
      this.#at += 2;
      return descend;
    }
    if (rest.startsWith("[")) return this.#bracket();
    if (rest.startsWith(".")) {
      this.#at++;
      const next = this.#path[this.#at];
      if (next === undefined) return (values) => values;
      if (next === "[") return this.#bracket();
    }
    if (this.#path[this.#at] === "*") {
      this.#at++;
      return children;
    }
    const field = name.exec(this.#path.slice(this.#at))?.[0];
    if (field === undefined) throw new Error(`unrecognized character in action: '${this.#path[this.#at]}'`);
    this.#at += field.length;
    return fieldStep(field.replace(/\\(.)/g, "$1"));
  }

  #bracket(): Step {
    const start = this.#at + 1;
    const end = endOfBracket(this.#path, start);
    if (end === -1) throw new Error("unterminated array");
    this.#at = end + 1;
    const content = this.#path.slice(start, end).trim();
    if (content === "*") return children;
    const filter = /^\?\((.*)\)$/s.exec(content);
    if (filter !== null) return filterStep(filter[1] as string);
    const parts = content.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
    const steps = parts.map((part) => elementStep(part.trim()));
    if (steps.length === 0) throw new Error(`invalid array index ${content}`);
    return (values) => steps.flatMap((step) => step(values));
  }
}

function endOfBracket(path: string, from: number): number {
  let quote = "";
  let depth = 0;
  for (let at = from; at < path.length; at++) {
    const char = path[at] as string;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "[") depth++;
    else if (char === "]" && depth-- === 0) return at;
  }
  return -1;
}

function fieldStep(field: string): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!isObject(value) || !Object.hasOwn(value, field)) return [];
      const inner = value[field];
      return inner === undefined ? [] : [inner];
    });
}

function elementStep(part: string): Step {
  if (/^'.*'$|^".*"$/s.test(part)) return fieldStep(part.slice(1, -1).replace(/\\(.)/g, "$1"));
  const match = /^(-?\d+)?(?:(:)(-?\d+)?(?::(-?\d+)?)?)?$/.exec(part);
  if (match === null || part === "") throw new Error(`invalid array index ${part}`);
  const [, first, slice, last, step] = match;
  return (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) return [];
      const index = (text: string | undefined, fallback: number): number => {
        const number = text === undefined ? fallback : Number(text);
        return number < 0 ? number + value.length : number;
      };
      if (slice === undefined) {
        const element = value[index(first, 0)];
        return element === undefined ? [] : [element];
      }
      const every = Math.max(1, Number(step ?? 1));
      return value.slice(index(first, 0), index(last, value.length)).filter((_, position) => position % every === 0);
    });
}

function children(values: Json[]): Json[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return value;
    return isObject(value) ? Object.values(value).filter((one): one is Json => one !== undefined) : [];
  });
}

function descend(values: Json[]): Json[] {
  const results: Json[] = [];
  const pending = [...values].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    results.push(next);
    pending.push(...children([next]).reverse());
  }
  return results;
}

/** Splits a comparison at its first operator. Undefined if the text isn't a comparison. */
function comparisonOf(text: string): { left: string; operator: string; right: string } | undefined {
  const operator = /==|!=|[<>]=?/g;
  operator.lastIndex = 1;
  const match = operator.exec(text);
  if (match === null) return undefined;
  const right = text.slice(operator.lastIndex).trimStart();
  return right === "" ? undefined : { left: text.slice(0, match.index).trimEnd(), operator: match[0], right };
}

function filterStep(text: string): Step {
  const match = comparisonOf(text.trim());
  if (match === undefined) {
    const operand = operandOf(text.trim());
    return (values) => children(values).filter((value) => operand(value) !== undefined);
  }
  const left = operandOf(match.left);
  const right = operandOf(match.right);
  const { operator } = match;
  return (values) => children(values).filter((value) => compare(left(value), right(value), operator));
}

function operandOf(text: string): (value: Json) => Json | undefined {
  if (text.startsWith("@") || text.startsWith("$")) {
    const path = compileJsonPath(text);
    return (value) => path(value)[0];
  }
  if (/^'.*'$|^".*"$/s.test(text)) {
    const literal = text.slice(1, -1).replace(/\\(.)/g, "$1");
    return () => literal;
  }
  if (text === "true" || text === "false") return () => text === "true";
  if (text === "" || !Number.isFinite(Number(text))) throw new Error(`unrecognized identifier ${text}`);
  return () => Number(text);
}

function compare(left: Json | undefined, right: Json | undefined, operator: string): boolean {
  if (left === undefined || right === undefined || typeof left !== typeof right) return false;
  if (left === null || right === null || typeof left === "object" || typeof right === "object") return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}
