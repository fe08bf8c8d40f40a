import { check } from "./check/checker.ts";
import { validateLiterals } from "./check/validate-literals.ts";
import type { CostEstimate } from "./cost/estimate.ts";
import { estimateCost } from "./cost/estimate.ts";
import type { SizeOfPath } from "./cost/node.ts";
import type { Declarations, Environment, StructDeclaration } from "./declarations/environment.ts";
import type { Functions } from "./declarations/function.ts";
import { define } from "./declarations/function.ts";
import type { Type } from "./declarations/type.ts";
import { compileProgram, type Program } from "./evaluation/program.ts";
import { defineAuthorization } from "./library/authorization.ts";
import { defineFormats } from "./library/format.ts";
import { defineKubernetes } from "./library/kubernetes.ts";
import { defineLists, defineOptional } from "./library/lists.ts";
import { defineNet } from "./library/net.ts";
import { defineRegex } from "./library/regex.ts";
import { defineStandard } from "./library/standard.ts";
import { defineStrings } from "./library/strings.ts";
import { formatIssues, type Issue } from "./syntax/issues.ts";
import { parse } from "./syntax/parser.ts";
import { EvaluationError } from "./values/evaluation-error.ts";
import { EntryMap, keyOf, type MapValue, type Value } from "./values/value.ts";

/** The limit of the cost of one evaluation. */
export const perCallLimit = 1_000_000;

let base: Functions | undefined;

/** @returns the functions that Kubernetes 1.37 declares in every environment */
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
  /** True if the macro `cel.bind` exists. Default: false. */
  hasBind?: boolean;
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
  /** The step that failed: reading the text, checking names and types, or preparing the evaluation. */
  step: "parse" | "check" | "program";
  /** The problems as messages show them. */
  problems: string;
  /** The problems with their positions; none if the last step failed. */
  issues: readonly Issue[];
  /** The type of an expression that is valid, but has a constant that can't be converted or isn't a pattern. */
  type?: Type;
}

/**
 * Compiles an expression.
 *
 * @param source - the expression
 * @param options - the declarations
 * @returns the compiled expression, or its problems as messages show them
 */
export function compile(source: string, options: CompileOptions): CompiledExpression | CompileFailure {
  const { parsed, issues } = parse(source, { hasBind: options.hasBind ?? false });
  if (issues.length > 0) return { step: "parse", problems: formatIssues(source, issues), issues };
  const functions =
    options.functions === undefined ? kubernetesFunctions() : new Map([...kubernetesFunctions(), ...options.functions]);
  const environment: Environment = {
    variables: new Map(Object.entries(options.variables)),
    functions,
    structs: options.structs ?? new Map(),
  };
  const result = check(parsed, environment);
  const problems = result.issues.length > 0 ? result.issues : validateLiterals(result.checked);
  if (problems.length > 0) return { step: "check", problems: formatIssues(source, problems), issues: problems };
  const type = result.checked.types[parsed.expr.id] as Type;
  try {
    return {
      program: compileProgram(result.checked, environment),
      type,
      references: result.checked.references,
      estimate: estimateCost(result.checked, options.sizeOf ?? (() => undefined)),
    };
  } catch (error) {
    if (error instanceof EvaluationError) return { step: "program", problems: error.message, issues: [], type };
    throw error;
  }
}
