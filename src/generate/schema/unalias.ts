import type { TypeNode } from "../packages/nodes.ts";
import type { TypeDeclaration, TypeExpr } from "../source/model.ts";
import { bind, emptyScope, type SchemaBuilder, type Scope } from "./builder.ts";
import { isKnownUnsupported } from "./keywords.ts";
import { typeOfConstant } from "./literals.ts";
import { isUtility } from "./utility.ts";

/** A type expression in its scope; `node` is the interface, class or enum that it refers to. */
export interface View {
  readonly expr: TypeExpr;
  readonly scope: Scope;
  readonly node?: TypeNode;
}

function checkedView(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): View | undefined {
  const checked = builder.checked(expr, scope);
  return checked && { expr: checked, scope: emptyScope };
}

const deepest = 100;

/** Caches the results for names without parameters: otherwise each use would follow the whole chain. */
const ends = new WeakMap<SchemaBuilder, Map<TypeDeclaration, View>>();

/** Follows aliases, type parameters and `typeof`. */
export function unalias(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): View {
  const views = ends.get(builder) ?? new Map<TypeDeclaration, View>();
  ends.set(builder, views);
  const passed: TypeDeclaration[] = [];
  let view: View = { expr, scope };
  for (let depth = 0; depth < deepest; depth++) {
    const alias = aliasOf(builder, view.expr);
    const end = alias && views.get(alias);
    if (end) {
      view = end;
      break;
    }
    if (alias) passed.push(alias);
    const next = follow(builder, view);
    if (!next) break;
    view = next;
    if (view.node) break;
  }
  // A name that refers to itself has no result.
  if (new Set(passed).size === passed.length) for (const alias of passed) views.set(alias, view);
  return view;
}

/** Returns the declaration of a name whose meaning doesn't depend on its scope. */
function aliasOf({ sources }: SchemaBuilder, expr: TypeExpr): TypeDeclaration | undefined {
  if (expr.kind !== "ref" || expr.target.kind === "parameter" || expr.target.kind === "global") return undefined;
  const resolved = sources.resolve(expr.target);
  if (resolved.kind !== "type" || resolved.declaration.kind !== "alias") return undefined;
  return resolved.declaration.parameters.length === 0 ? resolved.declaration : undefined;
}

function follow(builder: SchemaBuilder, { expr, scope }: View): View | undefined {
  if (expr.kind === "typeof") {
    const resolved = builder.sources.resolve(expr.target, "value");
    const type = resolved.kind === "value" ? typeOfConstant(resolved.declaration.value, expr.at) : undefined;
    return type ? { expr: type, scope } : checkedView(builder, expr, scope);
  }
  if (expr.kind === "other" && expr.syntax === "conditional") {
    return checkedView(builder, expr, scope);
  }
  if (expr.kind !== "ref") return undefined;
  if (expr.target.kind === "parameter") return scope.get(expr.target.name);
  if (expr.target.kind === "global") {
    if (expr.text === "Readonly" && expr.args[0]) return { expr: expr.args[0], scope };
    return isUtility(expr.text) || isKnownUnsupported(expr.text) ? undefined : checkedView(builder, expr, scope);
  }
  const resolved = builder.sources.resolve(expr.target);
  if (resolved.kind !== "type") return undefined;
  const { declaration, file } = resolved;
  if (declaration.kind === "alias") {
    return { expr: declaration.type, scope: bind(declaration.parameters, expr.args, scope) };
  }
  const node = builder.packages.typeNode(declaration, file);
  return { expr, scope: declaration.kind === "enum" ? scope : bind(declaration.parameters, expr.args, scope), node };
}
