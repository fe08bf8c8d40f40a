import { Random } from "./random.ts";

const plain = [
  ..."yes Yes YES no No NO on On ON off Off OFF y Y n N true True TRUE false False FALSE yEs tRUE oN".split(" "),
  ..."~ null Null NULL nULL Nil".split(" "),
  ..."0 1 -1 +1 007 0400 0644 08 089 0o17 0O17 017 -017 +0b11 0b12 0B101 -0b1 0x1F 0xfg 0X1f -0xA 1_000 1__0 1_ _1 0_7".split(
    " ",
  ),
  ..."9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808".split(" "),
  ..."-9223372036854775809 18446744073709551615 18446744073709551616 123456789012345678901234567890".split(" "),
  ..."0777777777777777777777777 0xffffffffffffffff 0x1ffffffffffffffff 0b1111111111111111111111111111111111".split(" "),
  ..."1.0 1.5 -1.5 .5 -.5 +.5 1. 1.e3 1e3 1E3 1e+3 1e-3 1e400 1e-400 1.5e300 5e-324 .5_0 1_0.5 1e1_0 0.1 100000000000000000000.0".split(
    " ",
  ),
  ..."3.14159265358979 1234567.0 0.00001 1e21 1e20 123456.7 1.0.0 1.2.3 .e1 . .. -- -a +a :a a:b a::b".split(" "),
  ..."1:20 190:20:30 1:30 2001-12-14 2001-1-1 2001-13-40 2001-12-14t21:59:43.10Z 2020-01-01".split(" "),
  ..."2001-12-14T21:59:43Z 2001-12-14T21:59:43.1+01:00 12:30:45".split(" "),
  ..."v1 app nginx:1.25 http://example.com/a?b=c#d a#b a%b 100m 1Gi 12e6 5% =a = == a=b,c <<a a&b a*b".split(" "),
  "2001-12-14 21:59:43",
  "two words",
  "a  b",
  "a #b",
  "é ü 漢字 😀",
  "<<",
  "=",
];
const keys = [
  "a",
  "b",
  "c",
  "name",
  "spec",
  "x y",
  "1",
  "1.0",
  "yes",
  "0x10",
  "010",
  "true",
  "on",
  "k-1",
  "a.b/c",
  "é",
  "'q'",
  '"d"',
  "''",
  "1e3",
  ".5",
  "2001-01-01",
  "-1",
  "08",
  "1234567.0",
];
const doubles = [
  '"a"',
  '""',
  '"a\\nb"',
  '"\\t"',
  '"\\x41"',
  '"\\u00e9"',
  '"\\U0001F600"',
  '"\\e"',
  '"a\\\n   b"',
  '"a\n  b"',
  '"a\n\n  b "',
  '"yes"',
  '"1"',
  '"\\\\"',
  '"\\""',
  '"#a: b"',
  '"\\0"',
  '"\\ "',
  '"\\_"',
  '"\\N\\L\\P"',
];
/** Texts and keys that JSON or Go's library doesn't have. */
const refused = [
  "-",
  '"\\/"',
  '"\\q"',
  '"\\x4"',
  '"\\ud83d\\ude00"',
  ".inf",
  "-.INF",
  ".nan",
  ".nAn",
  "a: b",
  "@a",
  "`a",
  "%a",
  "*undefined",
  "- a",
  "? a",
];
const refusedKeys = ["null", "~", "Null", "[a]", "{a: b}", "? a", "18446744073709551615"];
const singles = ["'a'", "''", "'it''s'", "'a\n  b'", "'yes'", "'0644'", "'a: b'", "'#'", "'\\n'", "'a\n\n\n  b'"];
const tags = [
  "!!str",
  "!!int",
  "!!float",
  "!!bool",
  "!!null",
  "!!binary",
  "!!timestamp",
  "!own",
  "!",
  "!!map",
  "!!seq",
  "!!set",
  "!<tag:yaml.org,2002:str>",
  "!!unknown",
];

/** Writes random YAML in all of its styles. */
class Writer {
  readonly #random: Random;
  readonly #anchors: string[] = [];
  /** The anchors of objects. */
  readonly #mappings: string[] = [];
  #count = 0;
  /** Percent of unusual syntax. */
  readonly #odd: number;

  constructor(random: Random, odd: number) {
    this.#random = random;
    this.#odd = odd;
  }

  #odds(percent: number): boolean {
    return this.#random.chance((percent * this.#odd) / 100);
  }

  scalar(isFlow: boolean): string {
    const random = this.#random;
    if (this.#odds(2)) return random.pick(refused);
    const kind = random.below(10);
    if (kind < 6) {
      const text = random.pick(plain);
      return isFlow && /[,[\]{}?:]/.test(text) && !this.#odds(100) ? "a" : text;
    }
    if (kind < 8) return random.pick(doubles);
    return random.pick(singles);
  }

  /** Returns the tag and the anchor of a value. The anchor is known only after the value. */
  properties(isMapping = false): { text: string; end: () => void } {
    const random = this.#random;
    const tag = this.#odds(8) ? `${random.pick(tags)} ` : "";
    if (!random.chance(8)) return { text: tag, end: () => {} };
    const name = `n${this.#count++}`;
    const end = (): void => {
      this.#anchors.push(name);
      if (isMapping) this.#mappings.push(name);
    };
    if (this.#odds(2)) end();
    return { text: `${tag}&${name} `, end };
  }

  alias(): string | undefined {
    if (this.#anchors.length === 0 || !this.#random.chance(15)) return undefined;
    return `*${this.#random.pick(this.#anchors)}`;
  }

  flow(depth: number): string {
    const random = this.#random;
    const alias = this.alias();
    if (alias !== undefined) return `${alias}${random.chance(50) ? " " : ""}`;
    const kind = depth > 2 ? 0 : random.below(4);
    const properties = this.properties(kind === 3);
    if (kind < 2) {
      properties.end();
      return properties.text + this.scalar(true);
    }
    const count = random.below(4);
    const space = (): string =>
      random.pick(["", " ", " ", this.#odds(20) ? "\n   " : " ", this.#odds(10) ? " # c\n   " : ""]);
    const items: string[] = [];
    for (let i = 0; i < count; i++) {
      if (kind === 2) items.push(random.chance(15) ? `${this.key()}: ${this.flow(depth + 1)}` : this.flow(depth + 1));
      else if (random.chance(10)) items.push(this.key());
      else items.push(this.#flowPair(depth));
    }
    properties.end();
    const inside = items.map((item) => space() + item + space()).join(",") + (count > 0 && this.#odds(20) ? "," : "");
    return properties.text + (kind === 2 ? `[${inside}]` : `{${inside}}`);
  }

  #flowPair(depth: number): string {
    const key = this.key();
    if (key === "<<") return `<<: ${this.#merged()}`;
    return `${this.#odds(10) ? "? " : ""}${key}:${this.#odds(10) ? "" : " "}${this.flow(depth + 1)}`;
  }

  #merged(): string {
    const random = this.#random;
    const mapping = (): string => (random.chance(90) ? `*${random.pick(this.#mappings)}` : "{a: 1, b: 2}");
    return random.chance(30) ? `[${mapping()}, ${mapping()}]` : mapping();
  }

  key(): string {
    const random = this.#random;
    if (this.#odds(1)) return random.pick(refusedKeys);
    const alias = this.#odds(10) ? this.alias() : undefined;
    if (alias !== undefined) return `${alias}${this.#odds(30) ? "" : " "}`;
    if (random.chance(10) && this.#mappings.length > 0) return "<<";
    const key = random.pick(keys);
    const name = random.chance(30) && !/['"]/.test(key) ? `${key}${this.#count++}` : key;
    const properties = this.#odds(5) ? this.properties() : undefined;
    properties?.end();
    return (properties?.text ?? "") + name;
  }

  block(indent: number, depth: number, isValue = true): string {
    const random = this.#random;
    const kind = depth > 3 ? 0 : random.below(6);
    if (kind < 2) return ` ${this.inline(indent)}\n`;
    const properties = this.properties(kind >= 3);
    const pad = " ".repeat(indent);
    let text = properties.text === "" ? "\n" : ` ${properties.text}\n`;
    const count = 1 + random.below(4);
    const compact = random.chance(50) && isValue && indent >= 2 ? pad.slice(2) : pad;
    for (let i = 0; i < count; i++) {
      text += kind < 3 ? this.comment(compact) + this.item(compact, depth) : this.comment(pad) + this.pair(pad, depth);
    }
    properties.end();
    return text;
  }

  item(pad: string, depth: number): string {
    const random = this.#random;
    if (random.chance(30)) {
      const inner = `${pad}  `;
      let text = `${pad}- ${this.pair(inner, depth + 1).slice(inner.length)}`;
      for (let i = random.below(3); i > 0; i--) text += this.pair(inner, depth + 1);
      return text;
    }
    return `${pad}-${this.block(pad.length + 2, depth + 1, false)}`;
  }

  pair(pad: string, depth: number): string {
    const random = this.#random;
    if (this.#odds(4)) return `${pad}? ${this.key()}\n${pad}:${this.block(pad.length + 2, depth + 1)}`;
    const key = this.key();
    if (key === "<<") return `${pad}<<: ${this.#merged()}\n`;
    return `${pad}${key}:${this.block(pad.length + random.pick([2, 2, 2, 4]), depth + 1)}`;
  }

  comment(pad: string): string {
    const random = this.#random;
    if (random.chance(6)) return `${pad}# comment: {[\n`;
    if (random.chance(4)) return "\n";
    return this.#odds(2) ? "   \n" : "";
  }

  inline(indent: number): string {
    const random = this.#random;
    const alias = this.alias();
    if (alias !== undefined) return alias;
    const comment = random.chance(8) ? " # c" : "";
    const kind = random.below(10);
    const properties = kind < 5 || kind === 8 ? this.properties() : { text: "", end: () => {} };
    properties.end();
    if (kind < 5) return properties.text + this.scalar(false) + comment;
    if (kind < 7) return this.flow(0) + comment;
    if (kind === 7) return comment;
    const pad = " ".repeat(indent);
    if (kind < 9) {
      const header = random.pick(["|", ">", "|-", ">-", "|+", ">+", "|2", ">2-", this.#odds(10) ? "|0" : "|"]);
      const base = pad + random.pick(["", " "]);
      const lines = Array.from({ length: random.below(4) }, (_, line) =>
        line === 0 && !this.#odds(20)
          ? "first"
          : random.pick([
              "text",
              "a: b",
              "# no comment",
              "",
              "  more",
              "- x",
              this.#odds(20) ? "\ttab" : "x\ty",
              "yes",
              "end ",
            ]),
      );
      return `${properties.text}${header}${comment}\n${lines.map((line) => (line === "" ? "" : base + line)).join("\n")}`;
    }
    return `${random.pick(["word", "1", "yes"])}\n${pad}${random.pick(["more", "2", this.#odds(20) ? "no: x" : "no", this.#odds(30) ? "# c" : "c"])}`;
  }
}

/** @returns the lines of a random object without brackets */
export function randomObject(seed: number): string {
  const random = new Random(seed * 2654435761 + 54321);
  for (let i = 0; i < 5; i++) random.below(2);
  const writer = new Writer(random, random.pick([0, 0, 10]));
  return Array.from({ length: 1 + random.below(6) }, () => writer.comment("") + writer.pair("", 0)).join("");
}

const prefixes = [
  "",
  "",
  "",
  "",
  "---\n",
  "# c\n---\n",
  "%YAML 1.1\n---\n",
  "\n\n",
  "\ufeff",
  "---\n# c\n",
  "--- # c\n",
];
const suffixes = ["", "", "", "", "...\n", "---\n", "---\nb: 2\n", "...\n# c\n", "# c", "...\nb: 1\n", "--- # c\n"];
const oddPrefixes = [
  "--- ",
  "%YAML 1.2\n---\n",
  "%TAG ! tag:x,2000:\n---\n",
  "...\n",
  "---\n---\n",
  " ",
  "%OWN a\n---\n",
];

/** @returns a random document. With `odd`, the percentage of unusual syntax */
export function randomDocument(seed: number, odd = 100): string {
  const random = new Random(seed * 2654435761 + 12345);
  for (let i = 0; i < 5; i++) random.below(2);
  const writer = new Writer(random, odd);
  const body = random.chance(85)
    ? Array.from({ length: 1 + random.below(5) }, () => writer.comment("") + writer.pair("", 0)).join("")
    : random.chance(50)
      ? `${writer.flow(0)}\n`
      : writer.block(2, 0);
  let text =
    (random.chance(odd / 20) ? random.pick(oddPrefixes) : random.pick(prefixes)) + body + random.pick(suffixes);
  if (random.chance(5)) text = text.replaceAll("\n", "\r\n");
  return text;
}

const fragments = [
  ":",
  ": ",
  "- ",
  "\n",
  " ",
  "  ",
  "\t",
  "#",
  " #",
  "'",
  '"',
  "[",
  "]",
  "{",
  "}",
  ",",
  "&a ",
  "*a",
  "!!str ",
  "|",
  ">",
  "%",
  "@",
  "`",
  "?",
  "? ",
  "---\n",
  "...\n",
  "\\",
  "<<: ",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\r",
  "0",
  "_",
  ".",
  "-",
  "=",
  "\u0007",
  "~",
];

/** @returns a document with random errors */
export function damaged(seed: number): string {
  const random = new Random(seed * 40503 + 7);
  for (let i = 0; i < 5; i++) random.below(2);
  let text = randomDocument(seed, random.pick([0, 30, 100]));
  for (let i = 1 + random.below(3); i > 0; i--) {
    const at = random.below(text.length + 1);
    const length = random.pick([0, 0, 1, 1, 2, 5]);
    text = text.slice(0, at) + (random.chance(60) ? random.pick(fragments) : "") + text.slice(at + length);
  }
  return text;
}
