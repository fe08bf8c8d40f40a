export { type CompiledExpression, type CompileFailure, compile, perCallLimit } from "./compile.ts";
export type { Declarations, StructDeclaration } from "./declarations/environment.ts";
export { define, type Functions, parseType } from "./declarations/function.ts";
export {
  boolType,
  doubleType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  type Type,
} from "./declarations/type.ts";
export type { Program } from "./evaluation/program.ts";
export { admissionStructs, admissionVariables, authorizerVariables } from "./library/admission.ts";
export { type Authorize, type AuthorizerValues, authorizerValues } from "./library/authorization.ts";
export type { Expr } from "./syntax/ast.ts";
export { parseBareExpression } from "./syntax/bare-expression.ts";
export type { Issue, UnknownName } from "./syntax/issues.ts";
export { toText } from "./values/conversion.ts";
export { EvaluationError } from "./values/evaluation-error.ts";
export { LimitedMap } from "./values/limited-map.ts";
export { StructValue } from "./values/struct-value.ts";
export { Duration, fromJson, ListValue, MapValue, Timestamp, Uint, type Value } from "./values/value.ts";
