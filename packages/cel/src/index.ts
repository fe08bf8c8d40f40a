/**
 * CEL and structural schemas of Kubernetes: validates objects by their CustomResourceDefinitions, and evaluates expressions. It runs
 * in Node.js and in browsers.
 *
 * @packageDocumentation
 */

export { InvalidDefinitionError } from "./crd/invalid-definition-error.ts";
export {
  createValidator,
  type ValidationError,
  type ValidationResult,
  type Validator,
  type ValidatorOptions,
} from "./crd/validator.ts";
export {
  compileExpression,
  type Expression,
  type ExpressionOptions,
  type ExpressionResult,
} from "./expression/expression.ts";
export { ExpressionError } from "./expression/expression-error.ts";
export type { Json, JsonObject } from "./json/json.ts";
export type { FieldErrorType } from "./validation/field-error.ts";
