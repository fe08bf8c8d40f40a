import { writeString } from "../output/yaml-scalar.ts";

/** Words that only the older YAML takes for booleans, and numbers to the base of 60: text to the library that upstream patches with. */
const OLD_WORDS =
  /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;

/** Writes a text as go-yaml v3 does: in the style that controller-gen's other files have, but lines don't fold. */
export function scalarText(text: string, indent: number, isKey: boolean): string {
  if (OLD_WORDS.test(text)) return text;
  if (text === "<<") return '"<<"';
  return writeString(text, { column: Number.NEGATIVE_INFINITY, indent, isKey });
}
