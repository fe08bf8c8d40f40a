import { ProblemError } from "../../project/problem-error.ts";
import { readJson } from "../../yaml/json.ts";
import type { Scaffold } from "../plan/scaffold.ts";
import { printedLike } from "../text/json-style.ts";
import { isMap } from "../text/maps.ts";

type Json = Record<string, unknown>;

/** The user's package.json, with the additions that the project needs. */
export interface MergedPackage {
  readonly text: string;
  /** Notes for the user: changed values, and values that were kept although the scaffold has its own. */
  readonly notes: readonly string[];
}

/** Packages whose references the project always sets. */
const ourPackages = ["kubewright", "@kubewright/runtime", "@kubewright/apiserver"];
const dependencyLists = ["dependencies", "devDependencies", "optionalDependencies"];
/** The script that `npm init` writes as a placeholder. */
const placeholder = 'echo "Error: no test specified" && exit 1';

/**
 * Adds the scaffolded package.json to an existing one, which for example `npm install` creates in an empty directory. The
 * user's keys, scripts and versions stay, except for references to kubewright's packages, and `type`, which the code
 * requires.
 *
 * @throws ProblemError if the text isn't a valid package.json
 */
export function mergePackageJson(existing: string, scaffolded: string): MergedPackage {
  const theirs = parsePackageJson(existing);
  const ours = JSON.parse(scaffolded) as Json;
  const notes: string[] = [];
  // A file created by `npm install` has no name, and gets the scaffolded order of keys. The user's own file keeps its order.
  const merged: Json = theirs.name === undefined ? { ...ours, ...theirs } : { ...theirs, ...without(ours, theirs) };
  if (theirs.type !== undefined && theirs.type !== ours.type) {
    notes.push(`package.json: "type" is now ${JSON.stringify(ours.type)}, which the scaffolded code needs`);
  }
  merged.type = ours.type;
  merged.imports = { ...section(ours, "imports"), ...section(theirs, "imports") };
  merged.engines = { ...section(ours, "engines"), ...section(theirs, "engines") };
  merged.scripts = mergeScripts(section(theirs, "scripts"), section(ours, "scripts"), notes);
  const had = new Set(dependencyLists.flatMap((list) => Object.keys(section(theirs, list))));
  for (const list of dependencyLists) {
    const kept = Object.entries(section(theirs, list)).filter(([name]) => !ourPackages.includes(name));
    const added = Object.entries(section(ours, list)).filter(([name]) => ourPackages.includes(name) || !had.has(name));
    if (kept.length + added.length > 0) merged[list] = Object.fromEntries([...kept, ...added].sort(byName));
    else delete merged[list];
  }
  return { text: printedLike(existing, merged), notes };
}

/** Adds the mapping of `#api/*`, which package.json lacks in a project that an earlier version scaffolded. It stays. */
export function mapApiImports(scaffold: Scaffold): void {
  scaffold.change("package.json", withApiImports, (text) => text);
}

function withApiImports(text: string): string {
  const manifest = parsePackageJson(text);
  const imports = section(manifest, "imports");
  if (Object.hasOwn(imports, "#api/*")) return text;
  return printedLike(text, { ...manifest, imports: { ...imports, "#api/*": "./api/*" } });
}

function mergeScripts(theirs: Json, ours: Json, notes: string[]): Json {
  const own = Object.fromEntries(Object.entries(theirs).filter(([, command]) => command !== placeholder));
  const kept = Object.keys(own).filter((name) => Object.hasOwn(ours, name) && own[name] !== ours[name]);
  if (kept.length > 0) notes.push(`package.json: the scripts ${kept.join(", ")} are kept as they are`);
  return { ...own, ...without(ours, own) };
}

/** Returns the entries of `one` whose keys aren't in `other`. */
function without(one: Json, other: Json): Json {
  return Object.fromEntries(Object.entries(one).filter(([key]) => !Object.hasOwn(other, key)));
}

/** npm sorts the packages by name. */
function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b, "en");
}

/**
 * Parses the user's package.json.
 *
 * @throws ProblemError if it isn't valid
 */
export function parsePackageJson(text: string): Json {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error));
  }
  if (!isMap(value)) throw unusable("it must contain an object");
  for (const key of ["scripts", "engines", "imports", ...dependencyLists]) {
    if (value[key] !== undefined && !isMap(value[key])) throw unusable(`"${key}" must be an object`);
  }
  return value;
}

function section(manifest: Json, key: string): Json {
  return (manifest[key] ?? {}) as Json;
}

function unusable(why: string): ProblemError {
  return new ProblemError(
    "bad-package-json",
    `package.json can't be added to: ${why}; nothing was changed`,
    "fix it and run the command again",
  );
}
