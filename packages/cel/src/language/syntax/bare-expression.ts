import type { Expr } from "./ast.ts";
import type { Issue } from "./issues.ts";
import { tokenize } from "./lexer.ts";
import { parse } from "./parser.ts";

const syntaxError = "Syntax error: ";
const lexicalError = `${syntaxError}token recognition error`;

/**
 * Parses an expression that is read instead of evaluated, such as a shard selector: without macros and optional values.
 *
 * @param source - the expression
 * @returns its nodes
 * @throws SyntaxError with cel-go's first message if the text isn't an expression
 */
export function parseBareExpression(source: string): Expr {
  const { parsed, issues } = parse(source, { isBare: true });
  if (issues.length === 0) return parsed.expr;
  const lexical = issues.find(({ message }) => message.startsWith(lexicalError));
  const grammatical = issues.find(
    ({ message }) => message.startsWith(syntaxError) && !message.startsWith(lexicalError),
  );
  throw new SyntaxError(firstOf(source, lexical, grammatical) ?? (issues[0] as Issue).message);
}

/** Returns the error that cel-go finds first. Its parser has read the token after the one of the error. */
function firstOf(source: string, lexical: Issue | undefined, grammatical: Issue | undefined): string | undefined {
  if (lexical === undefined || grammatical === undefined) return (lexical ?? grammatical)?.message;
  const next = tokenize(source, []).find(({ offset }) => offset > grammatical.offset);
  return (next === undefined || lexical.offset < next.offset ? lexical : grammatical).message;
}
