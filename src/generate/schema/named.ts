import { dirname } from "node:path";
import type { RefType, TypeDeclaration } from "../source/model.ts";
import { emptyScope, runtimeName, type SchemaBuilder, type Scope } from "./builder.ts";
import { isKnownUnsupported, unsupportedName } from "./keywords.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { aliasRefs, coreRef, kubernetesObjectRef, scalarSchemas } from "./model/known-types.ts";
import { fixHintForName } from "./unknown-name.ts";
import { isUtility, utilitySchema } from "./utility.ts";

/** Returns the schema of a named type: a reference, or an inlined schema. */
export function namedSchema(builder: SchemaBuilder, expr: RefType, scope: Scope): JSONSchema {
  const resolved = builder.sources.resolve(expr.target);
  switch (resolved.kind) {
    case "parameter":
      return parameterSchema(builder, expr, resolved.name, scope);
    case "global":
      return globalSchema(builder, expr, resolved.name, scope);
    case "module":
      return moduleSchema(builder, expr, resolved.specifier, resolved.name, scope);
    case "type": {
      const node = builder.packages.typeNode(resolved.declaration, resolved.file);
      if (!hasItsArguments(builder, expr, resolved.declaration)) return {};
      const sameDirectory = dirname(resolved.file) === dirname(expr.at.file);
      return refer(builder, builder.reference(node, expr.args, scope, expr.at), sameDirectory);
    }
    default: {
      // A member of an enum is also a type.
      const [value] = builder.literals(expr, scope) ?? [];
      if (value !== undefined) {
        return builder.expression({ kind: "literal", value: value as string, at: expr.at }, emptyScope);
      }
      return unknown(
        builder,
        expr,
        resolved.kind === "missing" ? resolved.reason : `${expr.text} is a value, not a type`,
      );
    }
  }
}

/** Checks that a reference has the required type arguments. */
function hasItsArguments(builder: SchemaBuilder, expr: RefType, declaration: TypeDeclaration): boolean {
  const parameters = declaration.kind === "enum" ? [] : declaration.parameters;
  const least = parameters.filter((parameter) => !parameter.default).length;
  const { length } = expr.args;
  if (length >= least && length <= parameters.length) return true;
  const names = parameters.map(({ name }) => name).join(", ");
  const takes = parameters.length === 0 ? "no type arguments" : `type arguments for ${names}`;
  const hint =
    parameters.length === 0
      ? `use \`${expr.text}\` without arguments`
      : `use \`${expr.text}<${names}>\` with types for ${names}`;
  builder.error(
    "type-arguments",
    expr.at,
    `${expr.text} takes ${takes}, but has ${length === 0 ? "none" : length}`,
    hint,
  );
  return false;
}

/**
 * Returns a reference. For scalars, lists and maps it includes the type, so that markers of the field can be checked; for
 * objects it doesn't, as in controller-gen. The format is only included within a package, also as in controller-gen.
 */
function refer(builder: SchemaBuilder, ref: string, sameDirectory = false): JSONSchema {
  const target = builder.unflattened(ref) ?? {};
  if (target.type === undefined) return { $ref: ref };
  if (target.type === "object") {
    return isMap(builder, target) ? { $ref: ref, type: "object" } : { $ref: ref };
  }
  if (target.type === "array") return { $ref: ref, type: "array" };
  return {
    $ref: ref,
    type: target.type,
    ...(sameDirectory && target.format !== undefined ? { format: target.format } : {}),
  };
}

/** Caches the results of `isMap` for finished schemas: otherwise each name in a chain would visit all others. */
const maps = new WeakMap<JSONSchema, boolean>();

/** Returns whether a schema, or the schema that it refers to, is that of a map. */
function isMap(builder: SchemaBuilder, schema: JSONSchema): boolean {
  if (schema.additionalProperties !== undefined) return true;
  if (schema.$ref === undefined) return false;
  const cached = maps.get(schema);
  if (cached !== undefined) return cached;
  const target = builder.unflattened(schema.$ref);
  const resolved = target !== undefined && isMap(builder, target);
  // A schema without a type may be incomplete.
  if (target?.type !== undefined) maps.set(schema, resolved);
  return resolved;
}

function parameterSchema(builder: SchemaBuilder, expr: RefType, name: string, scope: Scope): JSONSchema {
  const bound = scope.get(name);
  if (bound) return builder.expression(bound.expr, bound.scope);
  return unknown(builder, expr, `the type parameter ${name} has no value here`);
}

function globalSchema(builder: SchemaBuilder, expr: RefType, name: string, scope: Scope): JSONSchema {
  if (isUtility(name)) return utilitySchema(builder, expr, scope);
  if (isKnownUnsupported(name)) return unsupportedName(builder, expr, name);
  // `ReturnType` and other types of TypeScript's own library.
  const checked = builder.checked(expr, scope);
  if (checked) return builder.expression(checked, emptyScope);
  return unknown(builder, expr, `cannot find the type "${name}"`);
}

function moduleSchema(
  builder: SchemaBuilder,
  expr: RefType,
  specifier: string,
  name: string,
  scope: Scope,
): JSONSchema {
  const runtime = runtimeName(expr, builder.sources);
  if (runtime !== undefined) {
    const scalar = scalarSchemas.get(runtime);
    if (scalar) return scalarSchema(builder, expr, scalar);
    const alias = aliasRefs.get(runtime);
    if (alias !== undefined) return refer(builder, alias);
    if (runtime === "KubernetesObject") return { $ref: kubernetesObjectRef };
    if (runtime === "KubernetesList") return listSchema(builder, expr, scope);
  }
  const core = builder.core.identify(specifier, name);
  if (core) {
    const ref = coreRef(core.goPackage, core.name);
    builder.unflattened(ref, expr.at);
    return refer(builder, ref);
  }
  if (specifier.startsWith("@kubewright/runtime")) {
    return unknown(builder, expr, `"${specifier}" has no type "${name}"`);
  }
  builder.error(
    "unsupported-module",
    expr.at,
    `cannot find the package "${specifier}", which "${name}" is imported from`,
    `install it, or mark the field +kubebuilder:validation:Schemaless`,
  );
  return {};
}

function scalarSchema(builder: SchemaBuilder, expr: RefType, scalar: JSONSchema): JSONSchema {
  if (scalar.type === "number" && !builder.options.allowDangerousTypes) {
    builder.error(
      "float-type",
      expr.at,
      "found a float, the usage of which is highly discouraged, as support for them varies across languages",
      "serialize it as a string (Quantity), or run with crd:allowDangerousTypes=true",
    );
    return {};
  }
  return scalar;
}

function listSchema(builder: SchemaBuilder, expr: RefType, scope: Scope): JSONSchema {
  const [item] = expr.args;
  return {
    type: "object",
    allOf: [{ $ref: aliasRefs.get("TypeMeta") as string }],
    properties: {
      metadata: { $ref: aliasRefs.get("ListMeta") as string },
      items: { type: "array", items: item ? builder.expression(item, scope) : { $ref: kubernetesObjectRef } },
    },
    required: ["items"],
  };
}

function unknown(builder: SchemaBuilder, expr: RefType, reason: string): JSONSchema {
  const fixHint = fixHintForName(expr, builder.sources.resolve(expr.target), builder.sources);
  builder.error("unknown-type", expr.at, `unknown type ${expr.text}: ${reason}`, fixHint);
  return {};
}
