import { dirname } from "node:path";
import { byBytes } from "../../text/byte-order.ts";
import type { MarkerValues } from "../markers/index.ts";
import type { FieldNode } from "../packages/nodes.ts";
import type { IndexSignature, Member, Position, TypeExpr } from "../source/model.ts";
import { applyMarkers } from "./apply/apply-markers.ts";
import { runtimeName, type SchemaBuilder, type Scope } from "./builder.ts";
import { unsupportedName } from "./keywords.ts";
import { mapSchema } from "./map.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { typeMetaRef } from "./model/known-types.ts";
import { inheritDescriptions, propertyNames, withoutProperties, withReferences } from "./properties.ts";
import { checkDuplicates, checkRepeated } from "./repeated.ts";

/** The parts of an object schema: from an interface, a class or an inline object. */
export interface ObjectParts {
  readonly members: readonly Member[];
  readonly extends: readonly TypeExpr[];
  readonly index?: IndexSignature;
  /** Members of merged interfaces that are declared again. */
  readonly repeated?: readonly Member[];
  readonly at: Position;
  /** The markers of the type, if it has a name. */
  readonly markers?: MarkerValues;
}

/** Returns the schema of an object: its properties, the required ones, and the types that it extends in `allOf`. */
export function objectSchema(builder: SchemaBuilder, parts: ObjectParts, scope: Scope): JSONSchema {
  if (parts.index) return indexedObject(builder, parts, parts.index, scope);
  const members = parts.members.filter((member) => isWrittenOut(builder, member));
  const fields = builder.packages.fields(members);
  checkDuplicates(builder, fields);
  checkRepeated(builder, fields, parts.repeated ?? [], scope);
  const schema: JSONSchema = { type: "object" };
  const oneOf = oneOfMembers(builder, parts);
  const optionalByDefault = builder.packages.load(dirname(parts.at.file)).optionalByDefault;
  const required = fields.filter((field) => isRequired(builder, field, scope, optionalByDefault, oneOf));
  if (fields.length > 0) {
    schema.properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(builder, field, scope)]));
  }
  if (required.length > 0) schema.required = required.map((field) => field.name).sort(byBytes);
  applyToParent(schema, fields);
  const own = new Set(fields.map((field) => field.name));
  const undocumented = new Set(fields.filter((field) => field.description === "").map((field) => field.name));
  const parents = parts.extends.map((parent) => {
    const whole = builder.expression(parent, scope);
    inheritDescriptions(builder, schema, whole, undocumented);
    return parentSchema(builder, parent, whole, own);
  });
  if (parents.length > 0) schema.allOf = parents;
  checkTyped(builder, members, schema);
  return schema;
}

/** Reports properties without a type, which would be ignored. The type of a class property may come from its parent. */
function checkTyped(builder: SchemaBuilder, members: readonly Member[], schema: JSONSchema): void {
  const untyped = members.filter((member) => !member.type && !member.method);
  if (untyped.length === 0) return;
  const names = propertyNames(builder, schema);
  for (const { name, at } of untyped.filter((member) => !names.has(member.name))) {
    const hint = `add the type after the name, as in \`${name}: string\``;
    builder.error("unsupported-type", at, `the property ${name} has no type`, hint);
  }
}

/** Returns whether a member can be a property; reports members without a name and computed names. */
function isWrittenOut(builder: SchemaBuilder, member: Member): boolean {
  const { name, at } = member;
  if (member.signature) unsupportedName(builder, member, "function");
  else if (member.computed && !member.method) {
    const hint = "use a literal name, quoted if necessary, or remove the property";
    builder.error("unsupported-type", at, `the computed name ${name} isn't supported`, hint);
  } else return true;
  return false;
}

function indexedObject(builder: SchemaBuilder, parts: ObjectParts, index: IndexSignature, scope: Scope): JSONSchema {
  if (parts.members.some((member) => !member.method) || parts.extends.length > 0) {
    builder.error(
      "unsupported-type",
      parts.at,
      "an index signature together with properties has no structural schema",
      "move the map to a separate property",
    );
  }
  return mapSchema(builder, index.key, index.value, scope);
}

/** Returns the schema of a field: that of its type, with its description and markers. */
function fieldSchema(builder: SchemaBuilder, field: FieldNode, scope: Scope): JSONSchema {
  const schemaless = field.markers.all.some(({ definition }) => definition.isSchemaless);
  // Copied, because markers modify it and it may be shared.
  const schema: JSONSchema = schemaless ? {} : { ...builder.expression(field.type, scope) };
  if (field.description === "") delete schema.description;
  else schema.description = field.description;
  const refersToObject = schema.$ref !== undefined && builder.unflattened(schema.$ref)?.type === "object";
  applyMarkers(schema, field.markers.all, { target: "field", refersToObject }, builder.report);
  return schema;
}

/** Returns a parent's schema without properties that the child declares again. */
function parentSchema(
  builder: SchemaBuilder,
  parent: TypeExpr,
  schema: JSONSchema,
  own: ReadonlySet<string>,
): JSONSchema {
  if (parent.kind === "ref" && own.has("metadata") && runtimeName(parent, builder.sources) === "KubernetesObject") {
    return { $ref: typeMetaRef };
  }
  const again = [...propertyNames(builder, schema)].filter((name) => own.has(name));
  return again.length === 0
    ? schema
    : withoutProperties(withReferences(builder, builder.resolved(schema), schema), again);
}

/** Returns whether a type includes undefined: `type Maybe<T> = T | undefined` makes a property optional like `?`. */
function acceptsUndefined(builder: SchemaBuilder, type: TypeExpr, scope: Scope, depth = 0): boolean {
  if (type.kind === "keyword") return type.name === "undefined";
  if (type.kind === "union")
    return type.types.some((typeExpr) => acceptsUndefined(builder, typeExpr, scope, depth + 1));
  if (type.kind !== "ref" || depth > 20) return false;
  // TypeScript's own types are skipped: none of them includes undefined, and resolving them is slow.
  if (type.target.kind === "global") return false;
  const view = builder.unalias(type, scope);
  return view.expr !== type && acceptsUndefined(builder, view.expr, view.scope, depth + 1);
}

/** Returns whether a field is required, with controller-gen's order of precedence. */
function isRequired(
  builder: SchemaBuilder,
  field: FieldNode,
  scope: Scope,
  optionalByDefault: boolean,
  oneOf: ReadonlySet<string>,
): boolean {
  const demands = field.markers.all.flatMap(({ definition }) => (definition.requires === undefined ? [] : definition));
  const deprecated = demands.filter((definition) => definition.deprecated);
  const decisive = deprecated.length > 0 ? deprecated : demands;
  const marked = decisive.length > 0;
  const required = marked
    ? decisive.every(({ requires }) => requires)
    : !field.optional && !optionalByDefault && !acceptsUndefined(builder, field.type, scope);
  if (!required || !oneOf.has(field.name)) return required;
  const problem = marked ? "cannot be marked as required" : "must be optional";
  builder.error(
    "one-of-required",
    field.at,
    `field ${field.name} is part of OneOf constraint and ${problem}`,
    marked ? undefined : `write \`${field.name}?\``,
  );
  return false;
}

/** Applies the effects of the fields' markers on the object. */
function applyToParent(schema: JSONSchema, fields: readonly FieldNode[]): void {
  for (const { name, markers } of fields) {
    for (const definition of new Set(markers.all.map((marker) => marker.definition))) definition.parent?.(schema, name);
  }
}

function oneOfMembers(builder: SchemaBuilder, { markers }: ObjectParts): ReadonlySet<string> {
  const members = new Set<string>();
  for (const { name, definition, value, line } of markers?.all ?? []) {
    if (!definition.isOneOf || !Array.isArray(value)) continue;
    const fields = value.map(String);
    const nested = fields.filter((field) => field.includes("."));
    if (nested.length > 0) {
      const message = `${name.replace(/^.*:/, "")}: cannot reference nested fields: ${nested.join(",")}`;
      builder.error("marker-not-applicable", line, message, "use fields of the type itself");
    }
    for (const field of fields) members.add(field);
  }
  return members;
}
