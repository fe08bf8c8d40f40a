/** The environment of a program. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the lines of a Makefile. Lines that continue with a backslash are one. */
export function makefileLines(text: string): string[] {
  return text.replace(/\\\r?\n\t?/g, " ").split(/\r?\n/);
}

/** Returns make's variables: those of the environment, and those that a Makefile sets. Conditions aren't evaluated. */
export function makeVariables(lines: readonly string[], env: Environment = {}): Map<string, string> {
  const variables = new Map(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  for (const line of lines) setMakeVariable(variables, line);
  return variables;
}

/** Sets the variable of a line with an assignment, as make does. Reports whether the line is one. */
export function setMakeVariable(variables: Map<string, string>, line: string): boolean {
  const [, name, how, value = ""] =
    /^(?:(?:export|override)\s+)*([\w.-]+)\s*(\?=|\+=|:{0,3}=)\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) return false;
  const present = variables.get(name);
  if (how === "+=" && present !== undefined) variables.set(name, `${present} ${value}`);
  else if (how !== "?=" || present === undefined) variables.set(name, value);
  return true;
}

/** The most replacements, because a variable may contain itself. */
const maxReplacements = 1000;
/** In characters. */
const longestText = 100_000;

/**
 * Replaces variables as make does: one that isn't set is empty.
 *
 * @param other - returns the text for what isn't a plain variable, such as a call of a function; may throw
 */
export function expandMake(
  text: string,
  variables: ReadonlyMap<string, string>,
  other: (call: string) => string,
): string {
  const hideDollars = (value: string) => value.replaceAll("$$", "\0");
  let result = hideDollars(text);
  for (let count = 0; ; count++) {
    // The innermost one.
    const match = /\$(?:\(([^(){}$]*)\)|\{([^(){}$]*)\}|[^\s(){}$])/.exec(result);
    if (match === null) break;
    const [call, round, curly] = match;
    const name = round ?? curly ?? "";
    const isPlain = /^[\w.-]+$/.test(name) && count < maxReplacements && result.length < longestText;
    const value = isPlain ? hideDollars(variables.get(name) ?? "") : other(call);
    result = result.slice(0, match.index) + value + result.slice(match.index + call.length);
  }
  if (result.includes("$")) result = result.replaceAll("$", other("$"));
  return result.replaceAll("\0", "$");
}

/** Splits a command into words, as a shell does, without quotes. */
export function shellWords(command: string): string[] {
  return (command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replace(/["']/g, ""));
}
