import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A text of any length that an expression may take long for: a part of it is repeated. */
export interface Attack {
  prefix: string;
  pump: string;
  suffix: string;
}

/** A quantifier whose limit is higher repeats its part often enough to be attacked. */
const fewTimes = 50;
const common = [
  " ",
  "\n",
  "\t",
  "a",
  "A",
  "0",
  "1",
  "_",
  "-",
  ".",
  ":",
  "/",
  '"',
  "'",
  "\\",
  "=",
  "*",
  "#",
  "\u0085",
  "é",
];
const suffixes = ["", "\u0001", "\n", "a"];

/** Which of the texts that an expression matches a sample is. */
interface Variant {
  /** Character classes take it if they can. */
  preferred: string;
  /** The number of the alternative. */
  alternative: number;
  /** How often repeated parts occur. */
  copies: number;
}

/**
 * Makes texts that an expression may take long for: for each part that may be repeated, a text that leads to the part, and many
 * repetitions of texts that the part matches.
 *
 * @param regex - the expression
 * @returns the texts
 */
export function attacksOn(regex: RegExp): Attack[] {
  const { pattern } = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${regex.source}/${regex.flags}`);
  const preferred = [...new Set([...common, ...charactersIn(pattern)])];
  const attacks = new Map<string, Attack>();
  for (const { before, quantifier } of quantifiersOf(pattern)) {
    const first: Variant = { preferred: "a", alternative: 0, copies: 1 };
    for (const pump of pumpsOf(quantifier.element, preferred)) {
      const prefixes = [
        "",
        before.map((node) => sample(node, first)).join(""),
        before.map((node) => sample(node, { ...first, preferred: pump.slice(0, 1), copies: 0 })).join(""),
      ];
      for (const prefix of new Set(prefixes)) {
        for (const suffix of suffixes) attacks.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
      }
      // The expression begins again and again.
      if (prefixes[1] !== "" && pump.length === 1) {
        for (const again of [prefixes[1], `${prefixes[1]}${pump}`, `${prefixes[1]}${pump}\n`]) {
          attacks.set(JSON.stringify(["", again, ""]), { prefix: "", pump: again as string, suffix: "" });
        }
      }
    }
  }
  return [...attacks.values()];
}

function pumpsOf(element: AST.Element, preferred: readonly string[]): Set<string> {
  const alternatives = "alternatives" in element ? element.alternatives.length : 1;
  const pumps = new Set<string>();
  for (let alternative = 0; alternative < alternatives; alternative++) {
    for (const char of preferred) {
      for (const copies of [0, 1, 2]) pumps.add(sample(element, { preferred: char, alternative, copies }));
    }
  }
  pumps.delete("");
  return pumps;
}

/** Finds the parts that may be repeated often, and what precedes each. */
function quantifiersOf(pattern: AST.Pattern): { before: readonly AST.Element[]; quantifier: AST.Quantifier }[] {
  const quantifiers: { before: readonly AST.Element[]; quantifier: AST.Quantifier }[] = [];
  const visit = (alternatives: readonly AST.Alternative[], before: readonly AST.Element[]): void => {
    for (const { elements } of alternatives) {
      for (const [index, element] of elements.entries()) {
        const here = [...before, ...elements.slice(0, index)];
        const inner = element.type === "Quantifier" ? element.element : element;
        if (element.type === "Quantifier" && element.max > fewTimes)
          quantifiers.push({ before: here, quantifier: element });
        if ("alternatives" in inner) visit(inner.alternatives, here);
      }
    }
  };
  visit(pattern.alternatives, []);
  return quantifiers;
}

function sample(node: AST.Element, variant: Variant): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
    case "CharacterClass":
      return characterOf(node.raw, variant.preferred);
    case "Quantifier": {
      const copies = Math.min(Math.max(node.min, variant.copies), node.max);
      return sample(node.element, variant).repeat(Math.min(copies, fewTimes));
    }
    case "Group":
    case "CapturingGroup": {
      const { elements } = node.alternatives[variant.alternative % node.alternatives.length] as AST.Alternative;
      return elements.map((element) => sample(element, variant)).join("");
    }
    default:
      // Assertions match no character. Of references to groups, the text isn't known.
      return "";
  }
}

const classes = new Map<string, RegExp>();

/** Finds a character of a class. */
function characterOf(raw: string, preferred: string): string {
  const own = classes.get(raw) ?? new RegExp(`^${raw}$`, /\\p\{|\\u\{/i.test(raw) ? "u" : "");
  classes.set(raw, own);
  if (own.test(preferred)) return preferred;
  return common.find((char) => own.test(char)) ?? allCharacters.find((char) => own.test(char)) ?? "";
}

const allCharacters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));

/** Returns the characters that an expression names. */
function charactersIn(node: AST.Pattern): string[] {
  return [...new Set(node.raw.replace(/\\[a-z]/gi, ""))].filter((char) => !/[\w\s]/.test(char));
}
