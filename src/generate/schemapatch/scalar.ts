import { writeString } from "../output/yaml-scalar.ts";

/** Words that only YAML 1.1 reads as booleans, and base-60 numbers: strings for the library that upstream patches with. */
const OLD_WORDS =
  /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;

/** Formats a string as go-yaml v3 does: in the same style as other generated files, but without folding lines. */
export function scalarText(text: string, indent: number, isKey: boolean): string {
  if (OLD_WORDS.test(text)) return text;
  if (text === "<<") return '"<<"';
  return writeString(text, { column: Number.NEGATIVE_INFINITY, indent, isKey });
}
