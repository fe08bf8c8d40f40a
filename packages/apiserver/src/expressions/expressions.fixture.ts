import type { Json } from "@kubewright/cel/json";
import type { CompileExpression, ExpressionInput } from "./expressions.ts";

/**
 * Compiles expressions in JavaScript instead of CEL, for tests of the code that uses expressions. An expression that
 * begins with `!compile` can't be compiled, and each evaluation costs as many units as the number in a comment at its
 * end.
 */
export const compileJavaScript: CompileExpression = (text) => {
  const cost = Number(/\/\*(\d+)\*\/$/.exec(text)?.[1] ?? 1);
  return {
    problem: text.startsWith("!compile") ? "compilation failed: ERROR" : undefined,
    evaluate: (input: ExpressionInput) => {
      try {
        const names = ["object", "oldObject", "request", "namespaceObject", "params", "variables"];
        const run = new Function(...names, `return ${text}`);
        const variables = new Proxy({}, { get: (_target, name) => input.variable(String(name)) });
        const { object, oldObject, request, namespaceObject, params } = input;
        return { value: run(object, oldObject, request, namespaceObject, params, variables), cost };
      } catch (error) {
        return { error: (error as Error).message, cost };
      }
    },
    toJson: (value) => value as Json,
  };
};
