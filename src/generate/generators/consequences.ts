// Syntax errors and what follows from them. The parser repairs a file with a syntax error by guessing, so that everything
// else in it, and in the files that use its types, can be wrong only because of the guess.
import { lintEntries, permissionEntries, refusedEntries } from "../../diagnostics/definitions/lints.ts";
import { typeEntries } from "../../diagnostics/definitions/types.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Problems that depend on types, which can be declared in other files. All others are visible in the file itself. */
const ofTypes: ReadonlySet<string> = new Set([
  ...Object.keys(typeEntries),
  ...Object.keys(refusedEntries),
  ...Object.keys(lintEntries),
  "marker-not-applicable",
]);

/** Problems that depend on all files of a project: on markers that any of them can contain, or on all API calls. */
const ofProject: ReadonlySet<string> = new Set([
  ...Object.keys(permissionEntries),
  "missing-group",
  "no-storage-version",
  "no-served-version",
]);

/**
 * Leaves out what can follow from a syntax error: in its file everything except for the first error, and in files that use the
 * file the problems of types. Independent problems of other files remain.
 *
 * @param diagnostics - the problems of a run, sorted by position
 * @param dependencies - the files that each file has used in the run
 * @returns the remaining problems
 */
export function withoutConsequences(
  diagnostics: readonly Diagnostic[],
  dependencies: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Diagnostic[] {
  const first = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.id === "syntax-error" && !first.has(diagnostic.file)) first.set(diagnostic.file, diagnostic);
  }
  if (first.size === 0) return diagnostics;
  const affected = dependentsOf(first.keys(), dependencies);
  return diagnostics.filter((diagnostic) => {
    const error = first.get(diagnostic.file);
    if (error) return diagnostic === error;
    return !ofProject.has(diagnostic.id) && !(ofTypes.has(diagnostic.id) && affected.has(diagnostic.file));
  });
}

/** Returns some files, and the files that use them, directly or by way of others. */
export function dependentsOf(
  files: Iterable<string>,
  dependencies: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [user, used] of dependencies) {
    for (const file of used) users.set(file, [...(users.get(file) ?? []), user]);
  }
  const dependents = new Set(files);
  // A set also visits what is added during the visit.
  for (const file of dependents) for (const user of users.get(file) ?? []) dependents.add(user);
  return dependents;
}
