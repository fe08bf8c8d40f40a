// Most patterns of APIs have a syntax on which Go and JavaScript agree: they need no library.

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

const known = new Map<string, boolean>();

/** Whether Go certainly compiles a pattern. JavaScript only parses it here: its engine may take forever to match. */
export function isCertainlyGo(pattern: string): boolean {
  const found = known.get(pattern) ?? (isPlain(pattern) && compiles(pattern));
  known.set(pattern, found);
  return found;
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

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}
