import { isDeepStrictEqual } from "node:util";
import type { TypeExpr } from "../source/model.ts";
import { emptyScope, type SchemaBuilder, type Scope } from "./builder.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/** Returns the type checker's result for an expression, if it differs. */
export function checkedType(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): TypeExpr | undefined {
  const type = builder.sources.check(expr, scope);
  return "expr" in type && !sameType(type.expr, expr) ? type.expr : undefined;
}

/** Returns the schema of the type checker's result for an expression that syntax can't resolve. */
export function checkedSchema(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): JSONSchema {
  const type = builder.sources.check(expr, scope);
  if ("expr" in type && !sameType(type.expr, expr)) return builder.expression(type.expr, emptyScope);
  const reason = "problem" in type ? `: ${type.problem}` : "";
  const message = `cannot resolve the type ${shown(expr)}${reason}`;
  builder.error("unsupported-type", expr.at, message, "write the resulting type instead");
  return {};
}

function sameType(a: TypeExpr, b: TypeExpr): boolean {
  return isDeepStrictEqual(a, b);
}

/** Shortens an expression for messages. */
function shown(expr: TypeExpr): string {
  const text = "text" in expr ? expr.text : expr.kind;
  const short = text.replace(/\s+/g, " ");
  const cut = short.length > 60 ? `${short.slice(0, 57)}...` : short;
  return expr.kind === "ref" && expr.args.length > 0 && !cut.includes("<") ? `${cut}<…>` : cut;
}
