// Most patterns of APIs are of a kind on which Go and JavaScript agree. Knowing that spares loading a library that reads the rest.

const punctuation = "[!-\\/:-@[-`{-~]";
const character = `\\\\(?:${punctuation}|[nrtf]|x[0-9A-Fa-f]{2})`;
const tokens = [
  // Characters that stand for themselves.
  "[^\\\\[\\](){}*+?|^$.]",
  "\\\\[dDwWsSbB]",
  character,
  "[.^$|)]",
  "\\((?:\\?:|(?!\\?))",
  "[*+?]\\??(?!\\?)",
  "\\{[0-9]{1,4}(?:,[0-9]{0,4})?\\}\\??(?!\\?)",
  // Classes; one that is followed by a range to an escape means different things.
  `\\[(?:\\^(?!\\])|(?!\\^))(?:[^\\\\[\\]]|\\\\[dDwWsS](?!-(?!\\]))|${character})+\\]`,
];
const plain = new RegExp(`^(?:${tokens.join("|")})*$`);

/** The most often that Go lets a part be repeated, all nested counts together. */
const mostRepeats = 1000;

const compiled = new Map<string, RegExp | undefined>();

/** A pattern as a JavaScript regular expression of the same meaning; undefined where that isn't certain. */
export function asJavaScript(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, isPlain(pattern) ? compile(pattern) : undefined);
  return compiled.get(pattern);
}

function isPlain(pattern: string): boolean {
  // Long texts are left to the library: the test above would go back and forth in them.
  if (pattern.length > 2000 || !ofWholeCharacters.test(pattern) || !plain.test(pattern)) return false;
  const unescaped = pattern.replace(/\\[^dDwWsSbB]/g, "");
  return !/-\\[dDwWsS]/.test(unescaped) && repeats(pattern) <= mostRepeats;
}

/** Printable, and one unit of UTF-16 each: JavaScript counts these, Go counts characters. */
const ofWholeCharacters = /^[\x20-\x7e\xa1-\ud7ff\ue000-\ufffd]*$/;

/** No less than the nested counts of any part together: only the counts of groups can have others inside. */
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

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
