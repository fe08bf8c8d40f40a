import {
  admissionStructs,
  admissionVariables,
  authorizerVariables,
  type CompileFailure,
  compile,
  type StructDeclaration,
  type Type,
} from "@kubewright/cel/language";
import { similarHint } from "../../diagnostics/did-you-mean.ts";

/** The expression of a marker, by its argument. */
export type ExpressionName = "rule" | "messageExpression" | "condition";

/** The types that an expression can refer to. */
export interface ObjectTypes {
  /** The type of `object` and `oldObject`; absent for kinds of others. */
  readonly type?: Type;
  readonly structs: ReadonlyMap<string, StructDeclaration>;
}

/** A problem of an expression. */
export interface ExpressionProblem {
  readonly message: string;
  readonly hint?: string;
  /** The offset in the expression, in code points. */
  readonly offset: number;
}

const refused = "the API server refuses a policy with this expression";
const labels = { rule: "rule", messageExpression: "message expression", condition: "condition" } as const;

/**
 * Checks an expression as the API server does and then, for kinds of the project, also the fields that it uses.
 *
 * @returns the problems; none for a valid expression
 */
export function checkExpression(text: string, name: ExpressionName, types: ObjectTypes): ExpressionProblem[] {
  const label = labels[name];
  // Only messages can't check permissions.
  const variables = { ...admissionVariables, ...(name === "messageExpression" ? {} : authorizerVariables) };
  const compiled = compile(text, { variables, structs: admissionStructs });
  if ("problems" in compiled) return problemsOf(compiled, label, refused);
  const [kind, shown] = name === "messageExpression" ? ["string", "a string"] : ["bool", "a Boolean"];
  if (compiled.type.kind !== kind && compiled.type.kind !== "dyn") {
    return [{ message: `the ${label} must return ${shown}`, hint: refused, offset: 0 }];
  }
  // The API server refuses a result without a type, too.
  if (compiled.type.kind === "dyn") {
    const hint =
      name === "messageExpression" ? "convert it with string(…)" : "compare it, as in `object.spec.enabled == true`";
    return [{ message: `the ${label} must return ${shown}, but the type of its result isn't known`, hint, offset: 0 }];
  }
  if (types.type === undefined) return [];
  const typed = compile(text, {
    variables: { ...variables, object: types.type, oldObject: types.type },
    structs: { get: (struct) => types.structs.get(struct) ?? admissionStructs.get(struct) },
  });
  const hint = "the API server doesn't check this, and refuses each request for which it is evaluated";
  return "problems" in typed ? problemsOf(typed, label, hint) : [];
}

function problemsOf({ step, issues, problems }: CompileFailure, label: string, hint: string): ExpressionProblem[] {
  if (issues.length === 0) return [{ message: `the ${label} isn't valid: ${problems}`, hint, offset: 0 }];
  return issues.map(({ message, offset, unknown }) => {
    if (unknown) {
      const { kind, name, candidates } = unknown;
      return {
        message: `the ${label} uses the unknown ${kind} "${name}"`,
        hint: similarHint(name, candidates, hint),
        offset: Math.max(0, offset),
      };
    }
    const what = step === "parse" ? "isn't a valid CEL expression" : "has a type error";
    return { message: `the ${label} ${what}: ${message}`, hint, offset: Math.max(0, offset) };
  });
}
