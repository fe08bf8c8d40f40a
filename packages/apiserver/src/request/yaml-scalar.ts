/** Texts that never need quotes unless they look like another type. */
const simple = /^[A-Za-z_/][\w./-]*$/;
/** Texts that need quotes because a part of them has a meaning in YAML. */
const indicators = /^[#,[\]{}&*!|>'"%@`]|^[-?:](?: |$)|:(?: |$)| #|[\u2028\u2029]|^(?:---|\.\.\.)|^ | $/;
/** Characters that are only possible as escapes in double quotes. */
const unprintable = /[^ -~\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/u;

/** How a library of Go writes texts. */
export interface TextStyle {
  /** The indentation that a text with several lines names if it begins with a space. */
  indentWidth: number;
  /** Returns whether a text without quotes would be read as another type. */
  isAmbiguous(text: string): boolean;
}

/**
 * Encodes a text as a scalar of YAML as libyaml does, from which both libraries of Go come: without quotes if possible, otherwise in single or double
 * quotes, and texts with several lines as a block.
 *
 * @param text - the text
 * @param indent - the column of the lines of a block; undefined for keys, which can't be blocks
 * @param style - the library
 * @returns the scalar
 */
export function yamlScalar(text: string, indent: number | undefined, style: TextStyle): string {
  if (simple.test(text) && !style.isAmbiguous(text)) return text;
  if (text.includes("\n")) return indent === undefined ? quoted(text) : literal(text, indent, style.indentWidth);
  if (style.isAmbiguous(text) || unprintable.test(text)) return quoted(text);
  return indicators.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** Encodes a text with several lines. Spaces at the ends of lines are only possible in quotes. */
function literal(text: string, indent: number, indentWidth: number): string {
  if (/ \n| $/.test(text) || unprintable.test(text.replaceAll("\n", ""))) return quoted(text);
  const hint = /^[ \n]/.test(text) ? indentWidth : "";
  const end = !text.endsWith("\n") ? "-" : /\n\n$|^\n$/.test(text) ? "+" : "";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${hint}${end}${lines.map((line) => (line === "" ? "\n" : `\n${" ".repeat(indent)}${line}`)).join("")}`;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "\0": "0", "\x07": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e" },
  ...{ '"': '"', "\\": "\\", "\x85": "N" },
};

function quoted(text: string): string {
  const chars = Array.from(text, (char) => {
    const escaped = escapes[char];
    if (escaped !== undefined) return `\\${escaped}`;
    if (!unprintable.test(char)) return char;
    const code = char.codePointAt(0) as number;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${chars.join("")}"`;
}
