import { readJson } from "../yaml/json.ts";
import { printedLike } from "./json-style.ts";
import { isMap } from "./maps.ts";
import { ScaffoldError } from "./scaffold-error.ts";

type Json = Record<string, unknown>;

/** A package.json that was there before the project, with what the project needs. */
export interface MergedPackage {
  readonly text: string;
  /** Lines for the user: what of theirs was changed, and what stays although the scaffold has its own. */
  readonly notes: readonly string[];
}

/** Whatever installed them before: the project decides how it gets these. */
const ourPackages = ["kubewright", "@kubewright/runtime"];
const dependencyLists = ["dependencies", "devDependencies", "optionalDependencies"];
/** What `npm init` writes where nobody has written anything yet. */
const placeholder = 'echo "Error: no test specified" && exit 1';

/**
 * Adds the scaffolded package.json to one that exists (an `npm install` in an empty directory makes one). The user's keys,
 * scripts and versions stay; our own two packages are referred to as the scaffold does, and `type` is what the code needs.
 *
 * @throws ScaffoldError when the text is no package.json
 */
export function mergePackageJson(existing: string, scaffolded: string): MergedPackage {
  const theirs = parse(existing);
  const ours = JSON.parse(scaffolded) as Json;
  const notes: string[] = [];
  // A file that npm made for its own lists gets our order of keys, one that somebody wrote keeps theirs.
  const merged: Json = theirs.name === undefined ? { ...ours, ...theirs } : { ...theirs, ...without(ours, theirs) };
  if (theirs.type !== undefined && theirs.type !== ours.type) {
    notes.push(`package.json: "type" is now ${JSON.stringify(ours.type)}, which the scaffolded code needs`);
  }
  merged.type = ours.type;
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

function mergeScripts(theirs: Json, ours: Json, notes: string[]): Json {
  const own = Object.fromEntries(Object.entries(theirs).filter(([, command]) => command !== placeholder));
  const kept = Object.keys(own).filter((name) => Object.hasOwn(ours, name) && own[name] !== ours[name]);
  if (kept.length > 0) notes.push(`package.json: the scripts ${kept.join(", ")} are kept as they are`);
  return { ...own, ...without(ours, own) };
}

/** What of the one the other doesn't have. */
function without(one: Json, other: Json): Json {
  return Object.fromEntries(Object.entries(one).filter(([key]) => !Object.hasOwn(other, key)));
}

/** npm sorts the packages by name. */
function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b, "en");
}

function parse(text: string): Json {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    throw unusable(error instanceof Error ? error.message : String(error));
  }
  if (!isMap(value)) throw unusable("it must contain an object");
  for (const key of ["scripts", "engines", ...dependencyLists]) {
    if (value[key] !== undefined && !isMap(value[key])) throw unusable(`"${key}" must be an object`);
  }
  return value;
}

function section(manifest: Json, key: string): Json {
  return (manifest[key] ?? {}) as Json;
}

function unusable(why: string): ScaffoldError {
  return new ScaffoldError(
    "bad-package-json",
    `package.json can't be added to: ${why}; nothing was changed`,
    "fix it, or move it to another place, so that a new one is created",
  );
}
