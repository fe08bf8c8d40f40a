// Translates regular expressions of Go to JavaScript. The result means the same in both languages, because validators in Go read
// JSON Schemas, too. It requires JavaScript's flag `u`, which validators set.
import { complement, highest, type Range, union, withAllCases, withProperty } from "./code-points.ts";

/** The maximum length of a result. Classes with all cases of large alphabets are longer. */
const longest = 2000;

/** Thrown for a part that can't be translated. */
class Untranslatable extends Error {}

/** The flags that change what a pattern matches. Flag `U` only changes which match is preferred. */
interface Flags {
  readonly i: boolean;
  readonly s: boolean;
  readonly m: boolean;
}

const space: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
const digit: readonly Range[] = [[0x30, 0x39]];
const upper: readonly Range[] = [[0x41, 0x5a]];
const lower: readonly Range[] = [[0x61, 0x7a]];
const letter = [...upper, ...lower];
const word: readonly Range[] = [...digit, ...upper, [0x5f, 0x5f], ...lower];

/** The classes with a name, such as `[[:alpha:]]`. */
const namedClasses: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...digit, ...letter],
  alpha: letter,
  ascii: [[0, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit,
  graph: [[0x21, 0x7e]],
  lower,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper,
  word,
  xdigit: [...digit, [0x41, 0x46], [0x61, 0x66]],
};

const escapedClasses: Readonly<Record<string, readonly Range[]>> = {
  d: digit,
  D: complement(digit),
  s: space,
  S: complement(space),
  w: word,
  W: complement(word),
};

const controls: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09, v: 0x0b };
const controlNames: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };

const repetition = /\{(?:0|[1-9]\d*)(?:,(?:0|[1-9]\d*)?)?\}/y;
const groupStart = /\((?:\?P?<\w+>)?/y;
const flagGroup = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;
const property = /\\([pP])(?:\{(\^?)(\w+)\}|(\w))/y;
const hexadecimal = /\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/y;
const octal = /\\([0-7]{1,3})/y;
const namedClass = /\[:(\^?)(\w+):\]/y;
/** A class with the same meaning in both languages, with or without JavaScript's flag `u`. */
const portableClass = /\[\^?(?:[ !"#%&'*+,./0-9:;<=>?@A-Z_`a-z~$()|{}-]|\\[dw\\\]./])+\]/y;

/**
 * Translates a regular expression of Go.
 *
 * @param pattern - a valid regular expression of Go
 * @returns a regular expression that matches the same texts in JavaScript and in Go; the pattern itself if it does. Undefined if
 * JavaScript has none.
 */
export function toJavaScript(pattern: string): string | undefined {
  try {
    const translated = new Translation(pattern).translate();
    return translated.length <= longest && new RegExp(translated, "u") !== undefined ? translated : undefined;
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Translation {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  translate(): string {
    const text = this.#alternatives({ i: false, s: false, m: false });
    if (this.#at < this.#pattern.length) throw new Untranslatable("a group ends that doesn't begin");
    return text;
  }

  /** Reads up to the end of a group, which isn't consumed. */
  #alternatives(outer: Flags): string {
    let flags = outer;
    let text = "";
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ")") {
      const [whole, on = "", off = "", end] = this.#peek(flagGroup) ?? [];
      if (whole !== undefined && end === ")") {
        this.#at += whole.length;
        flags = changed(flags, on, off);
        if (this.#quantifier() !== "") throw new Untranslatable("a quantifier of an earlier part");
        continue;
      }
      const { atom, isAssertion } = this.#atom(flags);
      const quantifier = this.#quantifier();
      if (atom === "" && quantifier !== "") throw new Untranslatable("a quantifier of an earlier part");
      // JavaScript can't repeat an assertion directly.
      text += isAssertion && quantifier !== "" ? `(?:${atom})${quantifier}` : atom + quantifier;
    }
    return text;
  }

  #quantifier(): string {
    const sign = this.#pattern[this.#at] ?? "";
    const quantifier = sign !== "" && "*+?".includes(sign) ? sign : (this.#peek(repetition)?.[0] ?? "");
    if (quantifier === "") return "";
    this.#at += quantifier.length;
    if (this.#pattern[this.#at] !== "?") return quantifier;
    this.#at++;
    return `${quantifier}?`;
  }

  #atom(flags: Flags): { readonly atom: string; readonly isAssertion?: true } {
    const character = this.#pattern[this.#at] ?? "";
    switch (character) {
      case "(":
        return { atom: this.#group(flags) };
      case "[":
        return { atom: this.#class(flags) };
      case "\\":
        return this.#escape(flags);
      case "|":
        this.#at++;
        return { atom: "|" };
      case ".":
        this.#at++;
        return { atom: flags.s ? "[\\s\\S]" : "[^\\n]" };
      case "^":
      case "$":
        this.#at++;
        if (flags.m) throw new Untranslatable("the starts and ends of lines");
        return { atom: character, isAssertion: true };
      default:
        return { atom: this.#literal(this.#codePoint(), flags) };
    }
  }

  #group(flags: Flags): string {
    const [withFlags, on = "", off = ""] = this.#peek(flagGroup) ?? [];
    const start = withFlags ?? this.#peek(groupStart)?.[0] ?? "(";
    this.#at += start.length;
    const text = this.#alternatives(withFlags === undefined ? flags : changed(flags, on, off));
    if (this.#pattern[this.#at] !== ")") throw new Untranslatable("a group doesn't end");
    this.#at++;
    return `${withFlags === undefined ? "(" : "(?:"}${text})`;
  }

  #escape(flags: Flags): { readonly atom: string; readonly isAssertion?: true } {
    const name = this.#pattern[this.#at + 1] ?? "";
    if ("bBAz".includes(name) && name !== "") {
      this.#at += 2;
      return { atom: name === "A" ? "^" : name === "z" ? "$" : `\\${name}`, isAssertion: true };
    }
    if (name === "Q") return { atom: this.#quoted(flags) };
    if ("dDwW".includes(name) && !flags.i) {
      this.#at += 2;
      return { atom: `\\${name}` };
    }
    const [propertyText, sign, not, long, short] = this.#peek(property) ?? [];
    if (propertyText !== undefined && !flags.i && isCategory(long ?? short ?? "")) {
      this.#at += propertyText.length;
      return { atom: `\\${(sign === "P") === (not === "^") ? "p" : "P"}{${long ?? short}}` };
    }
    const ranges = this.#escapedClass();
    return { atom: ranges === undefined ? this.#literal(this.#escapedCodePoint(), flags) : classText(ranges, flags) };
  }

  /** Reads `\Q…\E`, whose characters are literal. */
  #quoted(flags: Flags): string {
    const end = this.#pattern.indexOf("\\E", this.#at);
    const text = this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#pattern.length : end + 2;
    // A quantifier after it would repeat only the last character.
    return [...text].map((character) => this.#literal(character.codePointAt(0) ?? 0, flags)).join("");
  }

  /** Reads an escape that is a class, such as `\s` or `\p{Greek}`. */
  #escapedClass(): readonly Range[] | undefined {
    const name = this.#pattern[this.#at + 1] ?? "";
    const ranges = Object.hasOwn(escapedClasses, name) ? escapedClasses[name] : undefined;
    if (ranges !== undefined) {
      this.#at += 2;
      return ranges;
    }
    const [whole, sign, not, long, short] = this.#peek(property) ?? [];
    if (whole === undefined) return undefined;
    this.#at += whole.length;
    const named = long ?? short ?? "";
    const members = withProperty(isCategory(named) ? named : `Script=${named}`);
    if (members === undefined) throw new Untranslatable(`the class ${named}`);
    return (sign === "P") === (not === "^") ? members : complement(members);
  }

  /** Reads an escape that is a character, such as `\n`, `\x41` or `\.`. */
  #escapedCodePoint(): number {
    const [hex, long, short] = this.#peek(hexadecimal) ?? [];
    if (hex !== undefined) {
      this.#at += hex.length;
      return Number.parseInt(long ?? short ?? "", 16);
    }
    const [digits, value = ""] = this.#peek(octal) ?? [];
    if (digits !== undefined) {
      this.#at += digits.length;
      return Number.parseInt(value, 8);
    }
    this.#at++;
    const character = this.#pattern[this.#at] ?? "";
    const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
    if (control === undefined && /^[A-Za-z0-9]?$/.test(character)) throw new Untranslatable(`the escape ${character}`);
    const point = this.#codePoint();
    return control ?? point;
  }

  #class(flags: Flags): string {
    const portable = flags.i ? undefined : this.#peek(portableClass)?.[0];
    // A bracket directly after the first one is a member in Go.
    if (
      portable !== undefined &&
      this.#pattern[this.#at + 1] !== "]" &&
      !/\[\^?\]|-\\[dw]|\\[dw]-[^\]]/.test(portable)
    ) {
      this.#at += portable.length;
      return portable;
    }
    const isNegated = this.#pattern[this.#at + 1] === "^";
    this.#at += isNegated ? 2 : 1;
    const ranges: Range[] = [];
    for (let first = true; first || this.#pattern[this.#at] !== "]"; first = false) {
      if (this.#at >= this.#pattern.length) throw new Untranslatable("a class doesn't end");
      ranges.push(...this.#members());
    }
    this.#at++;
    const members = flags.i ? withAllCases(ranges) : ranges;
    return classText(isNegated ? complement(members) : members, { ...flags, i: false });
  }

  #members(): readonly Range[] {
    const [named, not, name = ""] = this.#peek(namedClass) ?? [];
    const members = Object.hasOwn(namedClasses, name) ? namedClasses[name] : undefined;
    if (named !== undefined && members !== undefined) {
      this.#at += named.length;
      return not === "^" ? complement(members) : members;
    }
    if (this.#pattern[this.#at] === "\\") {
      const ranges = this.#escapedClass();
      if (ranges !== undefined) return ranges;
    }
    const first = this.#member();
    const isRange = this.#pattern[this.#at] === "-" && (this.#pattern[this.#at + 1] ?? "]") !== "]";
    if (!isRange) return [[first, first]];
    this.#at++;
    return [[first, this.#member()]];
  }

  #member(): number {
    return this.#pattern[this.#at] === "\\" ? this.#escapedCodePoint() : this.#codePoint();
  }

  #codePoint(): number {
    const point = this.#pattern.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  #literal(point: number, flags: Flags): string {
    if (!flags.i) return literalText(point, /[$()*+.?[\\\]^{|}]/);
    const ranges = withAllCases([[point, point]]);
    return ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]
      ? literalText(point, /[$()*+.?[\\\]^{|}]/)
      : classText(ranges, { ...flags, i: false });
  }

  #peek(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#pattern) ?? undefined;
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const value = (name: keyof Flags) => (off.includes(name) ? false : on.includes(name) || flags[name]);
  return { i: value("i"), s: value("s"), m: value("m") };
}

/** Whether a property has the same name in both languages, such as `L` and `Lu`. Others are scripts. */
function isCategory(name: string): boolean {
  return /^(?:C[cfosn]?|L[lmotuC]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|Any)$/.test(name);
}

/** Returns a class with the members, or without the others if that is shorter. */
function classText(ranges: readonly Range[], flags: Flags): string {
  const members = union(flags.i ? withAllCases(ranges) : ranges);
  const [first] = members;
  if (first === undefined) return "[^\\s\\S]";
  if (first[0] === 0 && first[1] === highest) return "[\\s\\S]";
  const isNegated = first[0] === 0 && members.at(-1)?.[1] === highest;
  const shown = isNegated ? complement(members) : members;
  return `[${isNegated ? "^" : ""}${shown.map(rangeText).join("")}]`;
}

function rangeText([first, last]: Range): string {
  const [from, to] = [first, last].map((point) => literalText(point, /[[\\\]^-]/));
  if (first === last) return from ?? "";
  return `${from}${last === first + 1 ? "" : "-"}${to}`;
}

/** Returns a character, escaped in a way that both languages read. */
function literalText(point: number, special: RegExp): string {
  const character = String.fromCodePoint(point);
  if (special.test(character)) return `\\${character}`;
  const named = controlNames[point];
  if (named !== undefined) return named;
  if (point < 0x20 || point === 0x7f) return `\\x${point.toString(16).toUpperCase().padStart(2, "0")}`;
  if (point >= 0xd800 && point <= 0xdfff) throw new Untranslatable("a half of a surrogate pair");
  return character;
}
