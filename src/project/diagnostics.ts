import { isMap } from "yaml";
import type { Level } from "../diagnostics/collector.ts";
import { readLevels } from "../diagnostics/levels.ts";
import { editDocument } from "../yaml/document.ts";
import { type Problem, stateProblem } from "./problem.ts";
import { LAYOUT } from "./project-file.ts";

/** Where PROJECT has them, for messages. */
const place = `plugins."${LAYOUT}".diagnostics`;

/**
 * The levels of diagnostics that a PROJECT file sets, by id; none if it says nothing of them. Whether the rest of the file
 * is right is not looked at: the generator runs beside projects of other tools, too.
 */
export function projectLevels(text: string): { readonly levels: Readonly<Record<string, Level>> } | Problem {
  const document = editDocument(text);
  const [error] = document.errors;
  if (error) {
    const [line] = error.message.split("\n");
    return stateProblem("broken-project", `PROJECT can't be read: ${line}`, "restore it from version control");
  }
  const given = document.getIn(["plugins", LAYOUT, "diagnostics"]);
  if (given === undefined) return { levels: {} };
  const read = readLevels(isMap(given) ? given.toJSON() : given);
  if ("levels" in read) return read;
  const [first, ...others] = read.problems;
  const below = [first?.hint, ...others.map(({ message, hint }) => `also: ${message} (${hint})`)];
  return stateProblem("bad-diagnostic-level", `PROJECT, ${place}: ${first?.message}`, below.join("\n"));
}
