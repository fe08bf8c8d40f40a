import { relative, sep } from "node:path";
import { kindName } from "../packages/kind-name.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { DeclaredType } from "../schema/schemata.ts";
import type { Bindings, TypeExpr } from "../source/model.ts";

/** Returns the name of a type with its type arguments: `Box<Spec>`. */
export function shownName({ node, args }: DeclaredType): string {
  const name = kindName(node);
  return args.length === 0 ? name : `${name}<${args.map(({ expr, scope }) => shownType(expr, scope)).join(", ")}>`;
}

function shownType(expr: TypeExpr, scope: Bindings, depth = 0): string {
  if (depth > 5) return "…";
  const inner = (typeExpr: TypeExpr) => shownType(typeExpr, scope, depth + 1);
  switch (expr.kind) {
    case "keyword":
      return expr.name;
    case "literal":
      return JSON.stringify(expr.value);
    case "array":
      return `${inner(expr.element)}[]`;
    case "union":
      return expr.types.map(inner).join(" | ");
    case "ref": {
      const bound = expr.target.kind === "parameter" ? scope.get(expr.target.name) : undefined;
      if (bound) return shownType(bound.expr, bound.scope, depth + 1);
      return expr.args.length === 0 ? expr.text : `${expr.text}<${expr.args.map(inner).join(", ")}>`;
    }
    default:
      return "{…}";
  }
}

/** Returns the name that configurations use: the directory and the name, such as `api/v1.Game`. */
export function qualifiedName({ file, name }: TypeNode, cwd: string): string {
  const parts = relative(cwd, file).split(sep).slice(0, -1);
  return `${parts.join("/") || "."}.${name}`;
}

/** Returns the npm package that a type comes from; undefined for the project's own types. */
export function npmPackageOf({ file }: TypeNode): string | undefined {
  const parts = file.split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  const [scope = "", name = ""] = parts.slice(at + 1);
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
