// The fast parser is native code: if its stack overflows, the process ends without a message. On Linux it accepts 4,000
// levels of any syntax and fails at 8,000 levels of some. Files that may come near this are left to the complete reader, in
// which a stack overflow is an error.

/** The maximum number of levels that the fast parser is used for. */
const deepest = 2000;

/** The weight of operators that the parser processes without recursion: it fails at 64,000 of them. */
const cheap = 1 / 16;

/** Words that begin a construct in which another one can begin. */
const nesting = new Set(
  "keyof unique readonly infer asserts is typeof void delete await yield new do else if for while with async abstract extends in instanceof as satisfies default case class function".split(
    " ",
  ),
);

/** Words after which a slash begins a regular expression; after any other word it is a division. */
const beforePattern = new Set("return typeof void delete in instanceof new case do else throw".split(" "));
/** Words after which a slash may be either. */
const beforeEither = new Set("of await yield as satisfies let async".split(" "));

/** Returns whether a text may exceed the parser's stack. The result may be a false positive, but never a false negative. */
export function mayBeDeep(text: string): boolean {
  return countAll(text) > deepest && measure(text) > deepest;
}

/** The first and last letters of those words, which distinguish most other words without a copy. */
const nestingEnds = new Set(Array.from(nesting, (word) => endsOf(word, 0, word.length)));

function endsOf(text: string, start: number, end: number): number {
  return text.charCodeAt(start) * 128 + text.charCodeAt(end - 1);
}

function isNesting(text: string, start: number, end: number): boolean {
  const length = end - start;
  return (
    length >= 2 && length <= 10 && nestingEnds.has(endsOf(text, start, end)) && nesting.has(text.slice(start, end))
  );
}

const nestingWord = new RegExp(`\\b(?:${[...nesting].join("|")})\\b`, "g");

/** Counts everything that could be a level if all of it were nested, including comments and strings. */
function countAll(text: string): number {
  // Most characters have no weight, and a regular expression removes them faster than a loop.
  const weighty = text.replace(/[^([{<`?:=.*@!~+\-/%&|^>]+/g, "");
  let count = 0;
  for (let index = 0; index < weighty.length && count <= deepest; index++) count += weightOf(weighty.charCodeAt(index));
  return count > deepest ? count : count + (text.match(nestingWord)?.length ?? 0);
}

const weights = new Float64Array(128);
for (const character of "([{<`?:=.*@") weights[character.charCodeAt(0)] = 1;
for (const character of "!~+-/%&|^>") weights[character.charCodeAt(0)] = cheap;

function weightOf(code: number): number {
  return code < 128 ? (weights[code] as number) : 0;
}

/** The characters of words, which include all characters above ASCII except line ends. */
const inWord = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$\\") {
  inWord[character.charCodeAt(0)] = 1;
}

/** Returns the end of the whitespace at an offset. */
function blanksEnd(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? code !== 32 && (code < 9 || code > 13) : !/\s/.test(text[at] as string)) break;
  }
  return at;
}

/** Returns the end of the word at an offset. */
function wordEnd(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? inWord[code] === 0 : code === 0x2028 || code === 0x2029) break;
  }
  return at;
}

/** Matches most members of an interface. They end at the level at which they begin. */
const member = /[\w$]+\??:[ \t]?[\w$]+(?:\[\])?;/y;
/** The maximum number of levels in such a member. */
const memberLevels = 6;
const lineComment = /\/\/[^\n\r\u2028\u2029]*/y;
const quoted = /"(?:[^"\\\n\r]|\\[\s\S])*"|'(?:[^'\\\n\r]|\\[\s\S])*'/y;
const pattern = /\/(?:[^/\\[\n\r]|\\.|\[(?:[^\]\\\n\r]|\\.)*\])+\/\w*/y;
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

/**
 * Returns the maximum number of levels that are open at once: brackets, and the constructs in each since the last comma or
 * semicolon. Returns Infinity if the text can't be split without a parser.
 */
function measure(text: string): number {
  /** For each open bracket: the closing one, and the chain before it. */
  const open: { readonly close: string; readonly chain: number }[] = [];
  let chain = 0;
  /** The levels around the current chain. */
  let around = 0;
  // `else` can follow a semicolon, so it is counted separately.
  let elses = 0;
  let most = 0;
  /** The previous token, unless it is the word that begins at `wordAt`. */
  let before = "";
  let wordAt = 0;
  let at = 0;
  const skip = (part: RegExp): boolean => {
    part.lastIndex = at;
    if (!part.test(text)) return false;
    at = part.lastIndex;
    return true;
  };
  const enter = (close: string) => {
    open.push({ close, chain });
    around += chain + 1;
    chain = 0;
  };
  /** Skips to the end of a template, or to the next expression in it. */
  const template = () => {
    skip(templatePart);
    if (text[at] === "`") before = "`";
    else {
      enter("`");
      at++;
      before = "{";
    }
    at++;
  };
  while (at < text.length) {
    at = blanksEnd(text, at);
    if (at === text.length) break;
    if (skip(member)) {
      most = Math.max(most, around + chain + memberLevels + elses * cheap);
      if (most > deepest) return most;
      chain = 0;
      before = ";";
      continue;
    }
    const character = text[at] as string;
    const end = wordEnd(text, at);
    if (end > at) {
      if (isNesting(text, at, end)) {
        if (end - at === 4 && text.startsWith("else", at)) elses++;
        else chain++;
      }
      wordAt = at;
      before = "";
      at = end;
    } else if (character === "/") {
      if (skip(lineComment)) continue;
      if (text[at + 1] === "*") {
        const end = text.indexOf("*/", at + 2);
        if (end < 0) return Number.POSITIVE_INFINITY;
        at = end + 2;
        continue;
      }
      if (before === "") before = text.slice(wordAt, wordEnd(text, wordAt));
      if (/^[)}!+\->`]$/.test(before) || beforeEither.has(before)) return Number.POSITIVE_INFINITY;
      const divides = /[\w$\\\u0080-\uffff"'\]]$/.test(before) && !beforePattern.has(before);
      if (!divides && !skip(pattern)) return Number.POSITIVE_INFINITY;
      if (divides) {
        at++;
        chain += cheap;
      }
      before = divides ? "/" : '"';
    } else if (character === '"' || character === "'") {
      if (!skip(quoted)) return Number.POSITIVE_INFINITY;
      before = '"';
    } else if (character === "`") {
      at++;
      chain += cheap;
      template();
    } else {
      at++;
      before = character;
      if (character === "(") enter(")");
      else if (character === "[") enter("]");
      else if (character === "{") enter("}");
      else if (")]}".includes(character)) {
        const top = open.pop();
        // An unmatched bracket is a syntax error, after which the parser may continue differently.
        if (!top || (top.close !== character && !(top.close === "`" && character === "}")))
          return Number.POSITIVE_INFINITY;
        chain = top.chain + cheap;
        around -= top.chain + 1;
        if (top.close === "`") template();
      } else if (character === ";" || character === ",") chain = 0;
      else if (character === "?" && text[at] === ":") at++;
      else chain += weightOf(character.charCodeAt(0));
    }
    most = Math.max(most, around + chain + elses * cheap);
    if (most > deepest) return most;
  }
  return open.length > 0 ? Number.POSITIVE_INFINITY : most;
}
