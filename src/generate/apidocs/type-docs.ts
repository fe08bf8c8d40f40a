import type { TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import {
  kubernetesObjectRef,
  kubernetesObjectSchema,
  objectMetaRef,
  typeMetaRef,
} from "../schema/model/known-types.ts";
import type { DeclaredType, Schemata } from "../schema/schemata.ts";
import type { TypeExpr } from "../source/model.ts";
import { parseComment } from "./doc-comment.ts";
import { elementOf, type FieldNodes, fieldNodesOf, isNothing } from "./field-nodes.ts";
import type { FieldDocs, KindFacts, TextPart, TypeDocs, ValueDocs } from "./model.ts";
import { isInternal, tagText } from "./tags.ts";
import { shownName } from "./type-names.ts";
import { compactJson, plainValue, validationOf } from "./validation.ts";
import { type ValueDescriptions, valueDescriptions } from "./values.ts";

/** The names and links of types, from the section of another type. */
export interface TypeLinks {
  /** Returns the name of a type, with a link if it is documented. */
  linkTo(ref: string): TextPart;
  /** Returns whether a type is omitted, with the fields that have it. */
  omits(ref: string): boolean;
  /** Returns whether a field of a type is omitted. */
  omitsField(type: TypeNode, field: string): boolean;
}

/** The type of a section. */
export interface SectionInput {
  readonly key: string;
  readonly type: DeclaredType;
  /** The schema of the type, with references. */
  readonly schema: JSONSchema;
  /** Set for kinds. */
  readonly facts: KindFacts | undefined;
  readonly apiVersion: string;
}

/** The parts of a run that the sections share. */
export interface TypeDocsContext extends Pick<Run, "packages" | "sources"> {
  readonly schemata: Schemata;
  readonly links: TypeLinks;
}

/** Maximum nesting of inline objects. */
const deepest = 20;

/** Describes a type. */
export function typeDocs({ key, type, schema, facts, apiVersion }: SectionInput, context: TypeDocsContext): TypeDocs {
  const { node } = type;
  const { declaration } = node;
  const expr = declaration.kind === "alias" ? declaration.type : undefined;
  const union = facts === undefined ? unionOf(expr, context) : undefined;
  const isAlias = facts === undefined && (schema.$ref !== undefined || !isObject(schema));
  const properties = isAlias || union?.isNamed ? [] : propertiesOf(schema, facts !== undefined, context);
  const owner = { node, nodes: fieldNodesOf(declaration, context) };
  const deprecated = tagText(declaration.leading, "deprecated");
  const meta = properties.find(({ name }) => name === "metadata");
  const rows = facts === undefined ? properties : properties.filter(({ name }) => name !== "metadata");
  return {
    key,
    name: shownName(type),
    description: parseComment(node.description),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(facts === undefined ? {} : { kind: facts }),
    ...(isAlias ? { underlying: typeText(schema, expr, context) } : {}),
    members: union?.texts ?? [],
    validation: validationOf(union ? withoutChoices(schema) : schema),
    fields: [
      ...(facts === undefined ? [] : kindFields(apiVersion, facts.name, meta, context)),
      ...rows.flatMap((property) => fieldDocs(property, "", owner, context, 0)),
    ],
    values: valuesOf(schema, valueDescriptions(declaration, context.sources)),
  };
}

/** Returns whether a schema has properties of its own; a map and a list of objects have none. */
function isObject({ type, properties, allOf, additionalProperties }: JSONSchema): boolean {
  if (properties !== undefined || allOf !== undefined) return true;
  return type === "object" && additionalProperties === undefined;
}

/** A property of an object. */
interface Property {
  readonly name: string;
  readonly schema: JSONSchema;
  readonly isRequired: boolean;
}

/** Returns the properties of an object: first those of the types that it extends. */
function propertiesOf(schema: JSONSchema, isKind: boolean, context: TypeDocsContext): Property[] {
  const byName = new Map<string, Property>();
  const add = (property: Property) => {
    const before = byName.get(property.name);
    byName.set(property.name, before ? { ...before, isRequired: before.isRequired || property.isRequired } : property);
  };
  const { $ref, allOf = [], properties = {}, required = [] } = schema;
  for (const part of $ref === undefined ? allOf : [{ $ref }, ...allOf]) {
    const inherited = part.$ref === undefined ? part : inheritedSchema(part.$ref, isKind, context);
    if (inherited) for (const property of propertiesOf(inherited, isKind, context)) add(property);
  }
  for (const [name, property] of Object.entries(properties)) {
    add({ name, schema: property, isRequired: required.includes(name) });
  }
  // A type can require the properties of the types that it extends.
  return [...byName.values()].map((property) =>
    required.includes(property.name) ? { ...property, isRequired: true } : property,
  );
}

/** Returns the schema of a type that another one extends. A kind shows the properties of all kinds separately. */
function inheritedSchema(ref: string, isKind: boolean, { schemata, links }: TypeDocsContext): JSONSchema | undefined {
  if (ref === kubernetesObjectRef) return isKind ? undefined : kubernetesObjectSchema;
  if ((isKind && ref === typeMetaRef) || links.omits(ref)) return undefined;
  return schemata.definition(ref);
}

function kindFields(
  apiVersion: string,
  kind: string,
  metadata: Property | undefined,
  { links }: TypeDocsContext,
): FieldDocs[] {
  const row = (name: string, type: TextPart, text: FieldDocs["description"], isRequired = false): FieldDocs => ({
    name,
    type: [type],
    description: text,
    validation: isRequired ? [{ label: "Required" }] : [],
    values: [],
  });
  const constant = (text: string): FieldDocs["description"] => [{ kind: "paragraph", parts: [{ kind: "code", text }] }];
  const own = parseComment(metadata?.schema.description ?? "");
  const refer = parseComment("See the Kubernetes API reference for the fields of `metadata`.");
  return [
    row("apiVersion", "string", constant(apiVersion)),
    row("kind", "string", constant(kind)),
    row("metadata", links.linkTo(objectMetaRef), [...own, ...refer], metadata?.isRequired),
  ];
}

/** The type that fields belong to, for their names in the configuration, and their declarations. */
interface Owner {
  readonly node: TypeNode;
  readonly nodes: FieldNodes;
}

/** Describes a field, and the fields of its inline objects. */
function fieldDocs(
  { name, schema, isRequired }: Property,
  prefix: string,
  owner: Owner,
  context: TypeDocsContext,
  depth: number,
): FieldDocs[] {
  const { schemata, links, sources } = context;
  const node = owner.nodes.get(name);
  if ((node && isInternal(node.member)) || links.omitsField(owner.node, `${prefix}${name}`)) return [];
  if (referencesOf(schema).some((ref) => links.omits(ref))) return [];
  const union = unionOf(node?.type, context);
  const deprecated = node && tagText(node.member.leading, "deprecated");
  const shape = union ? withoutChoices(schema) : schema;
  const documented: FieldDocs = {
    name: `${prefix}${name}`,
    type: union?.isNamed ? joined(union.texts, " | ") : typeText(schema, node?.type, context),
    description: parseComment(schema.description ?? ""),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(schema.default === undefined ? {} : { default: compactJson(schema.default) }),
    ...(schema.example === undefined ? {} : { example: compactJson(schema.example) }),
    validation: validationOf(withScalarRules(shape, schemata), isRequired),
    values: schema.$ref === undefined && node ? inlineValues(schema, valueDescriptions(node.type, sources)) : [],
  };
  if (union?.isNamed || depth >= deepest) return [documented];
  const inline = inlineObject(schema, node?.type);
  if (!inline) return [documented];
  const nodes = fieldNodesOf(inline.expr, context);
  const inner = propertiesOf(inline.schema, false, context).flatMap((property) =>
    fieldDocs(property, `${prefix}${name}${inline.suffix}.`, { ...owner, nodes }, context, depth + 1),
  );
  return [documented, ...inner];
}

/** Returns the object without a name in a schema, which may be in lists and maps. */
function inlineObject(
  schema: JSONSchema,
  expr: TypeExpr | undefined,
): { readonly schema: JSONSchema; readonly expr: TypeExpr | undefined; readonly suffix: string } | undefined {
  let [current, type, suffix] = [schema, expr, ""];
  for (;;) {
    if (current.$ref !== undefined) return undefined;
    const { items, additionalProperties } = current;
    if (items !== undefined) [current, suffix] = [items, `${suffix}[]`];
    else if (typeof additionalProperties === "object") [current, suffix] = [additionalProperties, `${suffix}.*`];
    else break;
    type = elementOf(type);
  }
  const isNamed = current.properties === undefined && namedParts(current) !== undefined;
  const hasProperties = current.properties !== undefined || (current.allOf?.length ?? 0) > 0;
  return hasProperties && !isNamed ? { schema: current, expr: type, suffix } : undefined;
}

/** Returns the references of an intersection of named types. */
function namedParts({ allOf = [] }: JSONSchema): string[] | undefined {
  const refs = allOf.map(({ $ref, ...rest }) => (Object.keys(rest).length === 0 ? $ref : undefined));
  return refs.length > 0 && refs.every((ref) => ref !== undefined) ? (refs as string[]) : undefined;
}

/** Returns the types that a field refers to by name. */
function referencesOf(schema: JSONSchema): string[] {
  const { $ref, items, additionalProperties } = schema;
  if ($ref !== undefined) return [$ref];
  if (items) return referencesOf(items);
  return typeof additionalProperties === "object" ? referencesOf(additionalProperties) : [];
}

/** Returns the name of a type, with links. */
function typeText(schema: JSONSchema, expr: TypeExpr | undefined, context: TypeDocsContext): TextPart[] {
  const { $ref, items, additionalProperties, type } = schema;
  if ($ref !== undefined) return [context.links.linkTo($ref)];
  if (items !== undefined) return [...elementText(items, expr, context), " array"];
  if (typeof additionalProperties === "object") {
    return ["object (keys:string, values:", ...elementText(additionalProperties, expr, context), ")"];
  }
  const parts = schema.properties === undefined ? namedParts(schema) : undefined;
  if (parts)
    return joined(
      parts.map((ref) => [context.links.linkTo(ref)]),
      " & ",
    );
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer or string"];
  return [type ?? "any value"];
}

function elementText(schema: JSONSchema, expr: TypeExpr | undefined, context: TypeDocsContext): TextPart[] {
  const element = elementOf(expr);
  const union = unionOf(element, context);
  return union?.isNamed ? ["(", ...joined(union.texts, " | "), ")"] : typeText(schema, element, context);
}

function joined(texts: readonly (readonly TextPart[])[], separator: string): TextPart[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [separator, ...text]));
}

/** A union of objects. */
interface Union {
  readonly texts: readonly (readonly TextPart[])[];
  /** Whether all members have sections of their own. */
  readonly isNamed: boolean;
}

/** Returns the members of a union of objects; undefined for any other type. */
function unionOf(expr: TypeExpr | undefined, context: TypeDocsContext): Union | undefined {
  if (expr?.kind !== "union") return undefined;
  const types = expr.types.filter((type) => !isNothing(type));
  if (types.length < 2) return undefined;
  const members = types.map((type) => unionMember(type, context));
  if (members.includes(undefined)) return undefined;
  const texts = members.filter((member) => member !== undefined);
  return { texts, isNamed: texts.every(([part]) => typeof part === "object") };
}

function unionMember(type: TypeExpr, { packages, sources, schemata, links }: TypeDocsContext): TextPart[] | undefined {
  if (type.kind === "object") {
    const names = type.members.map(({ name, optional }) => `${name}${optional ? "?" : ""}`);
    return [`object with ${names.join(", ")}`];
  }
  if (type.kind !== "ref") return undefined;
  const resolved = sources.resolve(type.target);
  if (resolved.kind !== "type") return undefined;
  const ref = schemata.referenceTo(packages.typeNode(resolved.declaration, resolved.file));
  const schema = schemata.definition(ref);
  // An instance of a generic type has another reference.
  if (schema === undefined) return type.args.length > 0 ? [type.text] : undefined;
  if (schema.enum !== undefined || (schema.type !== "object" && schema.$ref === undefined)) return undefined;
  return links.omits(ref) ? [type.text] : [links.linkTo(ref)];
}

/** Removes the conditions that distinguish the members of a union, because the members are listed. */
function withoutChoices({ oneOf: _oneOf, anyOf: _anyOf, ...schema }: JSONSchema): JSONSchema {
  return schema;
}

/** Adds the rules of a named scalar to those of a field, so that a reader finds all of them in the table. */
function withScalarRules(schema: JSONSchema, schemata: Schemata): JSONSchema {
  let result = schema;
  for (let [ref, depth] = [schema.$ref, 0]; ref !== undefined && depth < deepest; depth++) {
    const target = schemata.declared(ref) && schemata.definition(ref);
    if (!target || target.type === "object" || target.type === "array" || target.type === undefined) break;
    const rules = [...(result["x-kubernetes-validations"] ?? []), ...(target["x-kubernetes-validations"] ?? [])];
    result = { ...target, ...result, ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}) };
    ref = target.$ref;
  }
  return result;
}

/** Returns the values of an enum. */
function valuesOf(schema: JSONSchema, descriptions: ValueDescriptions): ValueDocs[] {
  return (schema.enum ?? []).map((value) => {
    const text = plainValue(value);
    return { value: text, description: parseComment(descriptions.get(text) ?? "") };
  });
}

/** Returns the values of an enum without a name, if one of them has a description. */
function inlineValues(schema: JSONSchema, descriptions: ValueDescriptions): ValueDocs[] {
  return descriptions.size === 0 ? [] : valuesOf(schema, descriptions);
}
