import { expandMake, setMakeVariable } from "../../text/make-variables.ts";
import { makeFunction } from "./make-functions.ts";
import { projectRoot, unreadable } from "./shell.ts";

/** A file of a Go project. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A branch of a condition that encloses a line. */
interface Branch {
  /** Undefined if the condition can't be read: then the lines of all branches are active. */
  isActive: boolean | undefined;
  /** Whether an earlier branch of the condition is active. */
  hasActive: boolean;
}

/**
 * Empties the lines that make skips because of a condition, so that the others keep their numbers, and removes the indentation of
 * assignments outside recipes. Conditions that depend on more than variables aren't evaluated: the lines of all branches stay.
 *
 * @param predefined - assignments before those of the files
 */
export function activeFiles(files: readonly TextFile[], predefined: readonly string[]): TextFile[] {
  const variables = new Map<string, string>();
  for (const line of predefined) setMakeVariable(variables, line);
  return files.map(({ path, text }) => ({ path, text: activeLines(text, variables) }));
}

function activeLines(text: string, variables: Map<string, string>): string {
  const branches: Branch[] = [];
  let isRecipe = false;
  let isMacro = false;
  // Continued lines are one.
  const logical = text.match(/(?:[^\n\\]|\\(?:\r?\n|[\s\S]|$))*(?:\n|$)/g) ?? [];
  const result = logical.map((lines) => {
    const line = lines.replace(/\\\r?\n\t?/g, " ").trimEnd();
    const skipped = lines.replace(/[^\n]/g, "");
    if (changeBranches(branches, line, variables)) return skipped;
    if (branches.some(({ isActive }) => isActive === false)) return skipped;
    if (/^(?:override\s+)?define\b/.test(line)) isMacro = true;
    else if (/^endef\b/.test(line)) isMacro = false;
    if (isMacro || (isRecipe && line.startsWith("\t"))) return lines;
    if (setMakeVariable(variables, line.trimStart())) {
      isRecipe = false;
      return lines.trimStart();
    }
    if (/^[^\s#=:][^=:]*:(?!:?=)/.test(line)) isRecipe = true;
    return lines;
  });
  return result.join("");
}

/** Opens, changes or closes a branch. Reports whether the line is one of a condition. */
function changeBranches(branches: Branch[], line: string, variables: ReadonlyMap<string, string>): boolean {
  const [, other, word = "", argument = ""] =
    /^[ \t]*(else[ \t]+)?(ifn?(?:eq|def)|else|endif)\b[ \t]*(?![ \t])(.*)$/.exec(line) ?? [];
  if (word === "") return false;
  if (word === "endif") {
    branches.pop();
    return true;
  }
  const holds = word === "else" ? true : conditionHolds(word, argument.trim(), variables);
  const current = branches.at(-1);
  if (word !== "else" && other === undefined) {
    branches.push({ isActive: holds, hasActive: holds === true });
  } else if (current !== undefined && current.isActive !== undefined) {
    current.isActive = current.hasActive ? false : holds;
    current.hasActive ||= holds === true;
  }
  return true;
}

/** Evaluates a condition; undefined if it depends on more than variables. */
function conditionHolds(word: string, argument: string, variables: ReadonlyMap<string, string>): boolean | undefined {
  const isNegated = word.startsWith("ifn");
  if (word.endsWith("def")) {
    const name = /^[\w.-]+(?=\s*(?:#|$))/.exec(argument)?.[0];
    return name === undefined ? undefined : ((variables.get(name) ?? "") !== "") !== isNegated;
  }
  const sides = sidesOf(argument).map((side) => {
    const value = side === undefined ? unreadable : expandMake(side, variables, makeFunction).trim();
    return value.includes(unreadable) ? undefined : value;
  });
  if (sides.includes(undefined)) return undefined;
  return (sides[0] === sides[1]) !== isNegated;
}

/** Returns the two sides of an equation: `(a,b)` or `"a" "b"`. Those that can't be read are undefined. */
function sidesOf(argument: string): (string | undefined)[] {
  const comment = argument.indexOf("#");
  const text = argument.slice(0, comment === -1 ? undefined : comment).trim();
  const comma = text.lastIndexOf(",");
  if (comma !== -1 && text.startsWith("(") && text.endsWith(")")) {
    return [text.slice(1, comma), text.slice(comma + 1, -1)];
  }
  const [, first, second] = /^(?:"([^"]*)"|'[^']*')[ \t]+"([^"]*)"$/.exec(text) ?? [];
  return [first, second];
}

/** Returns the variables that make sets itself in a directory. */
export function predefinedIn(directory: string): string[] {
  const root = directory === "" ? projectRoot : `${projectRoot}/${directory}`;
  return [`CURDIR = ${root}`, `PWD = ${root}`, `MAKEFILE_LIST = ${root}/Makefile`, "MAKE = make"];
}
