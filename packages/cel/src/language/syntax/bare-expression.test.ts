import { expect, it } from "vitest";
import { parseBareExpression } from "./bare-expression.ts";

const operands =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

// The first messages of cel-go 0.33.2.
it.each([
  ["!", `Syntax error: extraneous input '<EOF>' expecting ${operands}`],
  ["!&&5", `Syntax error: extraneous input '&&' expecting ${operands}`],
  ["-", "Syntax error: no viable alternative at input '-'"],
  ["--&&5", "Syntax error: no viable alternative at input '-&&'"],
  ["-!a", "Syntax error: no viable alternative at input '-!'"],
  ["!-a", "Syntax error: no viable alternative at input '-a'"],
  ["a-)", `Syntax error: mismatched input ')' expecting ${operands}`],
  [".", "Syntax error: no viable alternative at input '.'"],
  ["f(., a)", "Syntax error: no viable alternative at input '.,'"],
  [".true", "Syntax error: mismatched input 'true' expecting IDENTIFIER"],
  ["a. true", "Syntax error: no viable alternative at input '. true'"],
  ["a. //x", "Syntax error: no viable alternative at input '. //x'"],
  ["f(x['a')", "Syntax error: missing ']' at ')'"],
  // The lexer is one token ahead.
  ["f('a' 'b' c #)", "Syntax error: mismatched input ''b'' expecting ')'"],
  ["f('a' b#)", "Syntax error: token recognition error at: '#'"],
  // Values and names come after the text.
  ["99999999999999999999 + as + #", "Syntax error: token recognition error at: '#'"],
  ["99999999999999999999 + as", "invalid int literal"],
  ["a.?b", "unsupported syntax '.?'"],
  ["a[?b]", "unsupported syntax '[?'"],
  ["[?a]", "unsupported syntax '?'"],
  ["{?a: b}", "unsupported syntax '?'"],
  ["A{?a: b}", "unsupported syntax '?'"],
])("the error of %j is that of cel-go", (source, message) => {
  expect(() => parseBareExpression(source)).toThrow(new SyntaxError(message));
});

it("names of macros are calls, and backquotes surround a field", () => {
  expect(parseBareExpression("has(a.b)")).toMatchObject({ kind: "call", fn: "has", args: [{ kind: "select" }] });
  expect(parseBareExpression("a.all(x, x)")).toMatchObject({ kind: "call", fn: "all", target: { name: "a" } });
  expect(parseBareExpression("a.`b-c`")).toMatchObject({ kind: "select", field: "b-c" });
});
