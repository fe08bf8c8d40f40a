import { Node, Project, SyntaxKind, type ts } from "ts-morph";

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
