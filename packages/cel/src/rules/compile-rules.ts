import { type CompiledExpression, type CompileFailure, compile } from "../language/compile.ts";
import type { StructDeclaration } from "../language/declarations/environment.ts";
import { optionalType } from "../language/declarations/type.ts";
import type { ValidationRule } from "../schema/schema.ts";
import { type DataType, sizeAt } from "./schema-type.ts";

/** A compiled rule, or why it can't be compiled. */
export interface CompiledRule {
  rule: ValidationRule;
  compiled: CompiledExpression | undefined;
  problem: string | undefined;
  message: CompiledExpression | undefined;
  messageProblem: string | undefined;
  usesOldSelf: boolean;
}

/**
 * Compiles the rule or the message expression of a rule.
 *
 * @param source - the expression
 * @param optionalOldSelf - whether the old value is optional
 * @param type - the type of the node's data
 * @param structs - the types of objects
 * @returns the compiled expression or its problems
 */
export function compileRuleExpression(
  source: string,
  optionalOldSelf: boolean | undefined,
  type: DataType,
  structs: ReadonlyMap<string, StructDeclaration>,
): CompiledExpression | CompileFailure {
  const oldSelf = optionalOldSelf ? optionalType(type.type) : type.type;
  return compile(source, {
    variables: { self: type.type, oldSelf },
    structs,
    sizeOf: (path: readonly string[]) => sizeAt(type, path),
  });
}

/**
 * Compiles the rules of one node of a schema.
 *
 * @param rules - the rules
 * @param type - the type of the node's data
 * @param structs - the types of objects
 * @returns the compiled rules
 */
export function compileRules(
  rules: readonly ValidationRule[],
  type: DataType,
  structs: ReadonlyMap<string, StructDeclaration>,
): CompiledRule[] {
  return rules.map((rule) => {
    const result: CompiledRule = {
      rule,
      compiled: undefined,
      problem: undefined,
      message: undefined,
      messageProblem: undefined,
      usesOldSelf: false,
    };
    if ((rule.rule ?? "").trim() === "") return result;
    const compiled = compileRuleExpression(rule.rule, rule.optionalOldSelf, type, structs);
    if ("problems" in compiled && compiled.type === undefined)
      return { ...result, problem: `compilation failed: ${compiled.problems}` };
    if (compiled.type?.kind !== "bool") return { ...result, problem: "cel expression must evaluate to a bool" };
    if ("problems" in compiled) return { ...result, problem: `program instantiation failed: ${compiled.problems}` };
    result.compiled = compiled;
    result.usesOldSelf = compiled.references.has("oldSelf");
    if (rule.messageExpression) {
      const message = compileRuleExpression(rule.messageExpression, rule.optionalOldSelf, type, structs);
      const failed = (step: string, problems: string) => ({
        ...result,
        messageProblem: `messageExpression ${step} failed: ${problems}`,
      });
      if ("problems" in message && message.type === undefined) return failed("compilation", message.problems);
      if (message.type?.kind !== "string")
        return { ...result, messageProblem: "messageExpression must evaluate to a string" };
      if ("problems" in message) return failed("instantiation", message.problems);
      result.message = message;
    }
    return result;
  });
}
