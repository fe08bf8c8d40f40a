// Finds the titles of tests in code.
import { ts } from "ts-morph";

const testFunction = /^(describe|it|test)$/;
const modifier = /^(concurrent|each|fails|for|only|runIf|sequential|skip|skipIf|todo)$/;

/**
 * Finds the titles of tests: the first arguments of `describe`, `it` and `test`, and the names of cases in their tables. The
 * first column of a table contains names if the test doesn't use it, that is, if its parameter begins with `_`.
 *
 * @param file - the parsed file
 * @returns the string literals and templates that are titles
 */
export function titlesIn(file: ts.SourceFile): Set<ts.Node> {
  const titles = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [title] = node.arguments;
      for (const caseTitle of [title, ...caseNames(file, node)])
        if (caseTitle && isText(caseTitle)) titles.add(caseTitle);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return titles;
}

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Whether an expression is a test function, possibly with modifiers, such as `it.runIf(condition).each(table)`. */
function isTestFunction(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression)) return testFunction.test(expression.text);
  if (ts.isPropertyAccessExpression(expression))
    return modifier.test(expression.name.text) && isTestFunction(expression.expression);
  return ts.isCallExpression(expression) && isTestFunction(expression.expression);
}

/** Returns the first cells of the rows in `it.each(table)(title, callback)`, if the callback ignores them. */
function caseNames(file: ts.SourceFile, { expression, arguments: given }: ts.CallExpression): ts.Node[] {
  const callback = given.find((each) => ts.isFunctionLike(each));
  const ignores = callback?.parameters[0]?.name.getText(file).startsWith("_") ?? false;
  if (!ts.isCallExpression(expression) || !ignores) return [];
  const [table] = expression.arguments;
  return elementsOf(file, table).flatMap((row) => elementsOf(file, row).slice(0, 1));
}

/** Returns the elements of an array literal, or of the array in a constant of the file. */
function elementsOf(file: ts.SourceFile, node: ts.Node | undefined): readonly ts.Node[] {
  if (node === undefined) return [];
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return elementsOf(file, node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (!ts.isIdentifier(node)) return [];
  const declarations = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
  );
  return elementsOf(file, declarations.find(({ name }) => name.getText(file) === node.text)?.initializer);
}
