import { ts } from "ts-morph";
import type { Callers } from "./callers.ts";
import { type CodeProgram, resolved } from "./program.ts";

/** The sources of a value. */
export interface Trail {
  /** The expressions that create the value: literals, calls of code outside the operator, constants of libraries. */
  readonly ends: readonly ts.Expression[];
  /** The nodes at which the search for sources failed. */
  readonly lost: readonly ts.Node[];
}

/** Follows values back to their sources: through variables, parameters, fields, helpers and loops. */
export interface Flow {
  /** Returns the sources of a value. The search ends at expressions for which `isEnd` returns true. */
  trail(expression: ts.Expression, isEnd?: (expression: ts.Expression) => boolean): Trail;
  /** Returns the sources of a property of a value. */
  property(expression: ts.Expression, name: string): Trail;
  /** Returns the sources of the elements of an array. */
  elements(expression: ts.Expression): Trail;
}

const nothing: Trail = { ends: [], lost: [] };
const overElements = new Set(["map", "forEach", "flatMap", "filter", "some", "every", "find"]);

/** Prepares to follow values; the code is analyzed on demand. */
export function createFlow(program: CodeProgram, callers: Callers): Flow {
  const { checker } = program;
  let isEnough: ((expression: ts.Expression) => boolean) | undefined;

  function trail(expression: ts.Expression, seen: ReadonlySet<ts.Node>): Trail {
    // A value that depends on itself has no other source here.
    if (seen.has(expression)) return nothing;
    if (isEnough?.(expression)) return { ends: [expression], lost: [] };
    const path = new Set(seen).add(expression);
    const follow = (...next: (ts.Expression | undefined)[]) =>
      joined(next.map((expression) => (expression ? trail(expression, path) : nothing)));
    if (
      ts.isParenthesizedExpression(expression) ||
      ts.isAsExpression(expression) ||
      ts.isSatisfiesExpression(expression) ||
      ts.isNonNullExpression(expression) ||
      ts.isTypeAssertionExpression(expression) ||
      ts.isAwaitExpression(expression)
    ) {
      return follow(expression.expression);
    }
    if (ts.isConditionalExpression(expression)) return follow(expression.whenTrue, expression.whenFalse);
    if (ts.isBinaryExpression(expression)) return binary(expression, follow);
    if (ts.isIdentifier(expression)) return named(expression, path);
    if (ts.isPropertyAccessExpression(expression)) return accessed(expression, path);
    if (ts.isElementAccessExpression(expression)) return elements(expression.expression, path);
    if (ts.isCallExpression(expression)) return called(expression, path);
    return { ends: [expression], lost: [] };
  }

  function binary(expression: ts.BinaryExpression, follow: (...next: ts.Expression[]) => Trail): Trail {
    const { QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken, CommaToken, EqualsToken } = ts.SyntaxKind;
    const { kind } = expression.operatorToken;
    if (kind === QuestionQuestionToken || kind === BarBarToken) return follow(expression.left, expression.right);
    const isRight = kind === AmpersandAmpersandToken || kind === CommaToken || kind === EqualsToken;
    return isRight ? follow(expression.right) : { ends: [expression], lost: [] };
  }

  function named(name: ts.Identifier, path: ReadonlySet<ts.Node>): Trail {
    const symbol = resolved(checker, name);
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration) return { ends: [], lost: [name] };
    if (!program.isOwn(declaration.getSourceFile())) return { ends: [name], lost: [] };
    if (ts.isParameter(declaration)) return parameter(declaration, path);
    if (ts.isBindingElement(declaration)) return unpacked(declaration, name, path);
    if (!ts.isVariableDeclaration(declaration)) return { ends: [name], lost: [] };
    const statement = declaration.parent.parent;
    if (ts.isForOfStatement(statement)) return elements(statement.expression, path);
    const assigned = assignments(declaration.getSourceFile(), (left) => resolved(checker, left) === symbol);
    const values = [...(declaration.initializer ? [declaration.initializer] : []), ...assigned];
    return values.length === 0 ? { ends: [], lost: [name] } : joined(values.map((value) => trail(value, path)));
  }

  /** Follows a destructured variable, such as in `const { kind } = step`. */
  function unpacked(element: ts.BindingElement, name: ts.Identifier, path: ReadonlySet<ts.Node>): Trail {
    const holder = element.parent.parent;
    const key = element.propertyName ?? element.name;
    const isPlain = ts.isObjectBindingPattern(element.parent) && ts.isIdentifier(key);
    if (!isPlain || element.dotDotDotToken) return { ends: [], lost: [name] };
    const byDefault = element.initializer ? trail(element.initializer, path) : nothing;
    const loop = ts.isVariableDeclaration(holder) ? holder.parent.parent : undefined;
    if (ts.isParameter(holder)) return joined([fieldOf(parameter(holder, path), key.text, name, path), byDefault]);
    if (loop && ts.isForOfStatement(loop)) {
      return joined([fieldOf(elements(loop.expression, path), key.text, name, path), byDefault]);
    }
    if (!ts.isVariableDeclaration(holder) || !holder.initializer) return { ends: [], lost: [name] };
    return joined([fieldOf(trail(holder.initializer, path), key.text, name, path), byDefault]);
  }

  function accessed(access: ts.PropertyAccessExpression, path: ReadonlySet<ts.Node>): Trail {
    const symbol = checker.getSymbolAtLocation(access.name);
    const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
    const opaque: Trail = { ends: [access], lost: [] };
    if (!declaration || !program.isOwn(declaration.getSourceFile())) return opaque;
    if (ts.isParameter(declaration)) return parameter(declaration, path);
    if (ts.isPropertyAssignment(declaration)) return trail(declaration.initializer, path);
    if (ts.isPropertyDeclaration(declaration)) {
      const assigned = assignments(
        declaration.getSourceFile(),
        (left) => ts.isPropertyAccessExpression(left) && checker.getSymbolAtLocation(left.name) === symbol,
      );
      const values = [...(declaration.initializer ? [declaration.initializer] : []), ...assigned];
      return values.length === 0 ? opaque : joined(values.map((value) => trail(value, path)));
    }
    if (ts.isVariableDeclaration(declaration) && declaration.initializer) {
      return trail(declaration.initializer, path);
    }
    return fieldOf(trail(access.expression, path), access.name.text, access, path);
  }

  /** Follows a property of the objects at the ends of a trail. */
  function fieldOf(holders: Trail, name: string, at: ts.Expression, path: ReadonlySet<ts.Node>): Trail {
    const trails = holders.ends.map((end) => propertyOf(end, name, path) ?? { ends: [], lost: [at] });
    return joined([{ ends: [], lost: holders.lost }, ...trails]);
  }

  function propertyOf(end: ts.Expression, name: string, seen: ReadonlySet<ts.Node>): Trail | undefined {
    if (!ts.isObjectLiteralExpression(end)) return undefined;
    if (seen.has(end)) return nothing;
    const path = new Set(seen).add(end);
    for (const member of [...end.properties].reverse()) {
      if (ts.isSpreadAssignment(member)) {
        const type = checker.getTypeAtLocation(member.expression);
        if (!type.getProperty(name)) continue;
        return fieldOf(trail(member.expression, path), name, member.expression, path);
      }
      if (!member.name || nameOf(member.name) !== name) continue;
      if (ts.isPropertyAssignment(member)) return trail(member.initializer, path);
      if (!ts.isShorthandPropertyAssignment(member)) return undefined;
      const symbol = checker.getShorthandAssignmentValueSymbol(member);
      const declaration = symbol?.valueDeclaration;
      if (declaration && ts.isParameter(declaration)) return parameter(declaration, path);
      if (declaration && ts.isBindingElement(declaration)) return unpacked(declaration, member.name, path);
      if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
      return trail(declaration.initializer, path);
    }
    return undefined;
  }

  function called(call: ts.CallExpression, path: ReadonlySet<ts.Node>): Trail {
    const declaration = checker.getResolvedSignature(call)?.declaration;
    const body = declaration && "body" in declaration ? (declaration.body as ts.Node | undefined) : undefined;
    if (!body || !program.isOwn(body.getSourceFile())) return { ends: [call], lost: [] };
    if (!ts.isBlock(body)) return trail(body as ts.Expression, path);
    const given = returned(body);
    return given.length === 0 ? { ends: [call], lost: [] } : joined(given.map((expression) => trail(expression, path)));
  }

  function returned(body: ts.Block): ts.Expression[] {
    const expressions: ts.Expression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) return;
      if (ts.isReturnStatement(node) && node.expression) expressions.push(node.expression);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(body, visit);
    return expressions;
  }

  function parameter(declaration: ts.ParameterDeclaration, path: ReadonlySet<ts.Node>): Trail {
    if (path.has(declaration)) return nothing;
    const within = new Set(path).add(declaration);
    const owner = declaration.parent as ts.SignatureDeclaration;
    const index = owner.parameters.indexOf(declaration);
    const over = overArray(owner);
    if (over) return index === 0 ? elements(over, within) : { ends: [], lost: [declaration] };
    const calls = callers.of(owner);
    const isSeen = calls.length > 0 && !callers.isPassedOn(owner) && !declaration.dotDotDotToken;
    const given = calls.map((call): Trail => {
      const before = (call.arguments ?? []).slice(0, index + 1);
      if (before.some((expression) => ts.isSpreadElement(expression))) return { ends: [], lost: [call] };
      const argument = before[index] ?? declaration.initializer;
      return argument ? trail(argument, within) : nothing;
    });
    return joined([...given, { ends: [], lost: isSeen ? [] : [declaration] }]);
  }

  /** Returns the array whose elements are passed to a function, as in `kinds.map((kind) => …)`. */
  function overArray(owner: ts.SignatureDeclaration): ts.Expression | undefined {
    const { parent } = owner;
    if (!parent || !ts.isCallExpression(parent) || parent.arguments[0] !== (owner as ts.Node)) return undefined;
    const { expression } = parent;
    const isOver = ts.isPropertyAccessExpression(expression) && overElements.has(expression.name.text);
    if (!isOver) return undefined;
    return checker.isArrayLikeType(checker.getTypeAtLocation(expression.expression))
      ? expression.expression
      : undefined;
  }

  function elements(array: ts.Expression, seen: ReadonlySet<ts.Node>): Trail {
    const { ends, lost } = trail(array, seen);
    const trails = ends.map((end): Trail => {
      if (seen.has(end)) return nothing;
      const path = new Set(seen).add(end);
      if (ts.isObjectLiteralExpression(end)) {
        const names = end.properties.map((property) => (property.name ? nameOf(property.name) : ""));
        return joined(names.map((name) => propertyOf(end, name, seen) ?? { ends: [], lost: [end] }));
      }
      if (!ts.isArrayLiteralExpression(end)) return { ends: [], lost: [end] };
      return joined(
        end.elements.map((element) =>
          ts.isSpreadElement(element) ? elements(element.expression, path) : trail(element, path),
        ),
      );
    });
    return joined([{ ends: [], lost }, ...trails]);
  }

  function assignments(file: ts.SourceFile, isTarget: (left: ts.Expression) => boolean): ts.Expression[] {
    const expressions: ts.Expression[] = [];
    const visit = (node: ts.Node): void => {
      const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
      const isBinary = ts.isBinaryExpression(node) ? node : undefined;
      const operator = isBinary?.operatorToken.kind ?? 0;
      if (isBinary && operator >= FirstAssignment && operator <= LastAssignment && isTarget(isBinary.left)) {
        expressions.push(isBinary.right);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return expressions;
  }

  return {
    trail: (expression, isEnd) => asking(isEnd, () => trail(expression, new Set())),
    property: (expression, name) =>
      asking(undefined, () => {
        const path = new Set<ts.Node>();
        return fieldOf(trail(expression, path), name, expression, path);
      }),
    elements: (expression) => asking(undefined, () => elements(expression, new Set())),
  };

  /** Sets `isEnough` for one search only, because `isEnd` may start another search. */
  function asking(isEnd: typeof isEnough, follow: () => Trail): Trail {
    const before = isEnough;
    isEnough = isEnd;
    try {
      return follow();
    } finally {
      isEnough = before;
    }
  }
}

function joined(trails: readonly Trail[]): Trail {
  return { ends: trails.flatMap(({ ends }) => ends), lost: trails.flatMap(({ lost }) => lost) };
}

/** Returns the name of a property; "" if it is neither an identifier nor a string. */
export function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : "";
}
