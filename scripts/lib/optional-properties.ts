import { Node, Project, SyntaxKind, type ts } from "ts-morph";

interface OutputFile {
  type: string;
  code?: string;
}

/** The plugin of a bundler that makes the declarations valid for all compiler options, with {@link admitUndefined}. */
export const optionalProperties = {
  name: "optional-properties",
  generateBundle: {
    order: "post" as const,
    handler(_options: unknown, bundle: Record<string, OutputFile>): void {
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk" && file.code && name.endsWith(".d.ts")) file.code = admitUndefined(name, file.code);
      }
    },
  },
};

/**
 * Adds `| undefined` to the optional properties in declarations. Otherwise projects with `exactOptionalPropertyTypes`
 * couldn't pass values that may be undefined.
 *
 * @param path the path of the declarations
 * @returns the text with `| undefined` in the type of each optional property
 * @throws Error if the text has syntax errors
 */
export function admitUndefined(path: string, text: string): string {
  const compilerOptions = { noLib: true, noResolve: true };
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true, compilerOptions });
  const file = project.createSourceFile(`/${path}`, text);
  const [error] = project.getProgram().getSyntacticDiagnostics(file);
  if (error !== undefined) throw new Error(`${path} can't be read: ${String(error.getMessageText())}`);
  const changes: ts.TextChange[] = [];
  const insert = (start: number, newText: string) => changes.push({ span: { start, length: 0 }, newText });
  file.forEachDescendant((node) => {
    const isProperty = Node.isPropertySignature(node) || Node.isPropertyDeclaration(node);
    const type = isProperty && node.hasQuestionToken() ? node.getTypeNode() : undefined;
    if (type === undefined || acceptsUndefined(type)) return;
    const [before, after] = bindsLooser.has(type.getKind()) ? ["(", ") | undefined"] : ["", " | undefined"];
    insert(type.getStart(), before);
    insert(type.getEnd(), after);
  });
  changes.sort((a, b) => a.span.start - b.span.start);
  return file.applyTextChanges(changes).getFullText();
}

/** Types that need parentheses before `| undefined`. */
const bindsLooser = new Set([SyntaxKind.FunctionType, SyntaxKind.ConstructorType, SyntaxKind.ConditionalType]);

const anything = new Set([SyntaxKind.UndefinedKeyword, SyntaxKind.UnknownKeyword, SyntaxKind.AnyKeyword]);

function acceptsUndefined(type: Node): boolean {
  return anything.has(type.getKind()) || (Node.isUnionTypeNode(type) && type.getTypeNodes().some(acceptsUndefined));
}
