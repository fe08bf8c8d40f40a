import { isLetter } from "./natural-order.ts";

/** Sorts keys by their tokens: symbols before numbers before letters, numbers by value and then by length. */
export function sortByTokens(keys: readonly string[]): string[] {
  const split = keys.map((key) => ({ key, tokens: tokensOf(key) }));
  return split.sort((a, b) => compareAll(a.tokens, b.tokens)).map(({ key }) => key);
}

interface Token {
  readonly rank: 0 | 1 | 2;
  /** A code point, or the value of a number. */
  readonly value: number | bigint;
  readonly length: number;
}

function tokensOf(key: string): Token[] {
  return (key.match(/[0-9]+|[^0-9]/gsu) ?? []).map((text) => {
    if (/^[0-9]/.test(text)) return { rank: 1, value: BigInt(text), length: text.length };
    return { rank: isLetter(text.codePointAt(0)!) ? 2 : 0, value: text.codePointAt(0)!, length: text.length };
  });
}

function compareAll(left: readonly Token[], right: readonly Token[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const order = compare(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compare(a: Token, b: Token): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.length - b.length;
}
