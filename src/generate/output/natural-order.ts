/**
 * Returns whether Go's YAML orders one key before another: digits compare as numbers, and letters come last. The keys must
 * differ. The order is total, but not transitive: see `isTransitive`.
 */
export function naturalLess(a: string, b: string): boolean {
  let at = 0;
  const shorter = Math.min(a.length, b.length);
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shorter) return a.length < b.length;
  if (isLowSurrogate(a.charCodeAt(at)) && isLowSurrogate(b.charCodeAt(at))) at--;
  const left = a.codePointAt(at)!;
  const right = b.codePointAt(at)!;
  const leftLetter = isLetter(left);
  const rightLetter = isLetter(right);
  if (leftLetter && rightLetter) return left < right;
  if (leftLetter || rightLetter) return rightLetter;
  if (!isDigit(left) && !isDigit(right)) return left < right;
  // A zero inside a number is one of its digits, not a leading zero.
  const carry = (left === ZERO || right === ZERO) && followsNonZeroDigit(a, at);
  return compareNumbers(a, b, at, carry) < 0;
}

const ZERO = 0x30;
const LETTER = /^\p{L}/u;
const DIGIT = /^\p{Nd}/u;

/** Returns whether Go's YAML treats a code point as a letter. */
export function isLetter(character: number): boolean {
  if (character < 0x80) return (character >= 0x61 && character <= 0x7a) || (character >= 0x41 && character <= 0x5a);
  return LETTER.test(String.fromCodePoint(character));
}

function isDigit(character: number): boolean {
  return character < 0x80 ? isAsciiDigit(character) : DIGIT.test(String.fromCodePoint(character));
}

function isAsciiDigit(character: number): boolean {
  return character >= ZERO && character <= 0x39;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function followsNonZeroDigit(key: string, at: number): boolean {
  let last = at - 1;
  while (last >= 0 && key.charCodeAt(last) === ZERO) last--;
  if (last > 0 && isLowSurrogate(key.charCodeAt(last))) last--;
  return last >= 0 && isDigit(key.codePointAt(last)!);
}

/** The number of digits that always fit into 64 bits, with a carried digit. */
export const SAFE_DIGITS = 18;

/** Orders by value, then by length, then by the first digit, which differs. One of both may have no digits. */
function compareNumbers(a: string, b: string, at: number, carry: boolean): number {
  const leftEnd = endOfDigits(a, at);
  const rightEnd = endOfDigits(b, at);
  if (isSimple(a, at, leftEnd) && isSimple(b, at, rightEnd)) {
    const left = carry ? at : skipZeros(a, at, leftEnd);
    const right = carry ? at : skipZeros(b, at, rightEnd);
    const longer = leftEnd - left - (rightEnd - right);
    if (longer !== 0) return longer;
    for (let index = 0; index < leftEnd - left; index++) {
      const difference = a.charCodeAt(left + index) - b.charCodeAt(right + index);
      if (difference !== 0) return difference;
    }
    return leftEnd - rightEnd;
  }
  return compareWrapped([...a.slice(at, allDigits(a, at))], [...b.slice(at, allDigits(b, at))], carry);
}

function endOfDigits(key: string, at: number): number {
  let end = at;
  while (end < key.length && isAsciiDigit(key.charCodeAt(end))) end++;
  return end;
}

/** Returns whether a number consists of ASCII digits only, and fits. */
function isSimple(key: string, at: number, end: number): boolean {
  return (
    end - at <= SAFE_DIGITS && (end === key.length || key.charCodeAt(end) < 0x80 || !isDigit(key.codePointAt(end)!))
  );
}

function skipZeros(key: string, at: number, end: number): number {
  let start = at;
  while (start < end && key.charCodeAt(start) === ZERO) start++;
  return start;
}

function allDigits(key: string, at: number): number {
  return at + (/^\p{Nd}*/u.exec(key.slice(at))?.[0].length ?? 0);
}

function compareWrapped(left: readonly string[], right: readonly string[], carry: boolean): number {
  const leftNumber = toNumber(carry, left);
  const rightNumber = toNumber(carry, right);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  if (left.length !== right.length) return left.length - right.length;
  return left[0]!.codePointAt(0)! - right[0]!.codePointAt(0)!;
}

/** Adds digits in 64 bits by their distance from `0`, in every script, as Go does. */
function toNumber(carry: boolean, digits: readonly string[]): bigint {
  let value = carry ? 1n : 0n;
  for (const digit of digits) value = BigInt.asIntN(64, value * 10n + BigInt(digit.codePointAt(0)! - ZERO));
  return value;
}
