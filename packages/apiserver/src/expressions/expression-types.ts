// The types of the names that expressions of admission refer to.
import {
  admissionStructs,
  admissionVariables,
  authorizerVariables,
  type Declarations,
  define,
  dynType,
  type Functions,
  parseType,
  type StructDeclaration,
  stringType,
  type Type,
} from "@kubewright/cel/language";
import type { ExpressionEnvironment } from "./expressions.ts";

/** `Object` and the types of its fields, such as `Object.spec`, have all fields. */
const objectFields: StructDeclaration = { fields: { get: () => dynType } };
const patchTypes = new Map([
  ["op", stringType],
  ["path", stringType],
  ["from", stringType],
  ["value", dynType],
]);
/** The type of fields that a patch doesn't have, which no value has. */
const namelessType: Type = { kind: "opaque", name: "", params: [] };
const patchFields: StructDeclaration = { fields: { get: (name) => patchTypes.get(name) ?? namelessType } };

const variablesType = "kubernetes.variables";

/**
 * Declares the types with fields of an environment.
 *
 * @param environment - the environment
 * @returns the declarations
 */
export function structsOf(environment: ExpressionEnvironment): Declarations<StructDeclaration> {
  const variables: StructDeclaration = {
    fields: new Map(environment.variables?.map(({ name, program }) => [name, typeOfVariable(program.type)])),
  };
  return {
    get(name) {
      if (name === variablesType) return variables;
      if (environment.patchTypes && name === "JSONPatch") return patchFields;
      if (environment.patchTypes && /^Object(\.|$)/.test(name)) return objectFields;
      return admissionStructs.get(name);
    },
  };
}

const simple = new Set(["any", "bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "uint"]);

/** Returns the type of a variable for other expressions: types with fields are lost. */
function typeOfVariable(type: Type | undefined): Type {
  if (type === undefined) return dynType;
  if (type.kind === "list" || type.kind === "map") return { ...type, params: type.params.map(typeOfVariable) };
  return simple.has(type.kind) ? type : dynType;
}

/**
 * Declares the variables of an environment.
 *
 * @param environment - the environment
 * @returns their types by name
 */
export function variablesOf(environment: ExpressionEnvironment): Record<string, Type> {
  return {
    ...admissionVariables,
    ...(environment.variables ? { variables: parseType(variablesType) } : {}),
    ...(environment.params ? { params: dynType } : {}),
    ...(environment.authorizer ? authorizerVariables : {}),
  };
}

/** The functions of expressions that create patches. */
export const patchFunctions: Functions = new Map();
define(patchFunctions, "jsonpatch.escapeKey", [
  "string_jsonpatch_escapeKey_string",
  "(string) -> string",
  (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1"),
]);
