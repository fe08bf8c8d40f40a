// Texts of code that need no compiler.

/**
 * Maximum number of characters in a line with a list that the user's names make longer: that of the scaffolded biome.json. The
 * project's formatter lays out everything else, but isn't installed when `init` runs.
 */
const lineWidth = 120;

/** A name to import, as written between the braces: `Manager`, `type Context` or `a as b`. */
export interface WantedImport {
  readonly module: string;
  readonly names: readonly string[];
}

/** Returns an import statement with sorted names. If all names are types, `type` precedes the braces. */
export function importStatement(names: readonly string[], module: string): string {
  const sorted = [...names].sort(byName);
  if (!sorted.every((name) => name.startsWith("type "))) return importLine(sorted, module);
  return importLine(
    sorted.map((name) => name.slice("type ".length)),
    module,
    "import type",
  );
}

/** Returns an import statement on one line, or with a line per name if it is too long. */
export function importLine(names: readonly string[], module: string, keyword = "import"): string {
  const line = `${keyword} { ${names.join(", ")} } from "${module}";`;
  return names.length === 1 || line.length <= lineWidth
    ? line
    : [`${keyword} {`, ...names.map((name) => `  ${name},`), `} from "${module}";`].join("\n");
}

/** Returns import statements, one per module; modules of packages come before those of the project. */
export function importBlock(wanted: readonly WantedImport[]): string {
  const modules = new Map<string, Set<string>>();
  for (const { module, names } of wanted) {
    const all = modules.get(module) ?? new Set();
    for (const name of names) all.add(name);
    modules.set(module, all);
  }
  return [...modules]
    .filter(([, names]) => names.size > 0)
    .sort(([a], [b]) => byModule(a, b))
    .map(([module, names]) => importStatement([...names], module))
    .join("\n");
}

/** Compares modules: packages come first, then `#…` of the project, then relative ones, distant before near. */
export function byModule(a: string, b: string): number {
  const rank = (module: string) => {
    if (module.startsWith(".")) return -(module.match(/\.\.\//g)?.length ?? 0);
    return module.startsWith("#") ? -100 : -101;
  };
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Compares names in the formatter's order: case-insensitive, ignoring `type`. */
function byName(a: string, b: string): number {
  const [first, two] = [a, b].map((name) => name.replace(/^type /, ""));
  return (
    (first ?? "").localeCompare(two ?? "", "en", { sensitivity: "base", numeric: true }) || a.localeCompare(b, "en")
  );
}

/**
 * Returns a chain of calls on one line, or with a line per call if it is too long.
 *
 * @param links the beginning of the chain, and each call with its dot
 * @param line the rest of its line: the indentation, and the texts before and after the chain
 */
export function printChain(
  links: readonly string[],
  { indent, before, after }: { readonly indent: string; readonly before: string; readonly after: string },
): string {
  const line = links.join("");
  return `${indent}${before}${line}${after}`.length <= lineWidth ? line : links.join(`\n${indent}  `);
}
