import type { Declaration, InterfaceDeclaration, Member, SourceFile } from "./model.ts";

/**
 * Merges the interfaces (and a class) that have the same name into the first one, as TypeScript does. Keeps the positions
 * and comments of the others, because their markers also apply.
 */
export function mergeDeclarations(file: SourceFile): SourceFile {
  const byName = new Map<string, InterfaceDeclaration[]>();
  for (const declaration of file.declarations) {
    if (declaration.kind !== "interface" && declaration.kind !== "class") continue;
    const same = byName.get(declaration.name);
    if (same) same.push(declaration);
    else byName.set(declaration.name, [declaration]);
  }
  if ([...byName.values()].every((same) => same.length === 1)) return file;
  const declarations = file.declarations.flatMap((declaration): Declaration[] => {
    const same = byName.get(declaration.name);
    const isPart = declaration.kind === "interface" || declaration.kind === "class";
    if (!isPart || !same || same.length === 1) return [declaration];
    return same[0] === declaration ? [merge(declaration, same.slice(1))] : [];
  });
  return Object.freeze({ ...file, declarations: Object.freeze(declarations) });
}

function merge(first: InterfaceDeclaration, others: readonly InterfaceDeclaration[]): InterfaceDeclaration {
  const all = [first, ...others];
  // A property may be declared in several of them, with the same type.
  const members: Member[] = [];
  const repeated: Member[] = [];
  const before = new Set<string>();
  for (const declaration of all) {
    for (const member of declaration.members) {
      (!member.method && before.has(member.name) ? repeated : members).push(member);
    }
    for (const { name, method } of declaration.members) if (!method) before.add(name);
  }
  const index = all.find((interfaceDeclaration) => interfaceDeclaration.index)?.index;
  return Object.freeze({
    ...first,
    exported: all.some((interfaceDeclaration) => interfaceDeclaration.exported),
    extends: all.flatMap((interfaceDeclaration) => interfaceDeclaration.extends),
    members: Object.freeze(members),
    ...(repeated.length > 0 ? { repeated: Object.freeze(repeated) } : {}),
    ...(index ? { index } : {}),
    merged: others.map(({ leading, trailing, inside, at }) => ({
      leading,
      ...(trailing ? { trailing } : {}),
      ...(inside ? { inside } : {}),
      at,
    })),
  });
}
