import type { ConstValue, Member, Position, RefType, TypeExpr } from "../source/model.ts";
import { memberNamed } from "../source/named.ts";
import { emptyScope, type SchemaBuilder, type Scope } from "./builder.ts";
import type { JSONSchema, JSONValue } from "./model/json-schema.ts";

type Scalar = string | number | boolean | null;
type Values = readonly JSONValue[] | undefined;

/** Returns the values of a type that consists of literals only, in source order; undefined for any other type. */
export function literalValues(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): Values {
  switch (expr.kind) {
    case "literal":
      return [expr.value];
    case "union":
      return unite(
        builder,
        expr.types.map((type) => builder.literals(type, scope)),
      );
    case "ref":
      return ofReference(builder, expr, scope);
    case "typeof":
      return ofView(builder, expr, scope);
    case "keyof":
      return keys(builder, expr.type, scope);
    case "indexed":
      return ofIndexed(builder, expr, scope);
    case "template":
      return ofTemplate(builder, expr, scope);
    default:
      return undefined;
  }
}

/** Returns the schema of a union of literals, as returned by {@link literalValues}. */
export function literalUnion(builder: SchemaBuilder, { at }: TypeExpr, values: readonly JSONValue[]): JSONSchema {
  const types = (values as readonly Scalar[]).map((value) => ({ kind: "literal" as const, value, at }));
  return builder.expression({ kind: "union", types, at }, emptyScope);
}

function unite(builder: SchemaBuilder, parts: readonly Values[]): Values {
  if (parts.some((part) => part === undefined)) return undefined;
  builder.spend(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  return [...new Set(parts.flatMap((part) => part ?? []))];
}

function ofReference(builder: SchemaBuilder, expr: RefType, scope: Scope): Values {
  if (expr.target.kind === "global") return ofUtility(builder, expr, scope);
  const view = builder.unalias(expr, scope);
  const declaration = view.node?.declaration;
  if (view.expr === expr && declaration?.kind === "enum") {
    const values = declaration.members.map((member) => member.value);
    return values.some((value) => value === undefined) ? undefined : (values as JSONValue[]);
  }
  return view.expr === expr ? enumMember(builder, expr) : builder.literals(view.expr, view.scope);
}

/** Returns the value of an enum member used as a type, such as `Color.Red`. */
function enumMember(builder: SchemaBuilder, expr: RefType): Values {
  const dot = expr.target.kind === "parameter" ? -1 : expr.target.name.lastIndexOf(".");
  if (dot < 0 || expr.target.kind === "parameter") return undefined;
  const resolved = builder.sources.resolve({ ...expr.target, name: expr.target.name.slice(0, dot) });
  if (resolved.kind !== "type" || resolved.declaration.kind !== "enum") return undefined;
  const name = expr.target.name.slice(dot + 1);
  const value = memberNamed(resolved.declaration.members, name)?.value;
  return value === undefined ? undefined : [value];
}

const textChanges: Readonly<Record<string, (text: string) => string>> = {
  Uppercase: (text) => text.toUpperCase(),
  Lowercase: (text) => text.toLowerCase(),
  Capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1),
  Uncapitalize: (text) => text.slice(0, 1).toLowerCase() + text.slice(1),
};

function ofUtility(builder: SchemaBuilder, expr: RefType, scope: Scope): Values {
  const [first, second] = expr.args.map((arg) => builder.literals(arg, scope));
  const change = textChanges[expr.text];
  if (!first) return undefined;
  const others = new Set(second);
  if (change) return first.map((value) => change(String(value)));
  if (expr.text === "Exclude" && second) return first.filter((value) => !others.has(value));
  if (expr.text === "Extract" && second) return first.filter((value) => others.has(value));
  if (expr.text === "NonNullable") return first.filter((value) => value !== null);
  return undefined;
}

function ofView(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): Values {
  const view = builder.unalias(expr, scope);
  return view.expr === expr ? undefined : builder.literals(view.expr, view.scope);
}

/** Returns the property names of a type. */
export function keys(builder: SchemaBuilder, expr: TypeExpr, scope: Scope): readonly string[] | undefined {
  const view = builder.unalias(expr, scope);
  const names = (members: readonly Member[]) => members.filter((member) => !member.method).map((member) => member.name);
  if (view.expr.kind === "object" && !view.expr.checked) return names(view.expr.members);
  // The type checker doesn't keep properties in source order.
  const { kind } = view.expr;
  if (
    kind === "other" ||
    kind === "object" ||
    (kind === "mapped" && (view.expr.name || view.expr.type.kind === "other"))
  ) {
    return undefined;
  }
  const declaration = view.node?.declaration;
  // Prefer the declaration if it is sufficient, because its schema may be incomplete.
  if (declaration?.kind === "interface" && declaration.extends.length === 0) return names(declaration.members);
  const schema = builder.resolved(builder.expression(expr, scope));
  // A property is a key of a union if all of its objects have it.
  const propertyNames = schema.oneOf ? [] : Object.keys(schema.properties ?? {});
  return propertyNames.length > 0 ? propertyNames : undefined;
}

function ofIndexed(builder: SchemaBuilder, expr: TypeExpr & { kind: "indexed" }, scope: Scope): Values {
  const parts = elementTypes(builder, expr, scope);
  return (
    parts &&
    unite(
      builder,
      parts.map((part) => builder.literals(part.expr, part.scope)),
    )
  );
}

/** Returns the types that `object[index]` selects, as far as the syntax determines them. */
export function elementTypes(
  builder: SchemaBuilder,
  expr: TypeExpr & { kind: "indexed" },
  scope: Scope,
): { expr: TypeExpr; scope: Scope; optional: boolean }[] | undefined {
  const { expr: object, scope: inner, node } = builder.unalias(expr.object, scope);
  const byNumber = expr.index.kind === "keyword" && expr.index.name === "number";
  if (byNumber && object.kind === "tuple") {
    return object.elements.map((element) => ({ expr: element, scope: inner, optional: false }));
  }
  const position = expr.index.kind === "literal" ? expr.index.value : undefined;
  if (object.kind === "tuple" && typeof position === "number") {
    const element = object.elements[position];
    return element && [{ expr: element, scope: inner, optional: false }];
  }
  if (byNumber && object.kind === "array") return [{ expr: object.element, scope: inner, optional: false }];
  const declaration = node?.declaration;
  const members =
    object.kind === "object"
      ? object.members
      : declaration?.kind === "interface" && declaration.extends.length === 0
        ? declaration.members
        : undefined;
  const names = members && builder.literals(expr.index, scope);
  const types = members && names?.map((name) => memberNamed(members, String(name)));
  if (!types || types.some((member) => !member?.type)) return undefined;
  return types.flatMap((member) =>
    member?.type ? [{ expr: member.type, scope: inner, optional: member.optional }] : [],
  );
}

function ofTemplate(builder: SchemaBuilder, expr: TypeExpr & { kind: "template" }, scope: Scope): Values {
  let results = [expr.texts[0] ?? ""];
  for (const [index, type] of expr.types.entries()) {
    const values = builder.literals(type, scope);
    if (!values) return undefined;
    const text = expr.texts[index + 1] ?? "";
    builder.spend(templateSteps(results, values, text));
    results = results.flatMap((before) => values.map((value) => `${before}${String(value)}${text}`));
  }
  return results;
}

/** Counts the steps for combining all texts and values: one each, and one per 64 characters. */
function templateSteps(texts: readonly string[], values: readonly JSONValue[], rest: string): number {
  const longest = (all: readonly JSONValue[]) =>
    all.reduce<number>((most, each) => Math.max(most, String(each).length), 0);
  return texts.length * values.length * (1 + Math.floor((longest(texts) + longest(values) + rest.length) / 64));
}

/** Returns the type of a constant, as `typeof` does after `as const`. */
export function typeOfConstant(value: ConstValue, at: Position): TypeExpr | undefined {
  switch (value.kind) {
    case "literal":
      return { kind: "literal", value: value.value, at };
    case "array": {
      const elements = value.elements.map((element) => typeOfConstant(element, at));
      if (elements.some((element) => !element)) return undefined;
      return { kind: "tuple", elements: elements as TypeExpr[], at };
    }
    case "object": {
      const members = value.properties.map(({ name, value: inner }) => ({
        name,
        optional: false,
        type: typeOfConstant(inner, at),
        method: false,
        leading: [],
        at,
      }));
      return { kind: "object", members, at };
    }
    default:
      return undefined;
  }
}
