import { type Document, isMap } from "yaml";
import type { Level } from "../diagnostics/collector.ts";
import { readLevels } from "../diagnostics/levels.ts";
import { type Problem, stateProblem } from "./problem.ts";
import { LAYOUT } from "./project-file.ts";

/** The path of the levels in PROJECT, for messages. */
const place = `plugins."${LAYOUT}".diagnostics`;

/**
 * Reads the levels of diagnostics, by id, from the document of a PROJECT file. Doesn't validate the rest of the file, because the generator also
 * runs in projects of other tools.
 */
export function projectLevels(document: Document): { readonly levels: Readonly<Record<string, Level>> } | Problem {
  const [error] = document.errors;
  if (error) {
    const [line] = error.message.split("\n");
    return stateProblem("broken-project", `PROJECT can't be read: ${line}`, "restore it from version control");
  }
  const given = document.getIn(["plugins", LAYOUT, "diagnostics"]);
  if (given === undefined) return { levels: {} };
  const read = readLevels(isMap(given) ? given.toJSON() : given);
  if ("levels" in read) return read;
  const messages = read.problems.map(({ message }) => message);
  const hints = read.problems.map(({ hint }) => hint);
  return stateProblem("bad-diagnostic-level", `PROJECT, ${place}: ${messages.join("; ")}`, hints.join("\n"));
}
