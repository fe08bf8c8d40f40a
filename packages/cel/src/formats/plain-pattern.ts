// Recognizes patterns with the same meaning in Go and JavaScript, which can be checked without the library. Most patterns of
// APIs are such patterns.

const punctuation = "[!-\\/:-@[-`{-~]";
const character = `\\\\(?:${punctuation}|[nrtf]|x[0-9A-Fa-f]{2})`;
const tokens = [
  // Literal characters.
  "[^\\\\[\\](){}*+?|^$.]",
  "\\\\[dDwWsSbB]",
  character,
  "[.^$|)]",
  "\\((?:\\?:|(?!\\?))",
  "[*+?]\\??(?!\\?)",
  "\\{[0-9]{1,4}(?:,[0-9]{0,4})?\\}\\??(?!\\?)",
  // Character classes; a range to an escape means different things in both languages.
  `\\[(?:\\^(?!\\])|(?!\\^))(?:[^\\\\[\\]]|\\\\[dDwWsS](?!-(?!\\]))|${character})+\\]`,
];
const plain = new RegExp(tokens.join("|"), "y");
/** The longest pattern, in characters: with the most repetitions, it is still shorter than Go's limit. */
const longest = 20_000;

/** Go's maximum for repetitions, with all nested counts multiplied. */
const mostRepeats = 1000;

/**
 * Tests whether Go certainly compiles a pattern. JavaScript only parses it: matching could take exponential time.
 *
 * @param pattern - the pattern
 * @returns false if the pattern may be wrong
 */
export function isCertainlyGo(pattern: string): boolean {
  return isPlain(pattern) && compiles(pattern);
}

function isPlain(pattern: string): boolean {
  if (pattern.length > longest || !ofWholeCharacters.test(pattern) || !consistsOfTokens(pattern)) return false;
  const unescaped = pattern.replace(/\\[^dDwWsSbB]/g, "");
  return !/-\\[dDwWsS]/.test(unescaped) && repeats(pattern) <= mostRepeats;
}

function consistsOfTokens(pattern: string): boolean {
  plain.lastIndex = 0;
  for (let at = 0; at < pattern.length; at = plain.lastIndex) if (!plain.test(pattern)) return false;
  return true;
}

/** Printable, and one UTF-16 unit each: JavaScript counts units, Go counts characters. */
const ofWholeCharacters = /^[\x20-\x7e\xa1-\ud7ff\ue000-\ufffd]*$/;

/** Returns an upper bound of the nested repetition counts: only counts of groups can contain others. */
function repeats(pattern: string): number {
  let ofGroups = 1;
  let ofOthers = 1;
  for (const [, group, least, most] of pattern.matchAll(/(\)?)\{([0-9]+)(?:,([0-9]*))?\}/g)) {
    const count = Number(most || least);
    if (group) ofGroups *= Math.max(1, count);
    else ofOthers = Math.max(ofOthers, count);
  }
  return ofGroups * ofOthers;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}
