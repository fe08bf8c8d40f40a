import type { Target } from "./model.ts";

/** The names that a file knows: imports and its own declarations, those in namespaces as `A.b`. */
export interface FileNames {
  /** A namespace import has the name `*`, one by `import x = require(…)` the name `export=`. */
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  readonly locals: ReadonlySet<string>;
  /** The namespace that is being read; "" outside all of them. */
  readonly namespace: string;
}

/** `a`, `a.b` or longer, taken apart and as written. */
export interface EntityName {
  readonly parts: readonly string[];
  readonly text: string;
}

/** Finds what a name in the file `path` refers to; `parameters` are the type parameters in scope. */
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

/** The name of something declared in a namespace, as the rest of the file knows it. */
export function qualified(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}.${name}`;
}
