import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import { checkExpression } from "../../../expressions/compile-expression.ts";
import type { ExpressionEnvironment } from "../../../expressions/expressions.ts";

/** The names that expressions of webhooks may refer to; those of other expressions are fewer or more. */
const base: ExpressionEnvironment = { params: false, authorizer: true, patchTypes: false, variables: undefined };

/**
 * Checks an expression.
 *
 * @param text - the expression
 * @param path - its path
 * @param environment - what it may refer to, as far as it differs from expressions of webhooks
 * @param results - the types that its result may have
 * @param shown - the text in messages
 * @returns the errors
 */
export function expressionErrors(
  text: string,
  path: string,
  environment: Partial<ExpressionEnvironment>,
  results: readonly string[],
  shown: string = text,
): FieldError[] {
  const checked = checkExpression(text, { ...base, ...environment }, results);
  return "problem" in checked ? [problemError(checked, path, shown)] : [];
}

/** The variables of a policy, in the form in which later expressions refer to them. */
export type Variables = NonNullable<ExpressionEnvironment["variables"]>[number][];

/**
 * Checks the expression of a variable, and declares the variable for later expressions.
 *
 * @param name - its name
 * @param text - the expression
 * @param path - the path of the expression
 * @param params - whether it may refer to `params`
 * @param variables - the variables before this one; changed
 * @returns the errors
 */
export function variableErrors(
  name: string,
  text: string,
  path: string,
  params: boolean,
  variables: Variables,
): FieldError[] {
  const checked = checkExpression(text, { ...base, params, variables: [...variables] }, []);
  // A variable whose expression isn't valid has any type.
  variables.push({ name, program: "problem" in checked ? {} : { type: checked.type } });
  return "problem" in checked ? [problemError(checked, path, text)] : [];
}

function problemError(
  { problem, internal }: { problem: string; internal: boolean },
  path: string,
  text: string,
): FieldError {
  return internal ? { type: "InternalError", field: path, detail: problem } : invalidValue(path, text, problem);
}
