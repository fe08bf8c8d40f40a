import { stripVTControlCharacters } from "node:util";

/** An error in the output of tsc: plain with `file(line,column)`, for a terminal with `file:line:column`, or without a place. */
const errorLine = /^(?:(\S.*?)(?:\(\d+,\d+\):|:\d+:\d+ -) )?error TS\d+: /gm;

/**
 * Returns the file of each error in the output of tsc.
 *
 * @param output - the output, with or without colors
 * @returns the paths as tsc prints them; the empty text for an error without a file
 */
export function filesWithTypeErrors(output: string): string[] {
  return [...stripVTControlCharacters(output).matchAll(errorLine)].map(([, file = ""]) => file);
}
