import type { Expr } from "./ast.ts";
import { type CheckedExpression, check } from "./checker.ts";
import type { CostEstimate } from "./cost/estimate.ts";
import { estimateCost } from "./cost/estimate.ts";
import type { SizeOfPath } from "./cost/node.ts";
import type { Declarations, Environment, StructDeclaration } from "./environment.ts";
import { EvaluationError } from "./evaluation-error.ts";
import type { Functions } from "./function.ts";
import { define } from "./function.ts";
import { formatIssues, type Issue } from "./issues.ts";
import { defineAuthorization } from "./library/authorization.ts";
import { defineFormats } from "./library/format.ts";
import { defineKubernetes } from "./library/kubernetes.ts";
import { defineLists, defineOptional } from "./library/lists.ts";
import { defineNet } from "./library/net.ts";
import { defineRegex, patternProblem } from "./library/regex.ts";
import { defineStandard } from "./library/standard.ts";
import { defineStrings } from "./library/strings.ts";
import { parse } from "./parser.ts";
import { compileProgram, type Evaluation, type Program } from "./program.ts";
import type { Activation } from "./step.ts";
import { parseDuration, parseTime } from "./time.ts";
import { formatType, listType, type Type } from "./type.ts";
import { EntryMap, keyOf, type MapValue, type Value } from "./value.ts";

/** The limit of the cost of one evaluation. */
export const perCallLimit = 1_000_000;

let base: Functions | undefined;

/** @returns the functions that Kubernetes 1.36 declares in every environment */
export function kubernetesFunctions(): Functions {
  if (base !== undefined) return base;
  base = new Map();
  defineStandard(base);
  defineOptional(base);
  defineLists(base);
  defineStrings(base);
  defineRegex(base);
  defineNet(base);
  defineKubernetes(base);
  defineFormats(base);
  defineAuthorization(base);
  defineMapInsert(base);
  return base;
}

function defineMapInsert(functions: Functions): void {
  const insert = (map: MapValue, key: Value, value: Value) => {
    if (map.get(key) !== undefined) throw new EvaluationError(`insert failed: key ${String(key)} already exists`);
    if (map instanceof EntryMap) return map.with(key, value);
    const entries = [...map.keys()].map((item): [string, [Value, Value]] => [
      keyOf(item) as string,
      [item, map.get(item) as Value],
    ]);
    return new EntryMap(new Map([...entries, [keyOf(key) as string, [key, value]]]));
  };
  const merge = (map: MapValue, update: MapValue) =>
    [...update.keys()].reduce((merged: MapValue, key) => insert(merged, key, update.get(key) as Value), map);
  define(
    functions,
    "cel.@mapInsert",
    ["@mapInsert_map_key_value", "(map(K, V), K, V) -> map(K, V)", insert],
    ["@mapInsert_map_map", "(map(K, V), map(K, V)) -> map(K, V)", merge],
  );
}

/** The names that an expression may refer to, and how the sizes of its variables are bounded. */
export interface CompileOptions {
  /** The types of variables. */
  variables: Readonly<Record<string, Type>>;
  /** Types with fields, by name. */
  structs?: Declarations<StructDeclaration>;
  /** Functions in addition to those of Kubernetes. */
  functions?: Functions;
  /** Returns the largest size of the value at a path that begins with a variable. */
  sizeOf?: SizeOfPath;
}

/** A compiled expression with the results of the checker. */
export interface CompiledExpression {
  program: Program;
  type: Type;
  /** The names of the variables that the expression reads. */
  references: ReadonlySet<string>;
  estimate: CostEstimate;
}

/** Why an expression can't be compiled. */
export interface CompileFailure {
  /** The problems as messages show them. */
  problems: string;
  /** True if the expression is valid, but a conversion of a constant fails. */
  instantiation?: boolean;
}

/**
 * Compiles an expression.
 *
 * @param source - the expression
 * @param options - the declarations
 * @returns the compiled expression, or its problems as messages show them
 */
export function compile(source: string, options: CompileOptions): CompiledExpression | CompileFailure {
  const { parsed, issues } = parse(source);
  if (issues.length > 0) return { problems: formatIssues(source, issues) };
  const functions =
    options.functions === undefined ? kubernetesFunctions() : new Map([...kubernetesFunctions(), ...options.functions]);
  const environment: Environment = {
    variables: new Map(Object.entries(options.variables)),
    functions,
    structs: options.structs ?? new Map(),
  };
  const result = check(parsed, environment);
  const problems = result.issues.length > 0 ? result.issues : validateLiterals(result.checked);
  if (problems.length > 0) return { problems: formatIssues(source, problems) };
  const pattern = constantPatternProblem(result.checked.expr);
  if (pattern !== undefined) return { problems: pattern, instantiation: true };
  try {
    return {
      program: compileProgram(result.checked, environment),
      type: result.checked.types[parsed.expr.id] as Type,
      references: result.checked.references,
      estimate: estimateCost(result.checked, options.sizeOf ?? (() => undefined)),
    };
  } catch (error) {
    if (error instanceof EvaluationError) return { problems: error.message, instantiation: true };
    throw error;
  }
}

/** The problem of a constant pattern in `matches(text, pattern)`, which is found when the program is built. */
function constantPatternProblem(expr: Expr): string | undefined {
  const pattern = expr.kind === "call" && expr.fn === "matches" && expr.target === undefined ? expr.args[1] : undefined;
  const problem = pattern?.kind === "literal" ? patternProblem(String(pattern.value)) : undefined;
  if (problem !== undefined) return problem;
  for (const child of children(expr)) {
    const found = constantPatternProblem(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks constant arguments of conversions and patterns, and that literals of lists and maps have one type. */
function validateLiterals(checked: CheckedExpression): Issue[] {
  const issues: Issue[] = [];
  const report = (id: number, message: string) => issues.push({ offset: checked.positions[id] as number, message });
  const visit = (expr: Expr, mixed: boolean): void => {
    if (expr.kind === "call") {
      const arg = expr.args[0];
      const text = arg?.kind === "literal" && typeof arg.value === "string" ? arg.value : undefined;
      if (arg !== undefined && text !== undefined) {
        if (expr.fn === "duration" && parseDuration(text) === undefined) report(arg.id, "invalid duration argument");
        if (expr.fn === "timestamp" && parseTime(text) === undefined) report(arg.id, "invalid timestamp argument");
      }
      // The first argument of the function `matches(text, pattern)` is checked too, although it isn't the pattern.
      if (expr.fn === "matches" && arg?.kind === "literal" && patternProblem(String(arg.value)) !== undefined) {
        report(arg.id, "invalid matches argument");
      }
    }
    if (expr.kind === "list" && !mixed) homogeneous(expr.elements);
    if (expr.kind === "map" && !mixed) {
      homogeneous(expr.entries.map(({ key }) => key));
      homogeneous(expr.entries.map(({ value }) => value));
    }
    const inFormat = mixed || (expr.kind === "call" && expr.fn === "format");
    for (const child of children(expr)) visit(child, inFormat);
  };
  const homogeneous = (elements: readonly Expr[]): void => {
    const [first, ...rest] = elements;
    const expected = first === undefined ? undefined : checked.types[first.id];
    for (const element of rest) {
      const actual = checked.types[element.id];
      if (expected === undefined || actual === undefined) continue;
      if (formatType(listType(expected)) !== formatType(listType(actual)) && actual.kind !== expected.kind) {
        report(element.id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
      }
    }
  };
  visit(checked.expr, false);
  return issues;
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

export type { Activation, Evaluation, Program };
