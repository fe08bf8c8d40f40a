import type { Issue } from "./issues.ts";
import type { Token } from "./lexer.ts";

/** The kinds of tokens in the order in which messages list them. */
const order =
  "== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER".split(
    " ",
  );

/** The tokens that an operand starts with. */
export const operandStart: readonly string[] =
  "[ { ( . - ! true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(" ");

const literals: readonly string[] = ["true", "false", "null"];

/** The tokens that can follow an operand, except those that close a surrounding expression. */
export const afterOperand: readonly string[] = "== != in < <= >= > && || [ . ? + - * / %".split(" ");

/** Marks that a rule of the grammar can't continue. Its error was reported. */
export class RuleAborted extends Error {}

/** The tokens of an expression with the error handling of a predictive parser: it deletes or inserts one token if that helps. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  /** The tokens that end surrounding expressions, innermost last. */
  readonly closers: string[] = ["<EOF>"];
  #index = 0;
  #recovering = false;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  peek(ahead = 0): Token {
    return (this.#tokens[this.#index + ahead] ?? this.#tokens.at(-1)) as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "<EOF>") this.#index++;
    this.#recovering = false;
    return token;
  }

  /** Takes a token of a kind, or reports why there is none. */
  expect(kind: string): Token {
    const token = this.peek();
    if (token.kind === kind) return this.next();
    if (this.peek(1).kind === kind) {
      this.#report(token, `extraneous input ${quoted(token)} expecting ${expected([kind])}`);
      this.#index++;
      return this.next();
    }
    if (this.#canFollow(kind, token.kind)) {
      this.#report(token, `missing ${expected([kind])} at ${quoted(token)}`);
      return { kind, text: "", offset: token.offset, before: "" };
    }
    return this.mismatch(kind);
  }

  /** Reports that the next token isn't of a kind. */
  mismatch(kind: string): never {
    return this.abort(`mismatched input ${quoted(this.peek())} expecting ${expected([kind])}`);
  }

  /** Checks that the next token is one of `kinds`; deletes a token if the one after it is. */
  sync(kinds: readonly string[]): void {
    const token = this.peek();
    if (kinds.includes(token.kind)) return;
    if (kinds.includes(this.peek(1).kind) && token.kind !== "<EOF>") {
      this.#report(token, `extraneous input ${quoted(token)} expecting ${expected(kinds)}`);
      this.#index++;
      return;
    }
    this.abort(`mismatched input ${quoted(token)} expecting ${expected(kinds)}`);
  }

  /** Reports that no rule matches the tokens from the one at `back` before the next one. */
  noViableAlternative(back: number): never {
    let text = this.peek(-back).text;
    for (let ahead = 1 - back; ahead <= 0; ahead++) {
      const { kind, text: own, before } = this.peek(ahead);
      text += before + (kind === "<EOF>" ? "" : own);
    }
    return this.abort(`no viable alternative at input '${shown(text)}'`);
  }

  /** Reports that no name follows a dot. */
  noNameAfterDot(): never {
    const { kind, before } = this.peek();
    if (literals.includes(kind) && before === "") return this.mismatch("IDENTIFIER");
    return this.noViableAlternative(1);
  }

  /** Checks that an operand follows the sign `-` or `!`, neither of which can be mixed with the other one. */
  operandAfter(sign: string): void {
    const { kind } = this.peek();
    if (sign === "-" && (kind === "!" || !operandStart.includes(kind))) this.noViableAlternative(1);
    if (operandStart.includes(kind) || operandStart.includes(this.peek(1).kind)) return;
    this.abort(`extraneous input ${quoted(this.peek())} expecting ${expected(operandStart)}`);
  }

  /** Reports a problem of the next token, skips to a token that can continue a surrounding rule, and leaves this rule. */
  abort(message: string): never {
    this.#report(this.peek(), message);
    while (!this.closers.includes(this.peek().kind) && !afterOperand.includes(this.peek().kind)) this.#index++;
    throw new RuleAborted();
  }

  #canFollow(inserted: string, kind: string): boolean {
    if (inserted === ")" || inserted === "]" || inserted === "}") {
      const closer = this.closers.at(-1);
      return afterOperand.includes(kind) || kind === closer || (closer === "," && kind === this.closers.at(-2));
    }
    return inserted === ":" && operandStart.includes(kind);
  }

  #report(token: Token, message: string): void {
    if (!this.#recovering) this.#issues.push({ offset: token.offset, message: `Syntax error: ${message}` });
    this.#recovering = true;
  }
}

const shown = (text: string): string => text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
const quoted = (token: Token): string => `'${shown(token.text)}'`;

function expected(kinds: readonly string[]): string {
  const names = [...kinds]
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((kind) => {
      if (kind === "<EOF>" || /^[A-Z_]+$/.test(kind)) return kind;
      return `'${kind}'`;
    });
  return names.length === 1 ? (names[0] as string) : `{${names.join(", ")}}`;
}
