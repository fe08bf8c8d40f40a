import { posix } from "node:path";
import { expandMake, makefileLines, makeVariables, shellWords } from "../../text/make-variables.ts";
import { excluding } from "./go-packages.ts";
import { makeFunction } from "./make-functions.ts";
import { activeFiles, predefinedIn, type TextFile } from "./makefile-lines.ts";
import { inDirectory, projectRoot, type ScriptCall, scriptLines, unreadable } from "./shell.ts";

/** A call of controller-gen in a Makefile. */
interface Call {
  /** `Makefile:12`. */
  readonly at: string;
  /** The generators with their options, such as `crd:maxDescLen=0`, by name. */
  readonly generators: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
  /** The directories of the outputs by generator; with an empty name for all. */
  readonly outputs: ReadonlyMap<string, string>;
  /** The directory in which it runs. */
  readonly directory: string;
  /** Whether its output is appended to that of earlier calls. */
  readonly isAppended: boolean;
}

/** How a Go project generates one kind of manifests. */
export interface Generation {
  /** The generator with its options, such as `crd:maxDescLen=0`. */
  readonly options: string;
  /** The packages that it reads. */
  readonly paths: readonly string[];
  /** The directory of its output, if it is known. */
  readonly output: string | undefined;
}

/** How a Go project calls controller-gen. */
export interface Generations {
  /** Undefined for a generator that it doesn't call. */
  readonly crd?: Generation;
  readonly rbac?: Generation;
  readonly webhook?: Generation;
  /** Calls whose output is left out, one line each. */
  readonly notes: readonly string[];
}

type Name = "crd" | "rbac" | "webhook";
const names: readonly Name[] = ["rbac", "crd", "webhook"];

/** The call that kubebuilder scaffolds. */
const usual = (name: Name): Generation => ({
  options: name === "rbac" ? "rbac:roleName=manager-role" : name,
  paths: ["..."],
  output: usualOutput[name],
});
/** The directories in kubebuilder's projects. */
const usualOutput: Readonly<Record<Name, string>> = {
  crd: "config/crd/bases",
  rbac: "config/rbac",
  webhook: "config/webhook",
};

/** The files of a Go project that may call controller-gen. */
export interface Callers {
  /** The Makefile first, and the files that it may include. */
  readonly makefiles: readonly TextFile[];
  /** Go files with `//go:generate`, which count if the Makefile contains no calls. */
  readonly directives?: readonly TextFile[];
  /** Returns the text of a script; undefined if there is none. */
  readonly script?: (path: string) => string | undefined;
  /** Whether a directory contains the output of a generator; calls that find no markers write none. */
  readonly isWritten?: (directory: string, generator: Name) => boolean;
}

/**
 * Reads how a Go project calls controller-gen: in its Makefile, in scripts that the Makefile calls, or by `go generate`. If several
 * calls write the same directory, the last one counts; of several directories, the usual one, or else the first one that contains
 * output. Calls in other targets than `manifests` count for the generators that it doesn't call.
 */
export function generationsOf(callers: Callers): Generations {
  const { makefiles, directives = [], isWritten = () => true } = callers;
  const unknown: string[] = [];
  const others: Command[] = [];
  const active = activeFiles(makefiles, predefinedIn(""));
  const text = active.map((file) => file.text).join("\n");
  const open = conditionalOptions(makefiles.map((file) => file.text).join("\n"));
  const made = active.flatMap((file) => callsIn(file, text, callers, { unknown, others, open, directory: "" }));
  const calls: readonly (Call & { target?: string })[] =
    made.length > 0 ? made : directives.flatMap((file) => directivesIn(file, unknown));
  if (calls.length === 0) {
    return { crd: usual("crd"), rbac: usual("rbac"), webhook: usual("webhook"), notes: [...new Set(unknown)] };
  }
  const notes = [...new Set(unknown)];
  const found: Partial<Record<Name, Generation>> = {};
  const targets = new Set<string | undefined>();
  for (const name of names) {
    const of = new Map<string, Call & { target?: string }>();
    const all = calls.filter(({ generators }) => generators.has(name));
    const main = all.filter(({ target }) => target === "manifests");
    for (const call of main.length > 0 ? main : all) {
      const output = call.outputs.get(name) ?? call.outputs.get("") ?? inDirectory(call.directory, `config/${name}`);
      const before = of.get(output);
      // Each kind has a file of its own, so that those of an earlier call stay.
      if (name === "crd" && before !== undefined) {
        of.set(output, { ...call, paths: [...new Set([...before.paths, ...call.paths])] });
      } else if (before === undefined || !call.isAppended) of.set(output, call);
      else notes.push(besides(call, name, output, output));
    }
    const outputs = [...of.keys()];
    const chosen =
      outputs.find((output) => output === usualOutput[name]) ??
      outputs.find((output) => isWritten(output, name)) ??
      outputs[0];
    for (const [output, call] of of) {
      if (output !== chosen && !isWritten(output, name)) continue;
      if (output === chosen) {
        found[name] = generation(call, name, output);
        targets.add(call.target);
      } else notes.push(besides(call, name, output, chosen));
    }
  }
  const outputs = Object.values(found).flatMap(({ output }) => output ?? []);
  notes.push(...others.filter(({ target }) => targets.has(target)).flatMap((command) => changeNote(command, outputs)));
  return { ...found, notes };
}

/** A command of a Makefile besides the calls. */
interface Command {
  readonly at: string;
  readonly target: string;
  readonly text: string;
}

const readableCommand = (text: string): string =>
  text.replaceAll(`${projectRoot}/`, "").replaceAll(unreadable, "…").replace(/\s+/g, " ");

/** Describes a command that changes generated manifests, such as sed or yq. */
function changeNote({ at, text }: Command, outputs: readonly string[]): string[] {
  const command = text.trim().replace(/^[@-]+\s*/, "");
  const changes = outputs.some((output) => command.includes(`${output}/`));
  if (!changes || /^(?:rm|mkdir|echo|ls|test|git)\b/.test(command)) return [];
  return [`not taken over: ${at} changes the generated manifests: ${readableCommand(command)}`];
}

function besides(call: Call, name: Name, output: string, chosen: string | undefined): string {
  return `not taken over: ${call.at} writes ${call.generators.get(name)} of ${call.paths.join(" ")} to ${output}, besides ${chosen}`;
}

function generation(call: Call, name: Name, output: string): Generation {
  return {
    options: call.generators.get(name) ?? name,
    paths: call.paths,
    output: output === stdout ? undefined : output,
  };
}

/** The directory in which make runs, and the findings besides calls. */
interface Run {
  readonly unknown: string[];
  readonly others: Command[];
  readonly open: ReadonlySet<string>;
  readonly directory: string;
}

function callsIn({ path, text }: TextFile, all: string, callers: Callers, run: Run): (Call & { target: string })[] {
  const { unknown, others, open, directory } = run;
  const variables = makeVariables([...predefinedIn(directory), ...makefileLines(all).map(withoutTarget)]);
  const evaluated = (call: string) => calledMacro(call, macros) ?? makeFunction(call);
  const macros = macrosIn(all);
  const found: (Call & { target: string })[] = [];
  let target = "";
  let isMacro = false;
  let line = 1;
  // Continued lines are one, so lines are counted in the original text.
  for (const logical of text.match(/(?:[^\n\\]|\\(?:\r?\n|[\s\S]|$))*(?:\n|$)/g) ?? []) {
    const at = `${path}:${line}`;
    line += logical.split("\n").length - 1;
    const [whole = ""] = makefileLines(logical);
    if (/^(?:override\s+)?define\b/.test(whole)) isMacro = true;
    else if (/^endef\b/.test(whole)) isMacro = false;
    const name = /^([\w./-]+)(?:[ \t]+[\w./-]+)*[ \t]*:(?!=)/.exec(whole)?.[1];
    if (!whole.startsWith("\t") && name !== undefined) target = name;
    // A recipe may begin in the line of its target.
    const joined = whole.startsWith("\t") ? whole : name === undefined ? "" : afterSemicolon(whole);
    if (joined === "" || isMacro) continue;
    const recipe = expandMake(joined, variables, evaluated);
    const calls = callsOf(recipe, { at, directory }, unknown);
    const inFunctions = expandMake(joined, variables, (call) => call.slice(1));
    const scripts =
      calls.length > 0
        ? []
        : scriptsIn(recipe, directory).flatMap((call) => callsInScript(call, callers.script, unknown));
    const made = calls.length > 0 ? [] : callsOfMake(recipe, at, callers, run);
    const isOpen = [...joined.matchAll(/\$[({]([\w.-]+)[)}]/g)].some(([, used = ""]) => open.has(used));
    if (calls.length > 0 ? isOpen : scripts.length === 0 && (isLost(recipe) || isLost(inFunctions)))
      unknown.push(unreadableCall(at));
    found.push(...[...calls, ...scripts, ...made].map((call) => ({ ...call, target })));
    if (calls.length + scripts.length + made.length === 0) others.push({ at, target, text: recipe });
  }
  return found;
}

/** Returns the calls in the Makefile of another directory, for a recipe such as `make -C api manifests` or `cd api && make`. */
function callsOfMake(recipe: string, at: string, callers: Callers, run: Run): Call[] {
  const [, to, flags = ""] = /(?:\bcd\s+["']?([^\s"';&|]+)["']?\s*(?:;|&&)\s*)?\bmake\b([^;&|]*)/.exec(recipe) ?? [];
  const other = to ?? /(?:^|\s)(?:-C\s*|--directory[= ])["']?([^\s"']+)/.exec(flags)?.[1];
  if (other === undefined) return [];
  const directory = inDirectory(run.directory, other).replace(/^\.$/, "");
  if (directory === run.directory) return [];
  const [file] = [`${directory}/GNUmakefile`, `${directory}/makefile`, `${directory}/Makefile`].flatMap((path) => {
    const text = callers.script?.(path);
    return text === undefined ? [] : { path, text };
  });
  const isOutside = run.directory !== "" && !directory.startsWith(`${run.directory}/`);
  if (file === undefined || isOutside) {
    if (/\s(?:manifests|generate)\b/.test(flags))
      run.unknown.push(
        `${at} calls make in ${readableCommand(other)}, which can't be read: compare its options of controller-gen with the new Makefile`,
      );
    return [];
  }
  const inner = { ...run, directory, others: [] };
  const calls = activeFiles([file], predefinedIn(directory)).flatMap((one) => callsIn(one, one.text, callers, inner));
  const main = calls.filter(({ target }) => flags.split(/\s+/).includes(target));
  return main.length > 0 ? main : calls;
}

/** Returns the variables of a target, such as `manifests: OPTIONS = crd`, as those of all targets. */
const withoutTarget = (line: string): string => line.replace(/^[\w.-]+[ \t]*:[ \t]*(?=[\w.-]+[ \t]*[:?+]?=)/, "");

/** Returns the texts between `define` and `endef` by their names, with their lines as commands. */
function macrosIn(text: string): ReadonlyMap<string, string> {
  const macros = new Map<string, string>();
  let name: string | undefined;
  let body: string[] = [];
  for (const line of text.split("\n")) {
    if (name === undefined) {
      name = /^(?:override[ \t]+)?define[ \t]+([\w.-]+)/.exec(line)?.[1];
      body = [];
    } else if (/^endef\b/.test(line)) {
      const commands = makefileLines(body.join("\n")).map((makefileLine) => makefileLine.trim());
      macros.set(name, commands.filter((command) => command !== "").join(" ; "));
      name = undefined;
    } else body.push(line);
  }
  return macros;
}

/** Returns the part of a line behind its first semicolon, empty if it has none. */
function afterSemicolon(line: string): string {
  const at = line.indexOf(";");
  return at < 0 ? "" : line.slice(at + 1);
}

/** Evaluates `$(call name,first,second)` for a name between `define` and `endef`. */
function calledMacro(call: string, macros: ReadonlyMap<string, string>): string | undefined {
  const [, name = "", text = ""] = /^\$[({]call\s+([\w.-]+)\s*(?:,(.*))?[)}]$/.exec(call) ?? [];
  const args = text.split(",").map((part) => part.trim());
  return macros.get(name)?.replace(/\$[({](\d)[)}]|\$(\d)/g, (_, one, other) => args[Number(one ?? other) - 1] ?? "");
}

/** Returns the variables with options of controller-gen that depend on a condition, because conditions aren't evaluated. */
function conditionalOptions(text: string): ReadonlySet<string> {
  const values = new Map<string, Set<string>>();
  let depth = 0;
  for (const line of makefileLines(text)) {
    if (/^\s*if(?:n?eq|n?def)\b/.test(line)) depth++;
    else if (/^\s*endif\b/.test(line)) depth--;
    const [, name, value = ""] = /^\s*(?:export\s+)?([\w.-]+)\s*(?:\?|\+|:{0,3})=\s*(.*)$/.exec(line) ?? [];
    if (depth > 0 && name !== undefined) values.set(name, (values.get(name) ?? new Set()).add(value.trim()));
  }
  const isOption = (value: string) => /(?:^|[\s"'])(?:(?:crd|rbac|webhook)\b|paths=|output:)/.test(value);
  return new Set([...values].filter(([, of]) => of.size > 1 && [...of].some(isOption)).map(([name]) => name));
}

/** Whether a command calls controller-gen for manifests in a form that isn't read, such as with a loop of make. */
function isLost(command: string): boolean {
  return (
    /\bcontroller-gen\b/.test(command) &&
    /\s["']?(?:(?:crd|rbac|webhook)(?:[:"'\s]|$)|paths=)/.test(command) &&
    !/\sobject\b/.test(command)
  );
}

function unreadableCall(at: string): string {
  return `${at} has options of controller-gen that can't be read: compare them with the new Makefile`;
}

/** The most scripts that call each other. */
const deepestScript = 3;

function callsInScript(call: ScriptCall, script: Callers["script"], unknown: string[], depth = 0): Call[] {
  const text = script?.(call.path);
  if (text === undefined || depth >= deepestScript) return [];
  return scriptLines(text, call).flatMap(({ text: line, line: number, directory }) => {
    const at = `${call.path}:${number}`;
    const calls = callsOf(line, { at, directory }, unknown);
    if (calls.length === 0 && /^["']?(?:\S*\/)?controller-gen\b/.test(line) && line.includes(unreadable)) {
      unknown.push(unreadableCall(at));
    }
    return [
      ...calls,
      ...scriptsIn(line, directory).flatMap((scriptCall) => callsInScript(scriptCall, script, unknown, depth + 1)),
    ];
  });
}

/** Returns the calls of shell scripts in a line of a shell. */
function scriptsIn(line: string, directory: string): ScriptCall[] {
  return commandsOf(line).flatMap((command) => {
    const words = shellWords(command.replace(/^[\s@-]+/, ""));
    const first = words.findIndex((word) => !/^(?:\w+=|env$|bash$|sh$|-)/.test(word));
    const path = inDirectory(directory, words[first] ?? "");
    if (!/^[^-].*\.(?:sh|bash)$/.test(path)) return [];
    const env = words.slice(0, first).flatMap((word) => {
      const [, name, value = ""] = /^(\w+)=(.*)$/.exec(word) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    return [{ path, args: words.slice(first + 1), env: new Map(env), directory }];
  });
}

/** Returns the calls in the `//go:generate` lines of a file, which run in its directory. */
function directivesIn({ path, text }: TextFile, unknown: string[]): Call[] {
  const directory = posix.dirname(path) === "." ? "" : posix.dirname(path);
  return text.split("\n").flatMap((line, index) => {
    const command = /^\/\/go:generate\s+(.*)$/.exec(line)?.[1];
    // Semicolons separate paths here, not commands.
    const call =
      command === undefined ? undefined : callOf(command, { at: `${path}:${index + 1}`, directory }, unknown);
    return call === undefined ? [] : [call];
  });
}

/** The line and the directory of a command. */
interface Position {
  readonly at: string;
  readonly directory: string;
}

/** Splits a line into commands, without the end of a subshell. */
const commandsOf = (line: string): string[] =>
  line.split(/&&|\|\||;(?=\s|$)/).map((command) => (command.includes("(") ? command : command.replace(/\)\s*$/, "")));

/** Returns the calls in a line of a shell, also those in the arguments of other commands. */
function callsOf(line: string, position: Position, unknown: string[]): Call[] {
  const to = /(?:^|[;&(]\s*|\t)cd\s+["']?([^\s"';&|]+)["']?\s*(?:;|&&)/.exec(line)?.[1];
  const directory = to === undefined ? position.directory : inDirectory(position.directory, to);
  return commandsOf(line).flatMap((command) => {
    const nested = shellWords(command).filter((word) => /\spaths=/.test(word));
    return [command, ...nested].flatMap((each) => callOf(each, { ...position, directory }, unknown) ?? []);
  });
}

/** Reads a command. Calls are recognized by their arguments, because the program has many names. */
function callOf(command: string, { at, directory }: Position, unknown: string[]): Call | undefined {
  const [, own = command, rest = ""] = /^(.*?)\s((?:\||>).*)$/.exec(command) ?? [];
  const generators = new Map<string, string>();
  const outputs = new Map<string, string>();
  const paths: string[] = [];
  let isUnknown = false;
  for (const word of shellWords(own)) {
    const [, generator] = /^(crd|rbac|webhook)(?::|$)/.exec(word) ?? [];
    const [, path] = /^paths=(.*)$/.exec(word) ?? [];
    const [, of, rule] = /^output:(?:(crd|rbac|webhook):)?(.*)$/.exec(word) ?? [];
    const [, place] = /^(?:artifacts:config|dir)=(.*)$/.exec(rule ?? "") ?? [];
    if (generator !== undefined) {
      generators.set(generator, word.replaceAll(unreadable, "").replaceAll(`${projectRoot}/`, ""));
    } else if (path !== undefined) paths.push(...pathsOf(path).map((each) => packagesIn(directory, each)));
    else if (place !== undefined) outputs.set(of ?? "", inDirectory(directory, place));
    else if (rule === "stdout") outputs.set(of ?? "", target(rest, directory));
    else continue;
    isUnknown ||= /[$\ufffd]/.test(word);
  }
  if (generators.size === 0 || paths.length === 0) return undefined;
  if (isUnknown) {
    unknown.push(unreadableCall(at));
  }
  return { at, generators, paths, outputs, directory, isAppended: />>/.test(rest) };
}

/** Returns a path of controller-gen relative to the project. Of one that can't be read, all packages are read. */
function packagesIn(directory: string, path: string): string {
  if (path.startsWith(excluding)) return path;
  return inDirectory(directory, path.includes(unreadable) ? "./..." : path);
}

/** Stands for the unknown place of an output that other commands write. */
const stdout = "other files";

/** Returns the directory of the file to which a command writes its output. */
function target(rest: string, directory: string): string {
  const file = />>?\s*["']?([^\s"'|&;>]+)/.exec(rest)?.[1];
  return file === undefined ? stdout : posix.dirname(inDirectory(directory, file));
}

/** Splits a list of paths: `{./api/...,./internal/...}`, or with semicolons. */
function pathsOf(value: string): string[] {
  return value
    .replace(/^\{|\}$/g, "")
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((each) => each !== "");
}
