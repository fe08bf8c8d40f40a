import { posix } from "node:path";
import { expandMake, makefileLines, makeVariables, shellWords } from "../../text/make-variables.ts";

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

/**
 * Reads how a Go project calls controller-gen, from its Makefile and the files that it may include. If several calls write the same
 * directory, the last one counts; of several directories, the usual one, or else the first one that contains output.
 *
 * @param files - the Makefile first
 * @param isWritten - whether a directory contains the output of a generator; calls that find no markers write none
 */
export function generationsOf(
  files: readonly { readonly path: string; readonly text: string }[],
  isWritten: (directory: string, generator: Name) => boolean = () => true,
): Generations {
  const unknown: string[] = [];
  const all = files.flatMap(({ path, text }) =>
    callsIn(path, text, files.map((each) => each.text).join("\n"), unknown),
  );
  const main = all.filter(({ target }) => target === "manifests");
  const calls = main.length > 0 ? main : all;
  if (calls.length === 0) {
    return { crd: usual("crd"), rbac: usual("rbac"), webhook: usual("webhook"), notes: [] };
  }
  const notes = [...unknown];
  const found: Partial<Record<Name, Generation>> = {};
  for (const name of names) {
    const of = new Map<string, Call>();
    for (const call of calls.filter(({ generators }) => generators.has(name))) {
      const output = call.outputs.get(name) ?? call.outputs.get("") ?? inDirectory(call.directory, `config/${name}`);
      const before = of.get(output);
      // Each kind has a file of its own, so that those of an earlier call stay.
      const paths = name === "crd" && before !== undefined ? [...before.paths, ...call.paths] : call.paths;
      of.set(output, { ...call, paths });
    }
    const outputs = [...of.keys()];
    const chosen =
      outputs.find((output) => output === usualOutput[name]) ??
      outputs.find((output) => isWritten(output, name)) ??
      outputs[0];
    for (const [output, call] of of) {
      if (output !== chosen && !isWritten(output, name)) continue;
      if (output === chosen) found[name] = generation(call, name, output);
      else {
        notes.push(
          `not taken over: ${call.at} writes ${call.generators.get(name)} of ${call.paths.join(" ")} to ${output}, besides ${chosen}`,
        );
      }
    }
  }
  return { ...found, notes };
}

function generation(call: Call, name: Name, output: string): Generation {
  return { options: call.generators.get(name) ?? name, paths: call.paths, output };
}

function callsIn(path: string, text: string, all: string, unknown: string[]): (Call & { target: string })[] {
  const variables = makeVariables(makefileLines(all));
  const found: (Call & { target: string })[] = [];
  let target = "";
  let line = 1;
  // Continued lines are one, so lines are counted in the original text.
  for (const logical of text.match(/(?:[^\n\\]|\\(?:\r?\n|[\s\S]|$))*(?:\n|$)/g) ?? []) {
    const at = `${path}:${line}`;
    line += logical.split("\n").length - 1;
    const [joined = ""] = makefileLines(logical);
    const isRecipe = joined.startsWith("\t");
    const name = /^([\w./-]+)(?:[ \t]+[\w./-]+)*[ \t]*:(?!=)/.exec(joined)?.[1];
    if (!isRecipe && name !== undefined) target = name;
    if (!isRecipe) continue;
    for (const command of joined.split(/&&|\|\||;(?=\s)/)) {
      const call = callOf(command, joined, at, variables, unknown);
      if (call !== undefined) found.push({ ...call, target });
    }
  }
  return found;
}

/** Reads a command. Calls are recognized by their arguments, because the program has many names. */
function callOf(
  command: string,
  recipe: string,
  at: string,
  variables: ReadonlyMap<string, string>,
  unknown: string[],
): Call | undefined {
  const functions = (call: string): string => {
    const [, first, second] = /^\$[({]or ([^,]*),([^,]*)[)}]$/.exec(call) ?? [];
    return first === undefined ? unreadable : first.trim() || (second ?? "").trim();
  };
  const generators = new Map<string, string>();
  const outputs = new Map<string, string>();
  const paths: string[] = [];
  const directory = /(?:^|[;&]\s*|\t)cd\s+([\w./-]+)\s*(?:;|&&)/.exec(recipe)?.[1] ?? "";
  let isUnknown = false;
  for (const word of shellWords(expandMake(command, variables, functions))) {
    const [, generator] = /^(crd|rbac|webhook)(?::|$)/.exec(word) ?? [];
    const [, path] = /^paths=(.*)$/.exec(word) ?? [];
    const [, of, rule] = /^output:(?:(crd|rbac|webhook):)?(?:artifacts:config|dir)=(.*)$/.exec(word) ?? [];
    if (generator !== undefined) generators.set(generator, word.replaceAll(unreadable, ""));
    else if (path !== undefined) paths.push(...pathsOf(path).map((each) => inDirectory(directory, each)));
    else if (rule !== undefined) outputs.set(of ?? "", inDirectory(directory, rule));
    else continue;
    isUnknown ||= word.includes(unreadable);
  }
  if (generators.size === 0 || paths.length === 0) return undefined;
  if (isUnknown) {
    unknown.push(`${at} has options of controller-gen that can't be read: compare them with the new Makefile`);
  }
  return { at, generators, paths, outputs, directory };
}

/** Stands for a part of a Makefile that only make can evaluate. */
const unreadable = "\ufffd";

/** Splits a list of paths: `{./api/...,./internal/...}`, or with semicolons. */
function pathsOf(value: string): string[] {
  return value
    .replace(/^\{|\}$/g, "")
    .split(/[,;]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Returns a path of a directory relative to the project, without `./`. */
function inDirectory(directory: string, path: string): string {
  return posix.join(directory, path).replace(/(?<=.)\/$/, "");
}
