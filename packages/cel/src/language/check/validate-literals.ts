import { formatType, type Type, type TypeKind } from "../declarations/type.ts";
import { type FormatClause, replaceClauses, wrongArgument } from "../library/format-clauses.ts";
import { constantPatternProblem } from "../library/regex.ts";
import type { Call, Expr } from "../syntax/ast.ts";
import type { Issue } from "../syntax/issues.ts";
import { toDuration, toTimestamp } from "../values/conversion.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import type { CheckedExpression } from "./checker.ts";

/**
 * Checks constant arguments of conversions, patterns and formats, and that literals of lists and maps have one type.
 *
 * @param checked - the expression
 * @returns the problems
 */
export function validateLiterals(checked: CheckedExpression): Issue[] {
  const issues: Issue[] = [];
  const typeOf = (expr: Expr): Type => checked.types[expr.id] as Type;
  const report = (id: number, message: string) => issues.push({ offset: checked.positions[id] as number, message });
  const visit = (expr: Expr, mixed: boolean): void => {
    if (expr.kind === "call") {
      checkConversion(expr, report);
      if (expr.fn === "format") checkFormat(expr, typeOf, report);
    }
    if (expr.kind === "list" && !mixed) {
      homogeneous(expr.elements, (index) => expr.optional.has(index), true);
    }
    if (expr.kind === "map" && !mixed) {
      homogeneous(expr.entries.map(({ key }) => key));
      homogeneous(
        expr.entries.map(({ value }) => value),
        (index) => expr.entries[index]?.optional === true,
      );
    }
    const inFormat = mixed || (expr.kind === "call" && expr.fn === "format");
    for (const child of children(expr)) visit(child, inFormat);
  };
  const homogeneous = (elements: readonly Expr[], isOptional = (_index: number) => false, firstOnly = false): void => {
    const types = elements.map((element, index) =>
      isOptional(index) ? (typeOf(element).params[0] as Type) : typeOf(element),
    );
    const expected = types[0] as Type;
    for (const [index, actual] of types.entries()) {
      if (isEquivalent(expected, actual)) continue;
      const message = `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
      report((elements[index] as Expr).id, message);
      if (firstOnly) return;
    }
  };
  visit(checked.expr, false);
  return issues;
}

type Report = (id: number, message: string) => void;

function checkConversion(call: Call, report: Report): void {
  const [arg] = call.args;
  if (arg?.kind === "literal") {
    if (call.fn === "duration" && !succeeds(() => toDuration(arg.value))) report(arg.id, "invalid duration argument");
    if (call.fn === "timestamp" && !succeeds(() => toTimestamp(arg.value)))
      report(arg.id, "invalid timestamp argument");
  }
  // The real server takes the first argument for the pattern, which is the text if the function has no target.
  if (call.fn === "matches" && arg?.kind === "literal" && constantPatternProblem(String(arg.value)) !== undefined) {
    report(arg.id, "invalid matches argument");
  }
}

function succeeds(convert: () => unknown): boolean {
  try {
    convert();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

/** The types of arguments that the verbs of formats accept. */
const argumentKinds: Readonly<Record<string, readonly TypeKind[]>> = {
  s: ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  o: ["int", "uint"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
};

/** Checks a constant format with a literal list of arguments. */
function checkFormat(call: Call, typeOf: (expr: Expr) => Type, report: Report): void {
  const { target } = call;
  const [list] = call.args;
  if (target?.kind !== "literal" || typeof target.value !== "string" || list?.kind !== "list") return;
  let wrong = call.id;
  let seen = 0;
  const check = ({ verb, index }: FormatClause): string => {
    seen = index + 1;
    const bad = firstWrong(verb, list.elements[index] as Expr, typeOf);
    if (bad === undefined) return "";
    wrong = bad.id;
    throw wrongArgument(verb, typeOf(bad).name);
  };
  try {
    replaceClauses(target.value, list.elements.length, check);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    report(wrong, error.message);
    return;
  }
  const given = list.elements.length;
  if (given > seen) {
    report(call.id, `too many arguments supplied to string.format (expected ${seen}, got ${given})`);
  }
}

/** Returns the argument, or a part of a literal of a list or map in it, whose type the verb doesn't accept. */
function firstWrong(verb: string, expr: Expr, typeOf: (expr: Expr) => Type): Expr | undefined {
  const { kind } = typeOf(expr);
  if (kind !== "dyn" && !argumentKinds[verb]?.includes(kind)) return expr;
  if (verb !== "s") return undefined;
  const parts = expr.kind === "list" || expr.kind === "map" ? children(expr) : [];
  for (const part of parts) {
    const wrong = firstWrong(verb, part, typeOf);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Compares types; type parameters are the same whatever their names. */
function isEquivalent(a: Type, b: Type): boolean {
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if (a.kind !== "param" && a.name !== b.name) return false;
  return a.params.every((param, index) => isEquivalent(param, b.params[index] as Type));
}

function children(expr: Expr): Expr[] {
  switch (expr.kind) {
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expr.fields.map(({ value }) => value);
    case "comprehension":
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}
