import type { Json, JsonObject } from "@kubewright/cel/json";
import { EvaluationError, type Type } from "@kubewright/cel/language";
import type { AdmissionAttributes } from "../model/admission.ts";
import {
  type GroupVersionKind,
  requestObject,
  type Target,
  type VersionedObjects,
} from "../model/admission-request.ts";

/** The cost that all match conditions of a webhook or policy may have together. */
export const matchConditionsBudget = 2_500_000;
/** The cost that all expressions of a policy may have together. */
export const policyBudget = 10_000_000;

/** The names that an expression may refer to, apart from `object`, `oldObject`, `request` and `namespaceObject`. */
export interface ExpressionEnvironment {
  params: boolean;
  authorizer: boolean;
  /** True for mutations: types of patches, such as `JSONPatch` and `Object`. */
  patchTypes: boolean;
  /** The variables of the policy before this expression, with their types; undefined for webhooks. */
  variables: readonly { name: string; program: Pick<ExpressionProgram, "type"> }[] | undefined;
}

/** The values that an expression refers to. */
export interface ExpressionInput {
  object: JsonObject | null;
  oldObject: JsonObject | null;
  request: JsonObject;
  /** Undefined if the expression can't refer to it. */
  namespaceObject: JsonObject | null | undefined;
  params: JsonObject | null;
  /** The request whose user `authorizer` asks about. */
  attributes: AdmissionAttributes;
  /**
   * Evaluates a variable of the policy when an expression first uses it.
   *
   * @throws EvaluationError with the message of the expression's error
   */
  variable: (name: string) => unknown;
}

/** The result of an expression: a value, or the message of an error. */
export type ExpressionResult = { cost: number } & ({ value: unknown } | { error: string });

/** A compiled expression. */
export interface ExpressionProgram {
  /** Why it can't be compiled, for example `compilation failed: ERROR: …`. */
  readonly problem: string | undefined;
  /** The type of its value, if it is known. */
  readonly type?: Type | undefined;
  /**
   * Evaluates the expression.
   *
   * @returns the value in its form for other expressions, or the message of the error without the expression
   */
  evaluate(input: ExpressionInput): ExpressionResult;
  /** Returns a value in the form of JSON. */
  toJson(value: unknown): Json;
}

/**
 * Compiles an expression of admission.
 *
 * @param expression - the text
 * @param environment - what it may refer to
 * @param resultTypes - the types that its result may have, for example `bool`; empty for any type
 * @returns the program, also if the expression can't be compiled
 */
export type CompileExpression = (
  expression: string,
  environment: ExpressionEnvironment,
  resultTypes: readonly string[],
) => ExpressionProgram;

/** The cost of expressions exceeds what is allowed. */
export class OutOfBudget extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
    this.name = "OutOfBudget";
  }
}

/** One of the expressions of a webhook or policy. */
export interface Expression {
  text: string;
  program: ExpressionProgram;
}

/** Evaluates the expressions of a webhook or policy for one request, within a budget. */
export class Evaluation {
  #budget: number;
  /** The cost of the variables that the present expression was the first to use. */
  #variablesCost = 0;
  readonly input: ExpressionInput;
  readonly #variables = new Map<string, ExpressionResult>();

  /**
   * @param input - the values
   * @param budget - the cost of all expressions together
   * @param variables - the variables of the policy
   */
  constructor(
    input: Omit<ExpressionInput, "variable">,
    budget: number,
    variables: readonly { name: string; program: ExpressionProgram }[] = [],
  ) {
    this.#budget = budget;
    this.input = { ...input, variable: (name) => this.#variable(name, variables) };
  }

  /** The cost that remains. */
  get budget(): number {
    return this.#budget;
  }

  /**
   * Evaluates an expression.
   *
   * @param expression - the expression
   * @returns its value, or the message of its error
   * @throws OutOfBudget if it costs more than what remains
   */
  run({ text, program }: Expression): { value: unknown } | { error: string } {
    if (program.problem !== undefined) return { error: `compilation error: ${program.problem}` };
    const result = program.evaluate(this.input);
    this.#spend(this.#variablesCost);
    this.#variablesCost = 0;
    this.#spend(result.cost);
    return "error" in result ? { error: `expression '${text}' resulted in error: ${result.error}` } : result;
  }

  #spend(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudget();
    this.#budget -= cost;
  }

  #variable(name: string, variables: readonly { name: string; program: ExpressionProgram }[]): unknown {
    let result = this.#variables.get(name);
    if (result === undefined) {
      const variable = variables.find((variable) => variable.name === name);
      if (variable === undefined) throw new EvaluationError(`composited variable "${name}" not found`);
      const { problem } = variable.program;
      if (problem !== undefined)
        throw new EvaluationError(`composited variable "${name}" fails to compile: ${problem}`);
      result = variable.program.evaluate(this.input);
      this.#variables.set(name, result);
      this.#variablesCost += result.cost;
    }
    if ("error" in result)
      throw new EvaluationError(`composited variable "${name}" fails to evaluate: ${result.error}`);
    return result.value;
  }
}

/** Creates the values for the expressions of a webhook or policy. */
export function expressionInput(
  attributes: AdmissionAttributes,
  target: Target,
  kind: GroupVersionKind,
  objects: VersionedObjects,
  params: JsonObject | null,
  namespaceObject: JsonObject | null | undefined,
): Omit<ExpressionInput, "variable"> {
  return {
    object: objects.object ?? null,
    oldObject: objects.oldObject ?? null,
    request: requestObject(attributes, target, kind),
    namespaceObject,
    params,
    attributes,
  };
}

/** A condition that a request must meet for a webhook or policy to apply. */
export interface MatchCondition extends Expression {
  name: string;
}

/**
 * Evaluates match conditions.
 *
 * @param conditions - the conditions
 * @param evaluation - the values, with {@link matchConditionsBudget}
 * @param ignoreFailures - true if conditions that fail exclude the request
 * @returns true if the webhook or policy applies
 * @throws Error with the messages of conditions that fail, if they aren't ignored
 */
export function conditionsMatch(
  conditions: readonly MatchCondition[],
  evaluation: Evaluation,
  ignoreFailures: boolean,
): boolean {
  const problems: string[] = [];
  try {
    const results = conditions.map((condition) => evaluation.run(condition));
    for (const result of results) {
      if ("error" in result) problems.push(result.error);
      else if (result.value === false) return false;
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    problems.splice(0, problems.length, error.message);
  }
  if (problems.length === 0) return true;
  if (ignoreFailures) return false;
  const unique = [...new Set(problems)];
  throw new Error(unique.length === 1 ? unique[0] : `[${unique.join(", ")}]`);
}
