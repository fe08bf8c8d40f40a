// Converts the code blocks of the documentation to modules for the compiler.
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import type { Block } from "./page.ts";

/** A module created from a block. The block's text begins at line `offset` of the module, counting from 0. */
export interface BlockModule {
  readonly name: string;
  readonly text: string;
  readonly block: Block;
  readonly offset: number;
}

/** Returns the files in `given/` whose exports a block may use, from a comment `<!-- given: game, manager -->` above it. */
export function givensOf({ notes }: Block): string[] {
  return notes.given?.split(",").map((name) => name.trim()) ?? [];
}

/**
 * Converts a TypeScript block to a module that imports its given names, except for those that it declares itself. A name that
 * several files export is imported from the last one.
 */
export function moduleOfCode(
  block: Block,
  index: number,
  exportsOf: (given: string) => readonly string[],
): BlockModule {
  const taken = new Set(declaredNames(block.text));
  const imports = givensOf(block)
    .toReversed()
    .map((given) => {
      const names = exportsOf(given).filter((name) => !taken.has(name));
      for (const name of names) taken.add(name);
      return `import { ${names.join(", ")} } from "./given/${given}.ts";\n`;
    });
  const head = `${imports.join("")}export {};\n`;
  return { name: `block-${index}.ts`, text: head + block.text, block, offset: head.split("\n").length - 1 };
}

function declaredNames(text: string): string[] {
  const source = ts.createSourceFile("block.ts", text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => bindingNames(name));
    }
    if (ts.isImportDeclaration(statement)) return importedNames(statement.importClause);
    const { name } = statement as { name?: ts.Identifier };
    return name === undefined ? [] : [name.text];
  });
}

function bindingNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bindingNames(element.name)));
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const named = bindings === undefined ? [] : ts.isNamespaceImport(bindings) ? [bindings] : bindings.elements;
  return [...(clause?.name ? [clause.name.text] : []), ...named.map(({ name }) => name.text)];
}

/** Kinds without a type here. Other programs read them, and only their YAML syntax is checked. */
const foreign =
  /^(kustomize\.config\.k8s\.io|cert-manager\.io|monitoring\.coreos\.com|argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//;

/**
 * Converts the objects of a YAML block to constants with the types of their kinds, which check them like schemas. The types
 * are built-in or from the block's given files.
 *
 * @throws Error for invalid YAML
 */
export function moduleOfObjects(block: Block, index: number): BlockModule | undefined {
  const objects = parseAllDocuments(block.text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as { apiVersion?: string; kind?: string };
  });
  const lines = objects.flatMap((object, number) => {
    const { apiVersion, kind } = object ?? {};
    if (apiVersion === undefined || kind === undefined || foreign.test(apiVersion)) return [];
    const given = givensOf(block)[0];
    const module = given === undefined ? `@kubewright/runtime/api/${doorOf(apiVersion)}` : `./given/${given}.ts`;
    return `import type { ${kind} as Kind${number} } from "${module}";\nexport const object${number}: Kind${number} = ${JSON.stringify(object)};\n`;
  });
  if (lines.length === 0) return undefined;
  return { name: `block-${index}.ts`, text: lines.join(""), block, offset: 0 };
}

/**
 * Returns the runtime's entry point for an API version: `apps/v1` → `apps/v1`, `rbac.authorization.k8s.io/v1` → `rbac/v1`,
 * `v1` → `core/v1`.
 */
function doorOf(apiVersion: string): string {
  const [group = "", version] = apiVersion.split("/");
  return version === undefined ? `core/${group}` : `${group.split(".")[0]}/${version}`;
}
