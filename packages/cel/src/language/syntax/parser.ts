import type { Expr, ParsedExpression } from "./ast.ts";
import type { Issue } from "./issues.ts";
import { type Token, tokenize } from "./lexer.ts";
import { LiteralError, literalValue } from "./literal.ts";
import { expandMacro, type MacroContext } from "./macros.ts";
import { operandStart, RuleAborted, TokenStream } from "./syntax-error.ts";

const maxDepth = 250;
const maxCodePoints = 100_000;
const reserved = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

/** The numbers that can have a sign. */
const numbers = /^NUM_(INT|FLOAT)$/;
const fieldStart = ["IDENTIFIER", "ESC_IDENTIFIER"];
const additive = ["+", "-"];
const multiplicative = ["*", "/", "%"];
const relational = ["<", "<=", ">=", ">", "==", "!=", "in"];

class DepthExceeded extends Error {
  constructor(message = `expression recursion limit exceeded: ${maxDepth}`) {
    super(message);
  }
}

/** The parts of the syntax that differ between environments. */
export interface Syntax {
  /** True if the macro `cel.bind` exists. */
  hasBind?: boolean;
  /** True for the syntax without macros and optional values, and with names of fields in backquotes. */
  isBare?: boolean;
}

/**
 * Parses an expression and expands its macros.
 *
 * @param source - the expression
 * @param syntax - what differs from the syntax in Kubernetes
 * @returns the parsed expression and its syntax errors; it can be evaluated only without errors
 */
export function parse(source: string, syntax: Syntax = {}): { parsed: ParsedExpression; issues: Issue[] } {
  const issues: Issue[] = [];
  const parser = new Parser(source, issues, syntax);
  const expr = parser.parse();
  return { parsed: { source, expr, positions: parser.positions }, issues };
}

class Parser implements MacroContext {
  readonly positions: number[] = [-1];
  readonly hasBind: boolean;
  readonly #isBare: boolean;
  readonly #issues: Issue[];
  readonly #source: string;
  readonly #tokens: TokenStream;
  #depth = 0;

  constructor(source: string, issues: Issue[], { hasBind = false, isBare = false }: Syntax) {
    this.hasBind = hasBind;
    this.#isBare = isBare;
    this.#issues = issues;
    this.#source = source;
    this.#tokens = new TokenStream(tokenize(source, issues), issues);
  }

  parse(): Expr {
    if (this.#source.length > maxCodePoints && [...this.#source].length > maxCodePoints) {
      const size = [...this.#source].length;
      const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
      this.#issues.push({ offset: -1, message });
      return this.#failed();
    }
    try {
      const expr = this.#expr();
      this.#tokens.expect("<EOF>");
      return expr;
    } catch (error) {
      if (error instanceof DepthExceeded) {
        this.#issues.push({ offset: -1, message: error.message });
      } else if (!(error instanceof RuleAborted)) throw error;
      return this.#failed();
    }
  }

  id(offset: number): number {
    this.positions.push(offset);
    return this.positions.length - 1;
  }

  issue(id: number, message: string): Expr {
    this.#issues.push({ offset: this.positions[id] as number, message });
    return { kind: "literal", id, value: null };
  }

  #failed(): Expr {
    return { kind: "literal", id: this.id(-1), value: null };
  }

  /** Runs a rule; if it was aborted, the surrounding rule continues at the token that was found. */
  #rule(rule: () => Expr): Expr {
    try {
      return rule();
    } catch (error) {
      if (error instanceof RuleAborted) return this.#failed();
      throw error;
    }
  }

  #within<T>(closer: string, parse: () => T): T {
    this.#tokens.closers.push(closer);
    try {
      return parse();
    } finally {
      this.#tokens.closers.pop();
    }
  }

  #expr(): Expr {
    if (++this.#depth > maxDepth) throw new DepthExceeded();
    const condition = this.#or();
    let expr = condition;
    if (this.#tokens.peek().kind === "?") {
      const id = this.id(this.#tokens.next().offset);
      expr = this.#rule(() => {
        const truthy = this.#within(":", () => this.#or());
        this.#tokens.expect(":");
        return { kind: "call", id, target: undefined, fn: "_?_:_", args: [condition, truthy, this.#expr()] };
      });
    }
    this.#depth--;
    return expr;
  }

  #or(): Expr {
    return this.#balanced("||", "_||_", () => this.#balanced("&&", "_&&_", () => this.#binary(0)));
  }

  /** Parses a chain of logical operators to a balanced tree, which limits its depth. */
  #balanced(operator: string, fn: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const ids: number[] = [];
    while (this.#tokens.peek().kind === operator) {
      ids.push(this.id(this.#tokens.next().offset));
      terms.push(operand());
    }
    const join = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? (terms[middle] as Expr) : join(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expr) : join(middle + 1, high);
      return { kind: "call", id: ids[middle] as number, target: undefined, fn, args: [left, right] };
    };
    return terms.length === 1 ? (terms[0] as Expr) : join(0, ids.length - 1);
  }

  #binary(level: number): Expr {
    const operators = [relational, additive, multiplicative][level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let chain = 1; operators.includes(this.#tokens.peek().kind); chain++) {
      if (chain >= maxDepth) throw new DepthExceeded("max recursion depth exceeded");
      const token = this.#tokens.next();
      const id = this.id(token.offset);
      const right = this.#binary(level + 1);
      const fn = token.kind === "in" ? "@in" : `_${token.kind}_`;
      left = { kind: "call", id, target: undefined, fn, args: [left, right] };
    }
    return left;
  }

  #unary(): Expr {
    const first = this.#tokens.peek();
    // A single minus is a part of the number after it.
    if (first.kind === "-" && numbers.test(this.#tokens.peek(1).kind)) return this.#member();
    if (first.kind !== "!" && first.kind !== "-") return this.#member();
    const id = this.id(first.offset);
    let count = 0;
    while (this.#tokens.peek().kind === first.kind) {
      this.#tokens.next();
      count++;
    }
    const operand = this.#rule(() => {
      this.#tokens.operandAfter(first.kind);
      return this.#member();
    });
    if (count % 2 === 0) return operand;
    return { kind: "call", id, target: undefined, fn: first.kind === "!" ? "!_" : "-_", args: [operand] };
  }

  #member(): Expr {
    return this.#rule(() => {
      let expr = this.#rule(() => this.#primary());
      for (let chain = 1; ; chain++) {
        if (chain > maxDepth) throw new DepthExceeded();
        const kind = this.#tokens.peek().kind;
        if (kind === ".") expr = this.#select(expr);
        else if (kind === "[") expr = this.#index(expr);
        else return expr;
      }
    });
  }

  #select(operand: Expr): Expr {
    const dot = this.#tokens.next();
    const optional = this.#tokens.peek().kind === "?";
    if (optional) this.#tokens.next();
    const name = this.#tokens.peek();
    if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") {
      if (optional) this.#tokens.sync(fieldStart);
      else this.#tokens.noNameAfterDot();
    }
    this.#tokens.next();
    const field = this.#field(name);
    const open = this.#tokens.peek();
    if (open.kind === "(" && !optional && name.kind === "IDENTIFIER") {
      const id = this.id(open.offset);
      const args = this.#arguments();
      return this.#call(id, operand, field, args);
    }
    if (optional && this.#isBare) return this.issue(this.id(dot.offset), "unsupported syntax '.?'");
    if (!optional) return { kind: "select", id: this.id(dot.offset), operand, field, test: false };
    const id = this.id(dot.offset);
    const key: Expr = { kind: "literal", id: this.id(name.offset), value: field };
    return { kind: "call", id, target: undefined, fn: "_?._", args: [operand, key] };
  }

  #call(id: number, target: Expr | undefined, fn: string, args: Expr[]): Expr {
    const call: Expr = { kind: "call", id, target, fn, args };
    return this.#isBare ? call : (expandMacro(this, id, target, fn, args) ?? call);
  }

  #index(operand: Expr): Expr {
    const id = this.id(this.#tokens.next().offset);
    this.#tokens.sync([...operandStart, "?"]);
    const optional = this.#optionalMark();
    const index = this.#within("]", () => this.#expr());
    this.#tokens.expect("]");
    if (optional && this.#isBare) return this.issue(id, "unsupported syntax '[?'");
    return { kind: "call", id, target: undefined, fn: optional ? "_[?_]" : "_[_]", args: [operand, index] };
  }

  #arguments(): Expr[] {
    this.#tokens.next();
    const args: Expr[] = [];
    this.#within(")", () => {
      this.#tokens.sync([...operandStart, ")"]);
      if (this.#tokens.peek().kind === ")") return;
      do args.push(this.#within(",", () => this.#expr()));
      while (this.#tokens.peek().kind === "," && this.#tokens.next());
    });
    this.#tokens.expect(")");
    return args;
  }

  #primary(): Expr {
    this.#tokens.sync(operandStart);
    const token = this.#tokens.peek();
    switch (token.kind) {
      case "(": {
        this.#tokens.next();
        const expr = this.#within(")", () => this.#expr());
        this.#tokens.expect(")");
        return expr;
      }
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      case ".":
      case "IDENTIFIER":
        return this.#identifier();
      default:
        return this.#literal();
    }
  }

  #optionalMark(): boolean {
    if (this.#tokens.peek().kind !== "?") return false;
    this.#tokens.next();
    return true;
  }

  /** Reads the mark of an optional element or entry. */
  #optionalPart(): boolean {
    const { offset } = this.#tokens.peek();
    const optional = this.#optionalMark();
    if (optional && this.#isBare) this.issue(this.id(offset), "unsupported syntax '?'");
    return optional;
  }

  /** Parses the elements up to a closing token. A comma may follow the last one, or stand alone. */
  #elements(closer: string, starts: readonly string[], element: () => void): void {
    const tokens = this.#tokens;
    const continues = (ahead: number): boolean => starts.includes(tokens.peek(ahead).kind);
    this.#within(closer, () => {
      tokens.sync([...starts, ",", closer]);
      if (continues(0)) {
        element();
        tokens.sync([",", closer]);
        while (tokens.peek().kind === "," && continues(1)) {
          tokens.next();
          element();
          tokens.sync([",", closer]);
        }
      }
      if (tokens.peek().kind === ",") tokens.next();
    });
    tokens.expect(closer);
  }

  #list(): Expr {
    const id = this.id(this.#tokens.next().offset);
    const elements: Expr[] = [];
    const optional = new Set<number>();
    this.#elements("]", [...operandStart, "?"], () => {
      if (this.#optionalPart()) optional.add(elements.length);
      elements.push(this.#within(",", () => this.#expr()));
    });
    return { kind: "list", id, elements, optional };
  }

  #map(): Expr {
    const id = this.id(this.#tokens.next().offset);
    const entries: { id: number; key: Expr; value: Expr; optional: boolean }[] = [];
    this.#elements("}", [...operandStart, "?"], () => {
      const optional = this.#optionalPart();
      const key = this.#within(":", () => this.#expr());
      const entry = this.id(this.#tokens.expect(":").offset);
      entries.push({ id: entry, key, value: this.#within(",", () => this.#expr()), optional });
    });
    return { kind: "map", id, entries };
  }

  #identifier(): Expr {
    const start = this.#tokens.peek();
    const leading = start.kind === ".";
    if (leading) this.#tokens.next();
    if (leading && this.#tokens.peek().kind !== "IDENTIFIER") this.#tokens.noNameAfterDot();
    const first = this.#tokens.expect("IDENTIFIER");
    const struct = this.#structName(first);
    const name = (leading ? "." : "") + (struct ?? first.text);
    if (struct !== undefined) return this.#struct(name);
    const open = this.#tokens.peek();
    if (reserved.has(first.text)) {
      if (open.kind === "(") this.#arguments();
      return this.issue(this.id(start.offset), `reserved identifier: ${first.text}`);
    }
    if (open.kind !== "(") return { kind: "ident", id: this.id(start.offset), name };
    const id = this.id(open.offset);
    const args = this.#arguments();
    return this.#call(id, undefined, name, args);
  }

  /** Takes the rest of the name if names with dots and a brace follow. */
  #structName(first: Token): string | undefined {
    let ahead = 0;
    let name = first.text;
    while (this.#tokens.peek(ahead).kind === "." && this.#tokens.peek(ahead + 1).kind === "IDENTIFIER") {
      name += `.${this.#tokens.peek(ahead + 1).text}`;
      ahead += 2;
    }
    if (this.#tokens.peek(ahead).kind !== "{") return undefined;
    for (let taken = 0; taken < ahead; taken++) this.#tokens.next();
    return name;
  }

  /** Returns the name of a field. Names in backquotes aren't enabled in Kubernetes' environments. */
  #field(token: Token): string {
    if (token.kind !== "ESC_IDENTIFIER") return token.text;
    if (this.#isBare) return token.text.slice(1, -1);
    this.issue(this.id(token.offset), "unsupported syntax: '`'");
    return token.text;
  }

  #struct(name: string): Expr {
    const id = this.id(this.#tokens.next().offset);
    const fields: { id: number; name: string; value: Expr; optional: boolean }[] = [];
    this.#elements("}", [...fieldStart, "?"], () => {
      const optional = this.#optionalPart();
      this.#tokens.sync(fieldStart);
      const token = this.#tokens.next();
      const field = this.#field(token);
      const fieldId = this.id(this.#tokens.expect(":").offset);
      fields.push({ id: fieldId, name: field, value: this.#within(",", () => this.#expr()), optional });
    });
    return { kind: "struct", id, name, fields };
  }

  #literal(): Expr {
    const sign = this.#tokens.peek().kind === "-" ? this.#tokens.next() : undefined;
    if (sign !== undefined && !numbers.test(this.#tokens.peek().kind)) this.#tokens.noViableAlternative(1);
    const token = this.#tokens.next();
    const id = this.id((sign ?? token).offset);
    const value = literalValue(token, sign === undefined ? "" : "-");
    if (value instanceof LiteralError) return this.issue(id, value.message);
    return { kind: "literal", id, value };
  }
}
