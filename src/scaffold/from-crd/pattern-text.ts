import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** In characters: users don't read longer texts, and nested repetitions multiply. */
const maxLength = 2000;

/** Characters in the order of preference. */
const preferred = [..."aexmpl1b0A-_./: ,"];
const word = "example";

/** How a text is chosen among those that match. */
interface Choice {
  /** Whether repetitions of letters become a word. */
  readonly isWord: boolean;
  /** The number of repetitions beyond the least. */
  readonly more: number;
  /** Which of the characters or alternatives to take. */
  readonly index: number;
}

/**
 * Returns texts that a regular expression of RE2 matches, the most readable ones first; none if it can't be read. They are
 * candidates: the caller tests them, because assertions such as `\b` are ignored.
 *
 * @param least - the least length of a text
 * @param index - the number of other texts, from which these should differ
 */
export function* textsOf(pattern: string, least: number, index: number): Generator<string> {
  const parsed = parse(pattern);
  if (parsed === undefined) return;
  const choices = [0, 1, 2, 3, least, least + 1].flatMap((more) =>
    [true, false].map((isWord) => ({ isWord, more, index })),
  );
  const first = { isWord: true, more: 0, index };
  // Other alternatives, which may allow more or less than the first ones.
  const others = [1, 2, 3].map((other) => ({ ...first, index: index + other }));
  for (const choice of [first, ...choices, ...others]) {
    const text = textOfAny(parsed.alternatives, choice);
    if (text === undefined || text.length > maxLength) continue;
    if (choice === first && !/(\$|\\z)\)*$/.test(pattern)) yield text + word;
    yield text;
  }
}

function parse(pattern: string): AST.Pattern | undefined {
  const [, flags = "", rest = pattern] = /^\(\?([is]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const inJavaScript = rest
    .replace(/\\A/g, "^")
    .replace(/\\z/g, "$")
    .replaceAll("(?P<", "(?<")
    .replace(/\[:(\w+):\]/g, (all, name) => classes[name] ?? all);
  try {
    return new RegExpParser().parsePattern(inJavaScript, 0, inJavaScript.length, { unicode: flags.includes("u") });
  } catch {
    return undefined;
  }
}

const classes: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  digit: "0-9",
  lower: "a-z",
  punct: "!-/:-@",
  space: " ",
  upper: "A-Z",
  word: "\\w",
  xdigit: "a-f0-9",
};

function textOfAny(alternatives: readonly AST.Alternative[], choice: Choice): string | undefined {
  const alternative = alternatives[choice.index % alternatives.length];
  let text = "";
  for (const element of alternative?.elements ?? []) {
    const next = textOfElement(element, choice);
    if (next === undefined || text.length > maxLength) return undefined;
    text += next;
  }
  return text;
}

function textOfElement(element: AST.Element, choice: Choice): string | undefined {
  switch (element.type) {
    case "Assertion":
      return element.kind === "lookahead" || element.kind === "lookbehind" ? undefined : "";
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
    case "CharacterClass":
      return characterOf(element, choice.index);
    case "CapturingGroup":
    case "Group":
      return textOfAny(element.alternatives, choice);
    case "Quantifier":
      return repeated(element, choice);
    default:
      return undefined;
  }
}

function repeated({ element, min, max }: AST.Quantifier, choice: Choice): string | undefined {
  const isCharacter = element.type === "CharacterClass" || element.type === "CharacterSet";
  if (choice.isWord && isCharacter && min <= word.length && max >= word.length) {
    const own = `${word}${choice.index === 0 ? "" : choice.index}`;
    const fitting = [own, word].find((text) => text.length <= max && [...text].every((each) => isIn(element, each)));
    if (fitting !== undefined) return fitting;
  }
  const count = Math.min(min + choice.more, max, maxLength);
  if (count === 0) return "";
  const single = textOfElement(element, choice);
  return single === undefined || single.length * count > maxLength ? undefined : single.repeat(count);
}

type Characters = AST.CharacterClass | AST.CharacterSet | AST.ClassRangesCharacterClassElement;

/** Returns a character of a class, a readable one if possible. */
function characterOf(element: Characters, index: number): string | undefined {
  const candidates = preferred.filter((each) => isIn(element, each));
  if (candidates.length > 0) return candidates[index % candidates.length];
  for (let code = 0x20; code < 0x3000; code++)
    if (isIn(element, String.fromCodePoint(code))) return String.fromCodePoint(code);
  return undefined;
}

function isIn(element: Characters, character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  switch (element.type) {
    case "Character":
      return element.value === code;
    case "CharacterClassRange":
      return element.min.value <= code && code <= element.max.value;
    case "CharacterSet":
      return isInSet(element, character);
    case "CharacterClass": {
      const parts = element.elements as readonly Characters[];
      return parts.some((part) => isIn(part, character)) !== element.negate;
    }
    default:
      return false;
  }
}

function isInSet(set: AST.CharacterSet, character: string): boolean {
  switch (set.kind) {
    case "any":
      return character !== "\n";
    case "digit":
      return /\d/.test(character) !== set.negate;
    case "space":
      return /\s/.test(character) !== set.negate;
    case "word":
      return /\w/.test(character) !== set.negate;
    default:
      return false;
  }
}
