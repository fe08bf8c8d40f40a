/**
 * The order of map keys. Go's YAML compares runs of digits as numbers and puts letters last, but not transitively:
 * `v10 < v1beta1 < v2 < v10`. Where that happens upstream's order changes from run to run, and ours is a fixed one.
 */
export function sortKeys(keys: readonly string[]): string[] {
  // Any fixed order will do to begin with: it makes the result independent of the order of insertion.
  const sorted = keys.toSorted();
  // Between letters the order is that of their codes, which the sort above is by.
  if (sorted.length < 2 || sorted.every((key) => LETTERS.test(key))) return sorted;
  sorted.sort((a, b) => (naturalLess(a, b) ? -1 : 1));
  // Only numbers make the comparison intransitive, so most maps needn't be proven.
  if (sorted.filter((key) => DIGIT.test(key)).length < 2 || isConsistent(sorted)) return sorted;
  return keys.toSorted(byTokens);
}

const LETTERS = /^[A-Za-z]+$/;
const LETTER = /^\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Whether every pair, not only neighbours, is in order. */
function isConsistent(sorted: readonly string[]): boolean {
  for (let low = 0; low < sorted.length; low++) {
    for (let high = low + 2; high < sorted.length; high++) {
      if (!naturalLess(sorted[low]!, sorted[high]!)) return false;
    }
  }
  return true;
}

function naturalLess(a: string, b: string): boolean {
  let at = 0;
  const shorter = Math.min(a.length, b.length);
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === a.length || at === b.length) return a.length < b.length;
  if (isLowSurrogate(a.charCodeAt(at)) && isLowSurrogate(b.charCodeAt(at))) at--;
  const left = a.codePointAt(at)!;
  const right = b.codePointAt(at)!;
  const leftLetter = isLetter(left);
  const rightLetter = isLetter(right);
  if (leftLetter && rightLetter) return left < right;
  if (leftLetter || rightLetter) return rightLetter;
  if (!isDigit(left) && !isDigit(right)) return left < right;
  // A zero within a number counts as one of its digits, not as a leading zero.
  const carry = (left === 0x30 || right === 0x30) && followsNonZeroDigit(a, at) ? "1" : "0";
  const leftDigits = digitsFrom(a, at);
  const rightDigits = digitsFrom(b, at);
  const leftNumber = toNumber(carry, leftDigits);
  const rightNumber = toNumber(carry, rightDigits);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber;
  if (leftDigits.length !== rightDigits.length) return leftDigits.length < rightDigits.length;
  return left < right;
}

function isLetter(character: number): boolean {
  if (character < 0x80) return (character >= 0x61 && character <= 0x7a) || (character >= 0x41 && character <= 0x5a);
  return LETTER.test(String.fromCodePoint(character));
}

function isDigit(character: number): boolean {
  if (character < 0x80) return character >= 0x30 && character <= 0x39;
  return DIGIT.test(String.fromCodePoint(character));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function followsNonZeroDigit(key: string, at: number): boolean {
  return /[^\P{Nd}0]0*$/u.test(key.slice(0, at));
}

function digitsFrom(key: string, at: number): string[] {
  return [...(/^\p{Nd}*/u.exec(key.slice(at))?.[0] ?? "")];
}

/** Go adds up digits in 64 bits, by their distance from `0` whatever their script. */
function toNumber(carry: string, digits: readonly string[]): bigint {
  let value = BigInt(carry);
  for (const digit of digits) value = BigInt.asIntN(64, value * 10n + BigInt(digit.codePointAt(0)! - 0x30));
  return value;
}

function byCodePoint(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A total order: token by token, symbols before numbers before letters, numbers by value and then by length. */
function byTokens(a: string, b: string): number {
  const left = tokens(a);
  const right = tokens(b);
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const order = compareTokens(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function tokens(key: string): string[] {
  return key.match(/[0-9]+|[^0-9]/gsu) ?? [];
}

function compareTokens(a: string, b: string): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (rankOf(a) !== 1) return byCodePoint(a, b);
  const left = BigInt(a);
  const right = BigInt(b);
  if (left !== right) return left < right ? -1 : 1;
  return a.length - b.length;
}

function rankOf(token: string): 0 | 1 | 2 {
  if (/^[0-9]/.test(token)) return 1;
  return LETTER.test(token) ? 2 : 0;
}
