import type { ImportDeclaration, ImportDeclarationSpecifier } from "oxc-parser";
import { type Edit, lineWidth } from "./edits.ts";
import type { Code } from "./parse.ts";

/** A name to import, as written between the braces: `Manager`, `type Context` or `a as b`. */
export interface WantedImport {
  readonly module: string;
  readonly names: readonly string[];
}

/**
 * Returns the edits that import missing names. They are added to an existing import of the same module in alphabetical
 * order, or to a new import after the last one.
 */
export function addImports(code: Code, wanted: readonly WantedImport[]): Edit[] {
  const declarations = code.program.body.filter((node): node is ImportDeclaration => node.type === "ImportDeclaration");
  const present = new Set(declarations.flatMap((node) => node.specifiers.map((specifier) => specifier.local.name)));
  const edits: Edit[] = [];
  for (const { module, names } of wanted) {
    const missing = names.filter((name) => !present.has(localName(name)));
    if (missing.length === 0) continue;
    const declaration = declarations.find((node) => node.source.value === module && isNamed(code, node));
    edits.push(
      declaration === undefined
        ? amongImports(code, declarations, missing, module)
        : extended(code, declaration, missing),
    );
  }
  return edits;
}

/** Returns the edits that remove unused imports from a file. */
export function removeImports(code: Code, wanted: readonly WantedImport[]): Edit[] {
  const edits: Edit[] = [];
  for (const node of code.program.body) {
    if (node.type !== "ImportDeclaration" || !isNamed(code, node)) continue;
    const names = wanted.filter(({ module }) => module === node.source.value).flatMap((each) => each.names);
    const unused = new Set(names.map(localName).filter((name) => !isUsed(code, name)));
    const left = node.specifiers.filter(({ local }) => !unused.has(local.name));
    if (left.length === node.specifiers.length) continue;
    const typeOnly = node.importKind === "type";
    const texts = left.map(({ start, end }) => `${typeOnly ? "type " : ""}${code.text.slice(start, end)}`);
    const text = texts.length === 0 ? "" : importStatement(texts, String(node.source.value));
    const lineBreak = /^\r?\n/.exec(code.text.slice(node.end))?.[0].length ?? 0;
    edits.push({ start: node.start, end: node.end + (text === "" ? lineBreak : 0), text });
  }
  return edits;
}

/** Whether a name is used outside of imports. */
function isUsed(code: Code, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  return code.program.body.some(
    (node) => node.type !== "ImportDeclaration" && word.test(code.text.slice(node.start, node.end)),
  );
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

/** Whether an import has only names: no default, no namespace, and no comments that a new list would lose. */
function isNamed(code: Code, node: ImportDeclaration): boolean {
  const plain = node.specifiers.length > 0 && node.specifiers.every(({ type }) => type === "ImportSpecifier");
  return plain && !/\/[/*]/.test(code.text.slice(node.start, node.source.start));
}

function extended(code: Code, node: ImportDeclaration, missing: readonly string[]): Edit {
  const typeOnly = node.importKind === "type";
  const written = (specifier: ImportDeclarationSpecifier) => {
    const text = code.text.slice(specifier.start, specifier.end);
    return typeOnly ? `type ${text}` : text;
  };
  const names = [...node.specifiers.map(written), ...missing];
  return { start: node.start, end: node.end, text: importStatement(names, String(node.source.value)) };
}

/** Returns the edit that adds an import statement, in the order of modules. */
function amongImports(
  code: Code,
  declarations: readonly ImportDeclaration[],
  names: readonly string[],
  module: string,
): Edit {
  const line = importStatement(names, module);
  const before = declarations.findLast((node) => byModule(String(node.source.value), module) <= 0);
  if (before !== undefined) return { start: before.end, end: before.end, text: `\n${line}` };
  const at = declarations[0]?.start ?? code.program.body[0]?.start ?? code.text.length;
  return { start: at, end: at, text: declarations.length > 0 ? `${line}\n` : `${line}\n\n` };
}

/** Compares modules: packages come first, then `#…` of the project, then relative ones, distant before near. */
export function byModule(a: string, b: string): number {
  const rank = (module: string) => {
    if (module.startsWith(".")) return -(module.match(/\.\.\//g)?.length ?? 0);
    return module.startsWith("#") ? -100 : -101;
  };
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function localName(name: string): string {
  return (
    name
      .replace(/^type /, "")
      .split(" as ")
      .at(-1) ?? name
  );
}

/** Compares names in the formatter's order: case-insensitive, ignoring `type`. */
function byName(a: string, b: string): number {
  const [one, two] = [a, b].map((name) => name.replace(/^type /, ""));
  return (one ?? "").localeCompare(two ?? "", "en", { sensitivity: "base", numeric: true }) || a.localeCompare(b, "en");
}
