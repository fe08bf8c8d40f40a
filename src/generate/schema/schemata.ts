import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Packages } from "../packages/collect.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Position, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";
import { applyMarkers } from "./apply/apply-markers.ts";
import { BudgetExceeded, createBudget } from "./budget.ts";
import { bind, type CoreTypes, emptyScope, type SchemaBuilder, type SchemaOptions, type Scope } from "./builder.ts";
import { checkedSchema, checkedType } from "./checked.ts";
import { expressionSchema } from "./expression.ts";
import { createFlattener } from "./flatten.ts";
import { literalValues } from "./literals.ts";
import { mergeAllOf } from "./merge.ts";
import type { JSONSchema } from "./model/json-schema.ts";
import { coreRefParts, knownSchema, kubernetesObjectRef, kubernetesObjectSchema } from "./model/known-types.ts";
import { objectSchema } from "./struct.ts";
import { typeKey } from "./type-key.ts";
import { unalias } from "./unalias.ts";

export interface SchemataInput {
  readonly options: SchemaOptions;
  readonly sources: Sources;
  readonly packages: Packages;
  readonly core: CoreTypes;
  /** Maximum length of descriptions in bytes; unlimited if negative or absent. */
  readonly maxDescLen?: number;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** The schemas of a run. */
export interface Schemata {
  /** Returns the complete schema of a type, with all references resolved and merged. */
  complete(node: TypeNode): JSONSchema;
  /** Returns the reference to a type without parameters whose complete schema was created. */
  referenceTo(node: TypeNode): string;
  /** Returns the schema of a reference, with its own references; undefined if none of the complete schemas uses it. */
  definition(ref: string): JSONSchema | undefined;
  /** Returns the declared type of a reference, with its type arguments; undefined for a core type. */
  declared(ref: string): DeclaredType | undefined;
}

/** A declared type with its type arguments. */
export interface DeclaredType {
  readonly node: TypeNode;
  /** The types of its parameters, in order. */
  readonly args: readonly { readonly expr: TypeExpr; readonly scope: Scope }[];
}

/** Maximum length of a name: it grows with each instance of a generic type that refers to itself with other arguments. */
const longestKey = 4000;

/** Maximum nesting of schemas, because they are processed recursively. */
const deepest = 300;

/** Creates the schemas of types; each is created once, on demand. */
export function createSchemata({ options, sources, packages, core, maxDescLen, report }: SchemataInput): Schemata {
  const budget = createBudget(maxDescLen);
  const schemas = new Map<string, JSONSchema>();
  const places = new Map<string, DeclaredType>();
  const warned = new Set<string>();
  const counting = new Set<TypeExpr>();
  let depth = 0;
  // The type in progress, for errors without a better position.
  let current: TypeNode | undefined;
  const cycle = (ref: string) => {
    const node = places.get(ref)?.node;
    if (!node || warned.has(ref)) return;
    warned.add(ref);
    const message = `${node.name} contains itself: the inner ${node.name} allows any value, because schemas can't be recursive`;
    builder.warn("recursive-type", node.at, message, "mark the field +kubebuilder:validation:Schemaless");
  };
  const flattener = createFlattener(unflattened, cycle, budget.spend);

  function unflattened(ref: string, at = current?.at): JSONSchema | undefined {
    const referenced = schemas.get(ref) ?? knownSchema(ref, options);
    if (referenced) return referenced;
    if (ref === kubernetesObjectRef) return kubernetesObjectSchema;
    const parts = coreRefParts(ref);
    const loaded = parts && core.load(parts.goPackage, parts.name);
    if (!loaded) return undefined;
    schemas.set(ref, loaded);
    const problem = core.problem(parts.goPackage, parts.name) ?? floatProblem(loaded, options);
    if (problem !== undefined && at) {
      builder.error("unsupported-type", at, `the type ${parts.name} of ${parts.goPackage} can't be used: ${problem}`);
    }
    return loaded;
  }

  function reference(node: TypeNode, args: readonly TypeExpr[], scope: Scope, at: Position): string {
    const own = node.declaration.kind === "enum" ? [] : node.declaration.parameters;
    const inner = bind(own, args, scope);
    const suffix = own.length === 0 ? "" : `<${own.map(({ name }) => typeKey(inner.get(name), builder)).join(",")}>`;
    const ref = referenceOf(node, suffix);
    if (schemas.has(ref)) return ref;
    places.set(ref, { node, args: own.flatMap(({ name }) => inner.get(name) ?? []) });
    // The placeholder for a type inside itself, as in controller-gen.
    schemas.set(ref, {});
    if (suffix.length > longestKey) {
      builder.error(
        "unsupported-type",
        at,
        `the generic type ${node.name} is infinitely recursive`,
        "declare the type without generics",
      );
    } else {
      try {
        schemas.set(ref, namedTypeSchema(node, inner));
      } catch (error) {
        // Otherwise other kinds would use an incomplete type.
        schemas.delete(ref);
        throw error;
      }
    }
    return ref;
  }

  function namedTypeSchema(node: TypeNode, scope: Scope): JSONSchema {
    const { declaration, markers, name } = node;
    let schema: JSONSchema;
    if (declaration.kind === "alias") {
      const type = declaration.type;
      schema =
        type.kind === "object"
          ? objectSchema(builder, { ...type, extends: [], markers }, scope)
          : knownAsObject({ ...builder.expression(type, scope) });
    } else if (declaration.kind === "enum") {
      schema = enumSchema(node);
    } else {
      schema = objectSchema(builder, { ...declaration, markers }, scope);
    }
    delete schema.description;
    if (node.description !== "") schema.description = node.description;
    applyMarkers(schema, markers.all, { target: "type", typeName: name }, report);
    return schema;
  }

  /** Adds the type to an alias such as `Box<Spec>`: markers for objects apply to it, but the reference alone has no type. */
  function knownAsObject(schema: JSONSchema): JSONSchema {
    const isObject = schema.$ref !== undefined && unflattened(schema.$ref)?.type === "object";
    return isObject ? { ...schema, type: "object" } : schema;
  }

  function enumSchema({ name, file, at }: TypeNode): JSONSchema {
    const ref = { kind: "ref", text: name, target: { kind: "local", file, name }, args: [], at } as const;
    const values = builder.literals(ref, emptyScope);
    if (values && values.length > 0) {
      const types = values.map((value) => ({ kind: "literal" as const, value: value as string, at }));
      return { ...builder.expression({ kind: "union", types, at }, emptyScope) };
    }
    const problem = values ? `the enum ${name} has no members` : `the members of the enum ${name} aren't literals`;
    builder.error("unsupported-type", at, problem, "set each member to a string");
    return {};
  }

  const builder: SchemaBuilder = {
    options,
    sources,
    packages,
    core,
    report,
    error: (id, at, message, hint) => report(finding("error", id, at, message, hint)),
    warn: (id, at, message, hint) => report(finding("warning", id, at, message, hint)),
    expression(expr, scope) {
      if (depth >= deepest) {
        builder.error("unsupported-type", expr.at, "types are nested too deeply here", "flatten the types");
        return {};
      }
      budget.spend();
      depth++;
      const schema = expressionSchema(builder, expr, scope);
      depth--;
      return schema;
    },
    spend: budget.spend,
    reference,
    unflattened,
    // A separate flattener: incomplete types must not be cached.
    resolved: (schema) =>
      mergeAllOf(createFlattener(unflattened, cycle, budget.spend).flatten(schema), () => {}, budget.spend),
    literals(expr, scope) {
      // `type T = "a" | T` is invalid, but must not cause an endless recursion.
      if (counting.has(expr)) return undefined;
      budget.spend();
      counting.add(expr);
      const values = literalValues(builder, expr, scope);
      counting.delete(expr);
      return values;
    },
    unalias(expr, scope) {
      budget.spend();
      return unalias(builder, expr, scope);
    },
    checked: (expr, scope) => checkedType(builder, expr, scope),
    checkedSchema: (expr, scope) => checkedSchema(builder, expr, scope),
  };

  function complete(node: TypeNode): JSONSchema {
    const ref = reference(node, [], emptyScope, node.at);
    const conflict = (message: string) => builder.error("conflicting-types", node.at, message);
    const schema = mergeAllOf(flattener.flattenType(ref), conflict, budget.spend);
    budget.add(schema);
    return schema;
  }

  return {
    complete(node) {
      current = node;
      budget.start();
      try {
        return complete(node);
      } catch (error) {
        // The stack may contain any types at this point.
        depth = 0;
        counting.clear();
        reportLimit(node, error);
        return {};
      }
    },
    referenceTo: (node) => referenceOf(node),
    definition: (ref) => schemas.get(ref) ?? knownSchema(ref, options),
    declared: (ref) => places.get(ref),
  };

  function reportLimit(node: TypeNode, error: unknown): void {
    if (error instanceof BudgetExceeded) {
      const hint =
        "a CRD repeats a type in every place that uses it: use it in fewer places, or mark fields +kubebuilder:validation:Schemaless";
      builder.error("schema-too-large", node.at, `the schema of ${node.name} is too large: ${error.message}`, hint);
    } else if (error instanceof RangeError) {
      builder.error("unsupported-type", node.at, `the types of ${node.name} are nested too deeply`, "flatten them");
    } else throw error;
  }
}

/** Returns the name of a type in references. The suffix distinguishes the instances of a generic type. */
function referenceOf({ file, name }: TypeNode, suffix = ""): string {
  return `#/definitions/${file.replaceAll("~", "~0").replaceAll("/", "~1")}~0${name}${suffix}`;
}

/** Returns a problem for floats in dependencies' types, which controller-gen also rejects. */
function floatProblem(schema: JSONSchema, { allowDangerousTypes }: SchemaOptions): string | undefined {
  if (allowDangerousTypes) return undefined;
  const holdsFloat = (node: JSONSchema): boolean =>
    node.type === "number" ||
    (node.items !== undefined && holdsFloat(node.items)) ||
    (typeof node.additionalProperties === "object" && holdsFloat(node.additionalProperties)) ||
    Object.values(node.properties ?? {}).some(holdsFloat);
  return holdsFloat(schema) ? "it contains floats, which require crd:allowDangerousTypes=true" : undefined;
}

function finding(
  severity: Diagnostic["severity"],
  id: Diagnostic["id"],
  { file, line, column }: Position,
  message: string,
  hint?: string,
): Diagnostic {
  return { id, severity, message, file, line, column, hint };
}
