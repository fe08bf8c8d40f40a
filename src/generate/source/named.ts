import type { Declaration, ReExport, SourceFile } from "./model.ts";

interface Names {
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
  readonly reExports: ReadonlyMap<string, ReExport>;
}

/** Indexes the names of a file: searching all declarations for each reference would take quadratic time. */
const namesByFile = new WeakMap<SourceFile, Names>();

/** Returns the declarations with a name, in source order. */
export function declarationsNamed(file: SourceFile, name: string): readonly Declaration[] {
  return namesOf(file).declarations.get(name) ?? [];
}

/** Returns the first re-export with a name; those of whole modules have no name. */
export function reExportNamed(file: SourceFile, name: string): ReExport | undefined {
  return namesOf(file).reExports.get(name);
}

const ofMembers = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>();

interface Named {
  readonly name: string;
}

/** Returns the first member with a name. */
export function memberNamed<T extends Named>(members: readonly T[], name: string): T | undefined {
  let byName = ofMembers.get(members);
  if (!byName) {
    // Reversed, so that the first of several members with the same name is kept.
    byName = new Map(members.toReversed().map((member) => [member.name, member]));
    ofMembers.set(members, byName);
  }
  return byName.get(name) as T | undefined;
}

function namesOf(file: SourceFile): Names {
  const before = namesByFile.get(file);
  if (before) return before;
  const declarations = new Map<string, Declaration[]>();
  for (const declaration of file.declarations) {
    const same = declarations.get(declaration.name);
    if (same) same.push(declaration);
    else declarations.set(declaration.name, [declaration]);
  }
  const reExports = new Map<string, ReExport>();
  for (const entry of file.reExports) {
    if (entry.exported !== "*" && !reExports.has(entry.exported)) reExports.set(entry.exported, entry);
  }
  const names = { declarations, reExports };
  namesByFile.set(file, names);
  return names;
}
