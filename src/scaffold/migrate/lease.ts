import { basename, dirname } from "node:path";
import { isSubdomain } from "../../project/names.ts";
import { withoutComments } from "./go-comments.ts";
import type { GoFile } from "./left-behind.ts";

/** The Lease of the leader election, according to the Go code. */
export type FoundLease =
  | { readonly name: string }
  /** The code sets a name that can't be read without running it. The places are `file:line: code`. */
  | { readonly unreadable: readonly string[] }
  /** The code sets no name. */
  | undefined;

/** Go's source files of a project, by path, read when needed. */
export class GoCode {
  readonly #files: ReadonlyMap<string, GoFile>;
  readonly #texts = new Map<string, string>();
  readonly module: string;

  constructor(files: readonly GoFile[]) {
    this.#files = new Map(files.filter(({ path }) => /(?<!_test)\.go$/.test(path)).map((file) => [file.path, file]));
    const mod = files.find(({ path }) => path === "go.mod")?.text() ?? "";
    this.module = /^module\s+(\S+)/m.exec(mod)?.[1]?.replaceAll('"', "") ?? "";
  }

  paths(): string[] {
    return [...this.#files.keys()];
  }

  /** Returns a file without its comments. Lines stay where they are. */
  text(path: string): string {
    let text = this.#texts.get(path);
    if (text === undefined) {
      text = withoutComments(this.#files.get(path)?.text() ?? "");
      this.#texts.set(path, text);
    }
    return text;
  }

  /** Returns a position in a file, such as `main.go:12`. */
  at(path: string, index: number): string {
    return `${path}:${this.text(path).slice(0, index).split("\n").length}`;
  }

  inDirectory(directory: string): string[] {
    return this.paths().filter((path) => dirname(path) === directory);
  }

  /** Returns the name of the package in a directory, which may differ from that of the directory. */
  #packageIn(directory: string): string | undefined {
    const [path] = this.inDirectory(directory);
    return path === undefined ? undefined : /^package[ \t]+(\w+)/m.exec(this.text(path))?.[1];
  }

  /** Returns the directory of the package that a file imports under a name; undefined for one of another module. */
  imported(path: string, name: string): string | undefined {
    for (const [, alias, from = ""] of this.text(path).matchAll(
      /^(?:import)?[ \t]*(?:([\w.]+)[ \t]+)?"([^"\n]+)"[ \t\r]*$/gm,
    )) {
      const last = from.split("/").findLast((part) => !/^v\d+$/.test(part));
      if (!from.startsWith(`${this.module}/`)) continue;
      const directory = from.slice(this.module.length + 1);
      if ((alias ?? this.#packageIn(directory) ?? last) === name) return directory;
    }
    return undefined;
  }
}

const literal = /^(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)$/;
/** The most steps from a name to its value. */
const maxSteps = 8;

/**
 * Finds the name of the Lease with which the manager of a Go project elects its leader: a literal, a constant or variable, also of
 * another package, the default of a flag or its value in `config/`, or a setting of a configuration file.
 *
 * @param files - all files of the project
 * @param projectName - of several programs, the one with this name is the operator
 */
export function leaseOf(files: readonly GoFile[], projectName: string): FoundLease {
  const main = leasePlaces(new GoCode(files), settingsIn(files), projectName);
  if (main.length === 0) return undefined;
  const name = only(new Set(main.map(({ value }) => value)));
  return name !== undefined && isSubdomain(name) ? { name } : { unreadable: main.map(({ at }) => at) };
}

/** A place in the code that sets the name of the Lease. */
export interface LeasePlace {
  readonly path: string;
  /** Such as `main.go:12: LeaderElectionID: id,`. */
  readonly at: string;
  readonly value: string | undefined;
}

/** Returns the files with settings of a Go project's programs. */
export function settingsIn(files: readonly GoFile[]): GoFile[] {
  return files.filter(({ path }) => /^(?:config|deploy|manifests|charts?)\/.*\.ya?ml$/.test(path));
}

/** Returns the places in the operator's program that set the name of its Lease. */
export function leasePlaces(code: GoCode, settings: readonly GoFile[], projectName: string): readonly LeasePlace[] {
  const places: LeasePlace[] = [];
  for (const path of code.paths()) {
    const text = code.text(path);
    for (const match of text.matchAll(/\bLeaderElectionID[ \t]*(?::|=(?!=))[ \t]*([^\n]*)/g)) {
      const [whole, rest = ""] = match;
      const expression = expressionOf(continued(text, match.index + whole.length, rest));
      // The declaration of a field or a parameter, an empty default, and a copy of options, which are set in another place.
      if (expression === "" || expression === '""' || /^\*?string(?!\()\b|\.LeaderElectionID$/.test(expression))
        continue;
      places.push({
        path,
        at: `${code.at(path, match.index)}: ${whole.trim()}`,
        value: evaluate(code, settings, path, expression),
      });
    }
  }
  return mainOnes(places.length > 0 ? places : flagPlaces(code, settings), projectName);
}

/** Returns the places of flags whose value is the field of the options: `StringVar(&o.LeaderElectionID, …)`. */
function flagPlaces(code: GoCode, settings: readonly GoFile[]) {
  return code.paths().flatMap((path) => {
    const text = code.text(path);
    return [...text.matchAll(/\bString(?:Var)?P?\(\s*&(?:\w+\.){1,5}LeaderElectionID\s*,/g)].map(
      ({ 0: whole, index }) => ({
        path,
        at: `${code.at(path, index)}: ${whole.replace(/\s+/g, " ")}`,
        value: evaluate(code, settings, path, "LeaderElectionID"),
      }),
    );
  });
}

/** Returns the rest of a line with the lines after it, as long as they end with an operator. */
function continued(text: string, end: number, rest: string): string {
  let [whole, at] = [rest.trimEnd(), end];
  while (whole.endsWith("+")) {
    const next = text.indexOf("\n", at + 1);
    whole = `${whole} ${text.slice(at, next < 0 ? undefined : next).trim()}`.trimEnd();
    if (next < 0) break;
    at = next;
  }
  return whole;
}

/** Returns the expression at the beginning of the rest of a line. */
export function expressionOf(rest: string): string {
  let depth = 0;
  const end = [...rest.matchAll(/"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|[()[\]{},;]/g)].find(({ 0: part }) => {
    if ("([{".includes(part)) depth++;
    else if (")]}".includes(part)) return --depth < 0;
    return depth === 0 && (part === "," || part === ";");
  });
  return rest.slice(0, end?.index).trim();
}

/** Of several programs, returns the places in the operator. */
function mainOnes<T extends { readonly path: string }>(places: readonly T[], projectName: string): readonly T[] {
  const short = projectName.replace(/-?(operator|controller)$/, "");
  const names = [projectName, short, "manager", "operator", "controller"].filter((name) => name !== "");
  const mains = [
    /^(cmd\/)?main\.go$/,
    ...names.map((name) => new RegExp(`^cmd/${name}/main\\.go$`)),
    ...names.map((name) => new RegExp(`^cmd/${name}/[^/]+\\.go$`)),
    /(^|\/)main\.go$/,
  ];
  for (const main of mains) {
    const found = places.filter(({ path }) => main.test(path));
    if (found.length > 0) return found;
  }
  return places;
}

/** Returns the text that an expression in a file stands for; undefined if it can't be read. */
export function evaluate(
  code: GoCode,
  settings: readonly GoFile[],
  path: string,
  expression: string,
  steps = maxSteps,
): string | undefined {
  if (steps === 0) return undefined;
  const next = (other: string, at = path) => evaluate(code, settings, at, other, steps - 1);
  const [, quoted, raw] = literal.exec(expression) ?? [];
  if (raw !== undefined) return raw;
  if (quoted !== undefined) return /\\/.test(quoted) ? undefined : quoted;
  if (/\s\+\s/.test(expression)) {
    const parts = expression.split(/\s\+\s/).map((part) => next(part.trim()));
    return parts.includes(undefined) ? undefined : parts.join("");
  }
  const [, converted] = /^string\(([^()]+)\)$/.exec(expression) ?? [];
  if (converted !== undefined) return next(converted);
  const [, name] = /^\*?(\w+)$/.exec(expression) ?? [];
  if (name !== undefined) return named(code, settings, dirname(path), name, next);
  const [, of = "", member = ""] = /^\*?(\w+)\.(\w+)$/.exec(expression) ?? [];
  const directory = of === "" ? undefined : code.imported(path, of);
  if (directory !== undefined) return named(code, settings, directory, member, next);
  // Settings such as `config.LeaderElection.ResourceName`.
  const [, field] = /^\*?(?:\w+\.)+?(\w+\.(?:Resource)?(?:Name|ID|Id))$/.exec(`_.${expression}`) ?? [];
  if (field === undefined)
    return /^\w+(?:\.\w+)+$/.test(expression) ? inField(code, settings, path, expression, next) : undefined;
  const values = configured(code, settings);
  return values.size === 0 ? assigned(code, field, next) : only(values);
}

/**
 * Returns the value of a field such as `options.leaseName`, according to the flags, assignments and literals of its package, or of all
 * packages if its name is exported. Other code may set a field with tags, and one whose address is used.
 */
function inField(
  code: GoCode,
  settings: readonly GoFile[],
  path: string,
  expression: string,
  next: (expression: string, path: string) => string | undefined,
): string | undefined {
  const field = expression.slice(expression.lastIndexOf(".") + 1);
  const values = new Set<string | undefined>();
  const pattern = (text: string) => new RegExp(text, "gm");
  const isSetElsewhere = [
    pattern(String.raw`^[ \t]*${field}[ \t]+string[ \t]*[\u0060"]`),
    pattern(String.raw`(?<!\bString(?:Var)?P?\(\s*)&(?:\w+\.)+${field}\b(?!\.)`),
  ];
  const sets = [
    pattern(String.raw`\.${field}[ \t]*=(?!=)[ \t]*([^\n]+)`),
    pattern(String.raw`(?:^|[{,])[ \t]*${field}:[ \t]*([^\n]+)`),
  ];
  for (const file of /^[A-Z]/.test(field) ? code.paths() : code.inDirectory(dirname(path))) {
    const text = code.text(file);
    if (isSetElsewhere.some((each) => each.test(text))) return undefined;
    for (const value of flagValues(settings, text, field, (other) => next(other, file))) values.add(value);
    for (const [, rest = ""] of sets.flatMap((set) => [...text.matchAll(set)]))
      values.add(next(expressionOf(rest), file));
  }
  values.delete("");
  return only(values);
}

/** Returns the values of flags that set a variable or a field: those in the Deployments, or else the defaults. */
function flagValues(
  settings: readonly GoFile[],
  text: string,
  name: string,
  next: (expression: string) => string | undefined,
): (string | undefined)[] {
  const string = String.raw`"(?:[^"\\\n]|\\.)*"`;
  // Only the functions that end with P have a short name of the flag.
  const flags = [
    String.raw`\bString(?:Var)?\(\s*&(?:\w+\.)*${name}\s*,\s*(${string})\s*,`,
    String.raw`\bString(?:Var)?P\(\s*&(?:\w+\.)*${name}\s*,\s*(${string})\s*,\s*${string}\s*,`,
    String.raw`\b${name}\s*:?=\s*(?:\w+\.)*(?:\w+\(\)\.)?String\(\s*(${string})\s*,`,
    String.raw`\b${name}\s*:?=\s*(?:\w+\.)*(?:\w+\(\)\.)?StringP\(\s*(${string})\s*,\s*${string}\s*,`,
  ];
  return flags
    .flatMap((flag) => [...text.matchAll(new RegExp(String.raw`${flag}\s*([^\n]+)`, "g"))])
    .map(([, flag = "", rest = ""]) => {
      const given = argumentsOf(settings, flag.slice(1, -1));
      return given.size === 0 ? next(expressionOf(rest)) : only(given);
    });
}

/** Returns the value that the code assigns to a field. */
function assigned(
  code: GoCode,
  field: string,
  next: (expression: string, path: string) => string | undefined,
): string | undefined {
  const pattern = new RegExp(String.raw`\.${field}[ \t]*=(?!=)[ \t]*([^\n]+)`, "g");
  const values = new Set(
    code
      .paths()
      .flatMap((path) => [...code.text(path).matchAll(pattern)].map(([, rest = ""]) => next(expressionOf(rest), path))),
  );
  return only(values);
}

/** Returns the only value; undefined if there are several. */
function only<T>(values: ReadonlySet<T>): T | undefined {
  return values.size === 1 ? [...values][0] : undefined;
}

/** Returns the value of a constant, a variable or a flag of a package. */
function named(
  code: GoCode,
  settings: readonly GoFile[],
  directory: string,
  name: string,
  next: (expression: string, path: string) => string | undefined,
): string | undefined {
  const values = new Set<string | undefined>();
  const set = new RegExp(
    String.raw`^[ \t]*(?:const[ \t]+|var[ \t]+)?${name}(?:[ \t]+[\w.]+)?[ \t]*:?=(?!=)[ \t]*([^\n]+)$`,
    "gm",
  );
  for (const path of code.inDirectory(directory)) {
    const text = code.text(path);
    const flagged = flagValues(settings, text, name, (expression) => next(expression, path));
    for (const value of flagged) values.add(value);
    if (flagged.length > 0) continue;
    for (const [, rest = ""] of text.matchAll(set)) {
      const expression = expressionOf(rest);
      if (expression !== '""') values.add(next(expression, path));
    }
  }
  return only(values);
}

/** Returns the values of a flag in the Deployments of the project. */
function argumentsOf(settings: readonly GoFile[], flag: string): Set<string> {
  const separator = String.raw`(?:[= ]|["']?[ \t\r]*\n[ \t]*-[ \t]*["']?)`;
  const pattern = new RegExp(
    String.raw`^[ \t]*(?:-|value:)[ \t]*["']?--?${flag}${separator}([^\s"'{-][^\s"']*)["']?[ \t\r]*$`,
    "gm",
  );
  return new Set(settings.flatMap((file) => [...file.text().matchAll(pattern)].map(([, value = ""]) => value)));
}

/** Returns the names in the configuration files that the manager reads. */
function configured(code: GoCode, settings: readonly GoFile[]): Set<string> {
  const values = new Set<string>();
  const read = filesRead(code, settings);
  for (const file of settings) {
    const text = file.text();
    // The file itself, or a file in a ConfigMap.
    const names = [basename(file.path), ...[...text.matchAll(/^ +([\w.-]+): *[|>]/gm)].map(([, key = ""]) => key)];
    if (!names.some((name) => read.has(name))) continue;
    let outer: number | undefined;
    for (const line of text.split(/\r?\n/)) {
      const indentation = line.search(/\S/);
      if (outer !== undefined && indentation >= 0 && indentation <= outer) outer = undefined;
      const name = /^ *resource(?:Name|ID|Id): *["']?([^\s"']+)/.exec(line)?.[1];
      if (outer !== undefined && name !== undefined) values.add(name);
      if (/^ *leaderElection: *$/.test(line)) outer = indentation;
    }
  }
  return values;
}

/** Returns the names of YAML files in arguments of Deployments, and in texts of the Go code. */
function filesRead(code: GoCode, settings: readonly GoFile[]): Set<string> {
  const inArgument = /(?<![\w-])--?\w[\w-]*[= ]["']?(?:[^\s"']*\/)?([\w.-]+\.ya?ml)\b/g;
  const inCode = /["`](?:[^"`\n]*\/)?([\w.-]+\.ya?ml)["`]/g;
  return new Set(
    [
      ...settings.flatMap((file) => [...file.text().matchAll(inArgument)]),
      ...code.paths().flatMap((path) => [...code.text(path).matchAll(inCode)]),
    ].map(([, name = ""]) => name),
  );
}
