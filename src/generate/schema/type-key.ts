import type { Documented, TypeExpr } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";

/** Returns a key that is equal for equal types, to distinguish instances of generic types. */
export function typeKey(bound: { expr: TypeExpr; scope: Scope } | undefined, builder: SchemaBuilder): string {
  if (!bound) return "?";
  builder.spend();
  const { expr, scope } = bound;
  if (expr.kind === "ref" && expr.target.kind === "parameter") {
    const inner = scope.get(expr.target.name);
    return inner ? typeKey(inner, builder) : expr.text;
  }
  const replaced = (_: string, value: unknown): unknown => {
    if (value === null || typeof value !== "object") return value;
    if ("kind" in value && value.kind === "ref") {
      const ref = value as TypeExpr & { kind: "ref" };
      if (ref.target.kind === "parameter") return typeKey({ expr: ref, scope }, builder);
      const resolved = builder.sources.resolve(ref.target);
      const name =
        resolved.kind === "type" ? `${resolved.file}#${resolved.declaration.name}` : JSON.stringify(resolved);
      return [name, ...ref.args.map((arg) => typeKey({ expr: arg, scope }, builder))];
    }
    if ("at" in value) {
      const { at: _at, leading: _leading, trailing: _trailing, ...rest } = value as TypeExpr & Documented;
      return rest;
    }
    return value;
  };
  // Inline objects are distinguished by position, because their members have comments.
  if (expr.kind === "object" && !expr.checked) return `${expr.at.file}:${expr.at.line}:${expr.at.column}`;
  return JSON.stringify(expr, replaced);
}
