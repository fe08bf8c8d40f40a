// Comparison of code regardless of its format: whitespace, quotes, semicolons, trailing commas, and the order of imports.

/** A token with its position in the text. */
interface Token {
  /** The same for tokens that formatters exchange, such as quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<template>`(?:[^`\\]|\\[\s\S])*`)|[\w$]+|=>|\S/g;

/** Whether two texts of code differ at most by their format. */
export function isSameCode(a: string, b: string): boolean {
  return a === b || contentOf(a) === contentOf(b);
}

/**
 * Finds code in a text, in any format.
 *
 * @returns the positions of its first and last lines, without the line break at the end; undefined if the text doesn't contain
 * it, or the lines contain other code
 */
export function findCode(text: string, wanted: string): { start: number; end: number } | undefined {
  const [have, want] = [tokensOf(text), tokensOf(wanted)];
  const first = want[0]?.text;
  for (let at = 0; at + want.length <= have.length; at++) {
    if (have[at]?.text !== first || !want.every((token, offset) => have[at + offset]?.text === token.text)) continue;
    const [head, tail] = [have[at], have[at + want.length - 1]];
    if (head === undefined || tail === undefined) return undefined;
    const start = text.lastIndexOf("\n", head.start - 1) + 1;
    const [after = ""] = text.slice(tail.end).split("\n", 1);
    if (text.slice(start, head.start).trim() !== "" || !["", ";"].includes(after.trim())) continue;
    return { start, end: tail.end + after.trimEnd().length };
  }
  return undefined;
}

function tokensOf(text: string): Token[] {
  const all = [...text.matchAll(tokenPattern)].map(({ 0: token, index, groups }): Token => {
    return { text: normal(token, groups ?? {}), start: index, end: index + token.length };
  });
  return withoutOptional(all);
}

/** Returns a token in the form that doesn't depend on the format. */
function normal(token: string, { comment, string, template }: Readonly<Record<string, string | undefined>>): string {
  if (comment !== undefined) return token.replace(/\s+/g, " ").trimEnd();
  if (string !== undefined) return `"${token.slice(1, -1).replace(/\\(["'])/g, "$1")}"`;
  if (template === undefined) return token;
  return token.replace(/\$\{([^{}`]*)\}/g, (_, code: string) => `\${${contentOf(code)}}`);
}

/** Removes tokens that depend on the format. */
function withoutOptional(all: readonly Token[]): Token[] {
  const textAt = (index: number) => all[index]?.text ?? "";
  const parentheses = parenthesesOfLines(all);
  return all.filter(({ text }, index) => {
    if (parentheses.has(index)) return false;
    const [before, after] = [textAt(index - 1), textAt(index + 1)];
    if (text === ";") return false;
    if (text === ",") return !/^[)\]}>]$/.test(after);
    // The first sign of a union that has a line per type.
    if (text === "|" || text === "&") return !/^(?:[=:<([,]|=>)$/.test(before);
    // Parentheses around the only parameter of an arrow function.
    if (text === "(") return !(textAt(index + 2) === ")" && textAt(index + 3) === "=>" && /^\w/.test(after));
    return !(text === ")" && after === "=>" && textAt(index - 2) === "(" && /^\w/.test(before));
  });
}

/** Returns the indexes of the parentheses that formatters put around an expression of several lines, or a conditional. */
function parenthesesOfLines(all: readonly Token[]): ReadonlySet<number> {
  const optional = new Set<number>();
  const open: number[] = [];
  all.forEach(({ text }, index) => {
    if (text === "(") open.push(index);
    if (text !== ")") return;
    const start = open.pop() ?? 0;
    const begins = /^(?:return|throw|=>)$/.test(all[start - 1]?.text ?? "") && all[start + 1]?.text !== "{";
    if (begins && /^[;,)\]}]?$/.test(all[index + 1]?.text ?? "")) optional.add(start).add(index);
  });
  return optional;
}

/** Returns the tokens of a text as one, with sorted imports. */
function contentOf(text: string): string {
  const imports: string[] = [];
  const code = tokensOf(text)
    .map((token) => token.text)
    .join("\n")
    .replace(/^import\n(?:type\n)?\{\n([^{}]*)\n\}\nfrom\n(".*")$/gm, (statement, names: string, module: string) => {
      const sorted = names.split(/\n?,\n?/).sort();
      imports.push([statement.startsWith("import\ntype") ? "type" : "", ...sorted, module].join("\n"));
      return "";
    });
  return [...imports.sort(), code.replace(/\n{2,}/g, "\n")].join("\n");
}
