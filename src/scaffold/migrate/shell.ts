import { posix } from "node:path";

/** Stands for a part that only make or a shell can evaluate. */
export const unreadable = "\ufffd";
/** Stands for the directory of the project in absolute paths. */
export const projectRoot = "\u0001";

/** A line of a shell script with its variables replaced. */
export interface ScriptLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** The directory in which it runs, relative to the project. */
  readonly directory: string;
}

/** How a script is called. */
export interface ScriptCall {
  /** Its path in the project. */
  readonly path: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly directory: string;
}

/** Returns a path of a directory relative to the project, without `./`. */
export function inDirectory(directory: string, path: string): string {
  const isAbsolute = path.startsWith(projectRoot);
  const joined = isAbsolute ? posix.join(".", path.slice(projectRoot.length)) : posix.join(directory, path);
  return joined.replace(/(?<=.)\/$/, "");
}

/**
 * Returns the lines of a shell script, with the values of its variables and parameters as far as they can be read. Conditions
 * and loops aren't evaluated.
 *
 * @param text - the script
 */
export function scriptLines(text: string, { path, args, env, directory }: ScriptCall): ScriptLine[] {
  const variables = new Map([...env, ["0", `${projectRoot}/${path}`], ["BASH_SOURCE", `${projectRoot}/${path}`]]);
  args.forEach((value, index) => {
    variables.set(String(index + 1), value);
  });
  for (const all of ["@", "*"]) variables.set(all, args.join(" "));
  let current = directory;
  let line = 1;
  return (text.match(/(?:[^\n\\]|\\(?:\r?\n|[\s\S]|$))*(?:\n|$)/g) ?? []).flatMap((logical) => {
    const at = line;
    line += logical.split("\n").length - 1;
    const joined = logical.replace(/\\\r?\n\s*/g, " ").trim();
    if (joined === "" || joined.startsWith("#")) return [];
    const result = { text: expandShell(joined, variables, current), line: at, directory: current };
    const [, name, value = ""] = assignment.exec(result.text) ?? [];
    if (name !== undefined) variables.set(name, value.replace(/["']/g, ""));
    const to = /^(?:cd|pushd)\s+(?:--\s+)?([^;&|>]+)/.exec(result.text)?.[1];
    if (to !== undefined) current = inDirectory(current, to.replace(/["']/g, "").trim());
    return [result];
  });
}

const assignment = /^(?:(?:export|local|readonly|declare)\s+)*(\w+)=("[^"]*"|'[^']*'|[^\s;&|]*)\s*;?$/;
const parameter = /\$(?:\{(\w+|[@*])(?:\[[^\]$]*\])?(?:(:?[-=?+])([^{}]*))?\}|(\w+|[@*]))/;
const substitution = /\$\(([^()]*)\)|`([^`]*)`/;

/** Replaces parameters, and substitutions that return a directory. */
function expandShell(text: string, variables: ReadonlyMap<string, string>, directory: string): string {
  let result = text;
  for (let count = 0; count < 1000 && result.length < 100_000; count++) {
    const match = parameter.exec(result) ?? substitution.exec(result);
    if (match === null) break;
    result =
      result.slice(0, match.index) + textOf(match, variables, directory) + result.slice(match.index + match[0].length);
  }
  return result.replaceAll("$", unreadable);
}

function textOf(match: RegExpExecArray, variables: ReadonlyMap<string, string>, directory: string): string {
  if (/^\$\(|^`/.test(match[0])) return directoryOf(match[1] ?? match[2] ?? "", directory);
  const [, curly, operator = "", fallback = "", plain] = match;
  const name = curly ?? plain ?? "";
  const value = variables.get(name) ?? (name === "PWD" ? inRoot(directory) : undefined);
  if (operator.endsWith("-") || operator.endsWith("=")) return value ? value : fallback;
  return value ?? unreadable;
}

const inRoot = (directory: string): string => (directory === "" ? projectRoot : `${projectRoot}/${directory}`);

/** Evaluates a command that returns a directory, such as `cd "$(dirname "$0")/.." && pwd`. */
export function directoryOf(command: string, directory: string): string {
  const plain = command
    .replace(/["']/g, "")
    .replace(/[&12]?>\s*\S+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (/^git rev-parse --show-toplevel$/.test(plain)) return projectRoot;
  if (/^pwd(?: -[PL])?$/.test(plain)) return inRoot(directory);
  const [, verb, path] =
    /^(cd|dirname|realpath|readlink|basename)(?: -\w+| --)* (\S+?)(?: ?(?:&&|;) ?pwd(?: -[PL])?)?$/.exec(plain) ?? [];
  if (path === undefined || path.includes(unreadable)) return unreadable;
  if (verb === "dirname") return posix.dirname(path);
  if (verb === "basename") return posix.basename(path);
  const whole = path.startsWith(projectRoot) ? path : `${inRoot(directory)}/${path}`;
  return posix.normalize(whole);
}
