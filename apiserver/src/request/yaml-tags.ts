const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, y: true, yes: true, on: true },
  ...{ false: false, n: false, no: false, off: false },
};

/**
 * Reads a boolean as Go does: also the words of YAML 1.1.
 *
 * @param text - the text, without quotes
 * @returns the value; undefined for other texts
 */
export function wordOf(text: string | null): boolean | undefined {
  if (text === null || !/^([a-z]+|[A-Z][a-z]*|[A-Z]+)$/.test(text)) return undefined;
  return words[text.toLowerCase()];
}

/**
 * Reads an integer as Go does: a leading zero means octal.
 *
 * @param text - the text, without quotes
 * @returns the value; undefined for other texts
 */
export function integerOf(text: string | null): bigint | undefined {
  const match = /^([-+]?)(0b[01_]+|0x[\da-fA-F_]+|0o[0-7_]+|0[0-7_]*|[1-9][\d_]*)$/.exec(text ?? "");
  if (match === null || (text as string).endsWith("_")) return undefined;
  const digits = (match[2] as string).replaceAll("_", "");
  // The time of BigInt grows faster than the number of decimal digits. The beginning of a long number is infinite, too.
  const value = BigInt(
    /^0\d/.test(digits) ? `0o${digits.slice(1)}` : /^0/.test(digits) ? digits : digits.slice(0, 400),
  );
  return match[1] === "-" ? -value : value;
}

/**
 * Finds the tag of a text without quotes.
 *
 * @param text - the text
 * @returns for example `!!int`
 */
export function tagOf(text: string): string {
  if (integerOf(text) !== undefined) return "!!int";
  if (wordOf(text) !== undefined) return "!!bool";
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return "!!null";
  return /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text) ? "!!float" : "!!str";
}
