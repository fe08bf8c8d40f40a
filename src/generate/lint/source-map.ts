// Maps a path in a finished schema back to the declarations that it comes from. Used only for findings. If the path can't be
// followed completely (mapped types, inference), the result is the nearest declaration above.

import type { Packages } from "../packages/collect.ts";
import type { FieldNode, TypeNode } from "../packages/nodes.ts";
import { bind, emptyScope, runtimeName, type Scope } from "../schema/builder.ts";
import type { Member, RefType, TypeExpr } from "../source/model.ts";
import { memberNamed } from "../source/named.ts";
import type { Sources } from "../source/sources.ts";
import type { Step } from "./model/site.ts";

/** The declarations that a schema comes from. */
export interface SchemaSource {
  /** The property that has the schema; for elements and map values, the nearest property above. */
  readonly field?: FieldNode;
  /** The named types between the property's type and the schema, parent types included. */
  readonly types: readonly TypeNode[];
  /** Whether the schema is that of elements, so that the field's `items:` markers apply. */
  readonly ofItems: boolean;
  /** Whether the whole path was followed. */
  readonly exact: boolean;
  /** Whether the path leads into a type that isn't the user's. */
  readonly foreign: boolean;
  /** The name of the runtime's own type at this path, such as `Duration`. */
  readonly runtimeType?: string;
}

/** The input of {@link findSource}. */
export interface SourceMapInput {
  readonly packages: Packages;
  readonly sources: Sources;
}

interface View {
  readonly expr: TypeExpr;
  readonly scope: Scope;
}

type Shape =
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly values?: TypeExpr; readonly scope: Scope }
  | { readonly kind: "list"; readonly element: View }
  | { readonly kind: "foreign"; readonly runtimeType?: string }
  | { readonly kind: "other" };

/** Bounds the recursion: declarations may be cyclic. Real chains of aliases are much shorter. */
const deepest = 60;

const sameShape = new Set(["Partial", "Required", "Readonly", "NonNullable", "Omit", "Pick"]);

/** Follows a path down from a kind. */
export function findSource(kind: TypeNode, path: readonly Step[], { packages, sources }: SourceMapInput): SchemaSource {
  let types: TypeNode[] = [kind];
  let shapes = declared(kind, emptyScope, types, 0);
  let field: FieldNode | undefined;
  let ofItems = false;
  for (const [index, step] of path.entries()) {
    const view = stepInto(step);
    if (!view) {
      const foreign = shapes.some((shape) => shape.kind === "foreign");
      return {
        ...(field ? { field } : {}),
        types: index === 0 ? [kind] : types,
        ofItems: false,
        exact: false,
        foreign,
      };
    }
    ofItems = step === "items";
    // The array's own types may have `items:` markers, so they are kept.
    if (!ofItems) types = [];
    shapes = expand(view, types, 0);
  }
  const [runtimeType] = shapes.flatMap((shape) => (shape.kind === "foreign" ? (shape.runtimeType ?? []) : []));
  return {
    ...(field ? { field } : {}),
    types,
    ofItems,
    exact: true,
    foreign: false,
    ...(runtimeType ? { runtimeType } : {}),
  };

  function stepInto(step: Step): View | undefined {
    for (const shape of shapes) {
      if (step === "items" && shape.kind === "list") return shape.element;
      if (shape.kind !== "object") continue;
      if (step === "values" && shape.values) return { expr: shape.values, scope: shape.scope };
      if (typeof step !== "object") continue;
      const member = memberNamed(shape.members, step.property);
      const [fieldNode] = member ? packages.fields([member]) : [];
      if (!fieldNode) continue;
      field = fieldNode;
      return { expr: fieldNode.type, scope: shape.scope };
    }
    return undefined;
  }

  function expand({ expr, scope }: View, met: TypeNode[], depth: number): Shape[] {
    if (depth > deepest) return [];
    switch (expr.kind) {
      case "array":
        return [{ kind: "list", element: { expr: expr.element, scope } }];
      case "object":
        return [objectShape(expr.members, expr.index?.value, scope)];
      case "union":
      case "intersection":
        return expr.types.flatMap((type) => expand({ expr: type, scope }, met, depth + 1));
      case "ref":
        return expandName(expr, scope, met, depth);
      default:
        return [{ kind: "other" }];
    }
  }

  function expandName(expr: RefType, scope: Scope, met: TypeNode[], depth: number): Shape[] {
    const resolved = sources.resolve(expr.target);
    const [first, second] = expr.args;
    if (resolved.kind === "parameter") {
      const bound = scope.get(resolved.name);
      return bound ? expand(bound, met, depth + 1) : [];
    }
    if (resolved.kind === "global") {
      if (!first) return [{ kind: "other" }];
      if (resolved.name === "Array" || resolved.name === "ReadonlyArray") {
        return [{ kind: "list", element: { expr: first, scope } }];
      }
      if (resolved.name === "Record" && second) return [objectShape([], second, scope)];
      return sameShape.has(resolved.name) ? expand({ expr: first, scope }, met, depth + 1) : [{ kind: "other" }];
    }
    if (resolved.kind === "module") {
      const runtimeType = runtimeName(expr, sources);
      return [{ kind: "foreign", ...(runtimeType === undefined ? {} : { runtimeType }) }];
    }
    if (resolved.kind !== "type") return [{ kind: "other" }];
    const node = packages.typeNode(resolved.declaration, resolved.file);
    const parameters = node.declaration.kind === "enum" ? [] : node.declaration.parameters;
    return declared(node, bind(parameters, expr.args, scope), met, depth + 1);
  }

  function declared(node: TypeNode, scope: Scope, met: TypeNode[], depth: number): Shape[] {
    if (depth > deepest) return [];
    if (!met.includes(node)) met.push(node);
    const { declaration } = node;
    if (declaration.kind === "enum") return [{ kind: "other" }];
    if (declaration.kind === "alias") return expand({ expr: declaration.type, scope }, met, depth + 1);
    const own = objectShape(declaration.members, declaration.index?.value, scope);
    return [own, ...declaration.extends.flatMap((parent) => expand({ expr: parent, scope }, met, depth + 1))];
  }
}

function objectShape(members: readonly Member[], values: TypeExpr | undefined, scope: Scope): Shape {
  return { kind: "object", members, scope, ...(values ? { values } : {}) };
}
