import type { ImportDeclaration, ImportDeclarationSpecifier } from "oxc-parser";
import { importLine } from "../code-lines.ts";
import type { Edit } from "./edits.ts";
import type { Code } from "./parse.ts";

/** A name to import, as it stands between the braces: `Manager`, `type Context` or `a as b`. */
export interface WantedImport {
  readonly module: string;
  readonly names: readonly string[];
}

/**
 * The edits that import names which the file doesn't import yet. A module that the file has names of already gets the new ones
 * beside them, in the order of the alphabet; any other gets a declaration of its own behind the last one.
 */
export function addImports(code: Code, wanted: readonly WantedImport[]): Edit[] {
  const declarations = code.program.body.filter((node): node is ImportDeclaration => node.type === "ImportDeclaration");
  const present = new Set(declarations.flatMap((node) => node.specifiers.map((specifier) => specifier.local.name)));
  const edits: Edit[] = [];
  const fresh: string[] = [];
  for (const { module, names } of wanted) {
    const missing = names.filter((name) => !present.has(localName(name)));
    if (missing.length === 0) continue;
    const declaration = declarations.find((node) => node.source.value === module && isNamed(code, node));
    if (declaration === undefined) fresh.push(importStatement(missing, module));
    else edits.push(extended(code, declaration, missing));
  }
  if (fresh.length > 0) edits.push(behindImports(code, declarations, fresh));
  return edits;
}

/** An import of sorted names; what is only types says so once, in front. */
export function importStatement(names: readonly string[], module: string): string {
  const sorted = [...names].sort(byName);
  if (!sorted.every((name) => name.startsWith("type "))) return importLine(sorted, module);
  return importLine(
    sorted.map((name) => name.slice("type ".length)),
    module,
    "import type",
  );
}

/** `import { … }` with nothing in it but names: no default, no namespace, no comments that a new list would lose. */
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

function behindImports(code: Code, declarations: readonly ImportDeclaration[], lines: readonly string[]): Edit {
  const last = declarations.at(-1);
  const [first] = code.program.body;
  if (last !== undefined) return { start: last.end, end: last.end, text: lines.map((line) => `\n${line}`).join("") };
  const at = first?.start ?? code.text.length;
  return { start: at, end: at, text: `${lines.join("\n")}\n\n` };
}

function localName(name: string): string {
  return (
    name
      .replace(/^type /, "")
      .split(" as ")
      .at(-1) ?? name
  );
}

/** As the formatter's import order has it: by name, whatever the case, `type` not counted. */
function byName(a: string, b: string): number {
  const [one, two] = [a, b].map((name) => name.replace(/^type /, ""));
  return (one ?? "").localeCompare(two ?? "", "en", { sensitivity: "base", numeric: true }) || a.localeCompare(b, "en");
}
