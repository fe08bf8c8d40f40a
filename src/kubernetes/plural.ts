import { ACRONYMS, ALONE_ONLY, ENDINGS, IRREGULAR, NOT_REVERSIBLE, OTHER_PLURALS } from "./plural-rules.ts";

const PLURALS: ReadonlySet<string> = new Set([
  ...[...IRREGULAR].filter(([singular]) => !NOT_REVERSIBLE.has(singular)).map(([, plural]) => plural),
  ...OTHER_PLURALS,
]);

/** Endings in order: compounds of irregular words, the last one first, then the rules. */
const RULES: readonly (readonly [ending: string, replacement: string])[] = [
  ...[...IRREGULAR].filter(([singular]) => !ALONE_ONLY.has(singular)).reverse(),
  ...ENDINGS,
];

/** Returns the lowercase plural, which is the resource name of a kind: `NetworkPolicy` → `networkpolicies`. */
export function pluralize(kind: string): string {
  return plural(kind).toLowerCase();
}

function plural(name: string): string {
  const word = lastWord(name);
  if (word === "") return "";
  const irregularPlural = IRREGULAR.get(name);
  if (irregularPlural !== undefined) return irregularPlural;
  const folded = word.toLowerCase();
  if (PLURALS.has(name) || PLURALS.has(folded)) return name;
  const irregular = IRREGULAR.get(folded);
  if (irregular !== undefined) {
    return replaceEnd(name, word, word === capitalize(word) ? capitalize(irregular) : irregular);
  }
  for (const [ending, replacement] of RULES) {
    if (word.endsWith(replacement)) return replaceEnd(name, word, word);
    if (word.endsWith(ending)) return replaceEnd(name, word, word.slice(0, -ending.length) + replacement);
  }
  return folded.endsWith("s") ? name : `${name}s`;
}

/**
 * Replaces the last word. If the name doesn't end with it, because the case of an acronym was changed, repeats it, as
 * upstream does.
 */
function replaceEnd(name: string, word: string, replacement: string): string {
  return (name.endsWith(word) ? name.slice(0, -word.length) : name) + replacement;
}

/** Returns the last word of a name in camel case; acronyms are in capitals. */
function lastWord(name: string): string {
  if (ACRONYMS.has(name.toUpperCase())) return name.toUpperCase();
  const words: string[] = [];
  let current = "";
  let previous = "";
  const finish = () => {
    const word = current.replace(/^[\s_:\-/]+|(?<![\s_:\-/])[\s_:\-/]+$/g, "");
    if (word !== "") words.push(ACRONYMS.has(word.toUpperCase()) ? word.toUpperCase() : word);
    current = "";
  };
  for (const character of name.trim()) {
    const upper = /\p{Lu}/u.test(character);
    const startsWord = /[\s_:\-/]/.test(character) || (upper && !/\p{Lu}/u.test(previous));
    if (startsWord || (upper && ACRONYMS.has(current.toUpperCase()))) finish();
    if (/[\p{L}\p{Nd}\p{P}\s`]/u.test(character)) current += character;
    else finish();
    previous = character;
  }
  finish();
  return words.at(-1) ?? "";
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
