import { ts } from "ts-morph";
import { type CodeProgram, resolved } from "./program.ts";

export type Call = ts.CallExpression | ts.NewExpression;

/** The calls of the operator's functions. */
export interface Callers {
  /** Returns the calls of a function, including those by the interfaces that its class implements. */
  of(declaration: ts.SignatureDeclaration): readonly Call[];
  /** Returns whether a function is also passed on as a value, so that it may have other calls. */
  isPassedOn(declaration: ts.SignatureDeclaration): boolean;
}

/** Finds the calls in all files in one pass. */
export function findCallers(program: CodeProgram): Callers {
  const { checker } = program;
  const calls = new Map<ts.Node, Call[]>();
  const passedOn = new Set<ts.Node>();

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const declaration = checker.getResolvedSignature(node)?.declaration;
      if (declaration) calls.set(declaration, [...(calls.get(declaration) ?? []), node]);
    }
    if (ts.isIdentifier(node) && isValue(node)) {
      for (const callee of functionsOf(resolved(checker, node))) passedOn.add(callee);
    }
    ts.forEachChild(node, visit);
  }

  function functionsOf(symbol: ts.Symbol | undefined): ts.Node[] {
    return (symbol?.declarations ?? []).flatMap((declaration) => {
      if (ts.isFunctionLike(declaration)) return [declaration];
      const value = ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration);
      return value && declaration.initializer && ts.isFunctionLike(declaration.initializer)
        ? [declaration.initializer]
        : [];
    });
  }

  /** Returns other declarations by which a function is called: its overloads, and the same member of its class's parents. */
  function others(declaration: ts.SignatureDeclaration): ts.Node[] {
    const name = declaration.name;
    if (!name) {
      if (!ts.isConstructorDeclaration(declaration)) return [];
      return declaration.parent.members.filter((member) => ts.isConstructorDeclaration(member));
    }
    const own = checker.getSymbolAtLocation(name)?.declarations ?? [];
    const { parent } = declaration;
    if (!ts.isClassLike(parent)) return [...own];
    const inherited = (parent.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap((type) => checker.getTypeAtLocation(type).getProperty(name.getText())?.declarations ?? []),
    );
    return [...own, ...inherited];
  }

  for (const file of program.files) visit(file);
  return {
    of: (declaration) => [...new Set([declaration, ...others(declaration)])].flatMap((node) => calls.get(node) ?? []),
    isPassedOn: (declaration) => [declaration, ...others(declaration)].some((node) => passedOn.has(node)),
  };
}

/** Returns whether a name is used as a value: it is neither called nor declared there. */
function isValue(name: ts.Identifier): boolean {
  let node: ts.Node = name;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) node = node.parent;
  const { parent } = node;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return false;
  if (ts.isPartOfTypeNode(node) || ts.isImportOrExportSpecifier(parent)) return false;
  if (ts.isImportClause(parent) || ts.isQualifiedName(parent)) return false;
  return !("name" in parent && parent.name === node) || ts.isShorthandPropertyAssignment(parent);
}
