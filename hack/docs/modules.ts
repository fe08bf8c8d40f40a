// The modules that the blocks of the documentation make up, for the compiler.
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import type { Block } from "./page.ts";

/** A module made of a block: `text` of `block` begins at line `offset` (from 0) of it. */
export interface BlockModule {
  readonly name: string;
  readonly text: string;
  readonly block: Block;
  readonly offset: number;
}

/** Files in `given/` whose exports a block may use, as named by a comment `<!-- given: game, manager -->` above it. */
export function givensOf({ notes }: Block): string[] {
  return notes.given?.split(",").map((name) => name.trim()) ?? [];
}

/** A TypeScript block as a module that imports what it is given, but for the names that it declares itself. */
export function moduleOfCode(
  block: Block,
  index: number,
  exportsOf: (given: string) => readonly string[],
): BlockModule {
  const own = new Set(declaredNames(block.text));
  const imports = givensOf(block).map((given) => {
    const names = exportsOf(given).filter((name) => !own.has(name));
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

/** Kinds that no type here describes: kustomize reads them, and only whether they are YAML is looked at. */
const foreign = /^(kustomize\.config\.k8s\.io|cert-manager\.io|monitoring\.coreos\.com)\//;

/**
 * The objects of a YAML block as constants of the types of their kinds, which replace their schemas: those of Kubernetes,
 * or of what the block is given. Throws an `Error` for invalid YAML.
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

/** `apps/v1` → `apps/v1`, `rbac.authorization.k8s.io/v1` → `rbac/v1`, `v1` → `core/v1`. */
function doorOf(apiVersion: string): string {
  const [group = "", version] = apiVersion.split("/");
  return version === undefined ? `core/${group}` : `${group.split(".")[0]}/${version}`;
}
