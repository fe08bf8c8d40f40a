/**
 * Joins words for a sentence: `a, b and c`.
 *
 * @param words the words, in their order
 * @param conjunction the word before the last one
 */
export function listed(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}
