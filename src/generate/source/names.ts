import type { Target } from "./model.ts";

/** The names in a file: imports and its own declarations, those in namespaces as `A.b`. */
export interface FileNames {
  /** A namespace import has the name `*`; `import x = require(…)` has the name `export=`. */
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  readonly locals: ReadonlySet<string>;
  /** The namespace that is being read; "" outside of namespaces. */
  readonly namespace: string;
}

/** A name such as `a` or `a.b`, split into parts and as written. */
export interface EntityName {
  readonly parts: readonly string[];
  readonly text: string;
}

/** Returns the target of a name in the file `path`; `parameters` are the type parameters in scope. */
export function targetOf(
  path: string,
  names: FileNames,
  { parts, text }: EntityName,
  parameters: ReadonlySet<string>,
): Target {
  const [first = "", ...rest] = parts;
  if (rest.length === 0 && parameters.has(first)) return { kind: "parameter", name: first };
  for (let outer = names.namespace; outer !== ""; outer = outer.slice(0, Math.max(0, outer.lastIndexOf(".")))) {
    if (names.locals.has(`${outer}.${first}`)) return { kind: "local", file: path, name: [outer, ...parts].join(".") };
  }
  const imported = names.imports.get(first);
  if (imported) {
    const within = imported.name === "*" && rest.length > 0 ? rest : [imported.name, ...rest];
    return { kind: "import", file: path, specifier: imported.specifier, name: within.join(".") };
  }
  if (names.locals.has(first)) return { kind: "local", file: path, name: parts.join(".") };
  return { kind: "global", name: text };
}

/** Returns the name of a declaration in a namespace, as the rest of the file uses it. */
export function qualified(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}.${name}`;
}
