/**
 * Reports whether Go's `unicode.IsPrint` accepts a character.
 *
 * @param char - one character
 * @returns true for letters, marks, numbers, punctuation, symbols and the space
 */
export function isPrintable(char: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);
}
