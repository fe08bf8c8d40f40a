// Most patterns of APIs are of a kind on which Go and JavaScript agree. Knowing that spares loading a library that reads the rest.

const punctuation = "[!-\\/:-@[-`{-~]";
const tokens = [
  // Characters that stand for themselves.
  "[^\\\\[\\](){}*+?|^$.]",
  "\\\\(?:[dDwWsSbB]|x[0-9a-fA-F]{2})",
  `\\\\${punctuation}`,
  "[.^$|)]",
  "\\((?:\\?:|(?!\\?))",
  "[*+?]\\??(?!\\?)",
  "\\{[0-9]{1,4}(?:,[0-9]{0,4})?\\}\\??(?!\\?)",
  // Classes; one that is followed by a range to an escape means different things.
  `\\[\\^?(?:[^\\\\[\\]^]|\\\\[dDwWsS](?!-)|\\\\x[0-9a-fA-F]{2}|\\\\${punctuation})+\\]`,
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
  if (pattern.length > 2000 || !/^[\x20-\x7e]*$/.test(pattern) || !plain.test(pattern)) return false;
  if (/-\\[dDwWsS]/.test(pattern)) return false;
  const counts = [...pattern.matchAll(/\{([0-9]+)(?:,([0-9]*))?\}/g)].map(([, least, most]) => Number(most || least));
  return counts.reduce((product, count) => product * Math.max(1, count), 1) <= mostRepeats;
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
