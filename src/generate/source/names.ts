import type { Target } from "./model.ts";

/** The names that a file knows: imports and its own top-level declarations. A namespace import has the name `*`. */
export interface FileNames {
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  readonly locals: ReadonlySet<string>;
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
  const [first = "", second = ""] = parts;
  const imported = names.imports.get(first);
  if (parts.length === 1) {
    if (parameters.has(first)) return { kind: "parameter", name: first };
    if (imported) return { kind: "import", file: path, ...imported };
    return names.locals.has(first) ? { kind: "local", file: path, name: first } : { kind: "global", name: first };
  }
  if (parts.length > 2) return { kind: "global", name: text };
  if (imported?.name === "*") return { kind: "import", file: path, specifier: imported.specifier, name: second };
  if (names.locals.has(first)) return { kind: "local", file: path, name: `${first}.${second}` };
  if (imported)
    return { kind: "import", file: path, specifier: imported.specifier, name: `${imported.name}.${second}` };
  return { kind: "global", name: text };
}
