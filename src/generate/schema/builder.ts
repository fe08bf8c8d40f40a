// The interfaces between the parts that build schemas. The parts take the builder as an argument instead of importing each
// other: types are recursive, imports must not be.

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Packages } from "../packages/collect.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Bindings, Position, RefType, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";
import type { JSONSchema, JSONValue } from "./model/json-schema.ts";

export interface SchemaOptions {
  /** Floating-point numbers are allowed. */
  readonly allowDangerousTypes: boolean;
  /** Embedded object metadata gets a schema with five properties. */
  readonly generateEmbeddedObjectMeta: boolean;
}

/** The bindings of the type parameters in scope. */
export type Scope = Bindings;

export const emptyScope: Scope = new Map();

/** The Kubernetes API's own types (see core-types.ts). */
export interface CoreTypes {
  /** Returns the type that an import refers to; undefined if it isn't a built-in type. */
  identify(specifier: string, name: string): { readonly goPackage: string; readonly name: string } | undefined;
  /** Returns the schema of a type, with references. */
  load(goPackage: string, name: string): JSONSchema | undefined;
  /** Returns the reason why controller-gen rejects an API that refers to the type. */
  problem(goPackage: string, name: string): string | undefined;
}

export interface SchemaBuilder {
  readonly options: SchemaOptions;
  readonly sources: Sources;
  readonly packages: Packages;
  readonly core: CoreTypes;
  report(diagnostic: Diagnostic): void;
  error(id: Diagnostic["id"], at: Position, message: string, hint?: string): void;
  warn(id: Diagnostic["id"], at: Position, message: string, hint?: string): void;

  /**
   * Counts work before it is done: one step, unless more are given.
   *
   * @throws BudgetExceeded
   */
  spend(steps?: number): void;
  /** Returns the schema of a type expression, with references to named types. */
  expression(expr: TypeExpr, scope: Scope): JSONSchema;
  /** Ensures that a named type has a schema, and returns the reference to it. */
  reference(node: TypeNode, args: readonly TypeExpr[], scope: Scope, at: Position): string;
  /** Returns the schema of a reference, with its own references. Reports problems at `at`. */
  unflattened(ref: string, at?: Position): JSONSchema | undefined;
  /** Returns a schema with all references replaced and merged. */
  resolved(schema: JSONSchema): JSONSchema;
  /** Returns the values of a type that consists of literals only; undefined for any other type. */
  literals(expr: TypeExpr, scope: Scope): readonly JSONValue[] | undefined;
  /** Returns the type checker's result for an expression that syntax can't resolve; undefined if it fails, too. */
  checked(expr: TypeExpr, scope: Scope): TypeExpr | undefined;
  /** Returns the schema of the type checker's result for an expression; reports an error if it fails. */
  checkedSchema(expr: TypeExpr, scope: Scope): JSONSchema;
  /** Resolves an alias, a type parameter or `typeof`; returns any other expression unchanged. */
  unalias(expr: TypeExpr, scope: Scope): { expr: TypeExpr; scope: Scope; node?: TypeNode };
}

/** Binds the parameters of a declaration to arguments. */
export function bind(
  parameters: readonly { readonly name: string; readonly default?: TypeExpr }[],
  args: readonly TypeExpr[],
  scope: Scope,
): Scope {
  if (parameters.length === 0) return emptyScope;
  const bound = new Map<string, { expr: TypeExpr; scope: Scope }>();
  for (const [index, parameter] of parameters.entries()) {
    const given = args[index];
    if (given) bound.set(parameter.name, { expr: given, scope });
    else if (parameter.default) bound.set(parameter.name, { expr: parameter.default, scope: bound });
  }
  return bound;
}

/** The runtime's API module and the modules that it re-exports. */
const runtimeApi = /^@kubewright\/runtime(\/api(\/meta\/v1)?)?$/;

/** The names in `@kubernetes/client-node` of the base types of objects and lists. */
const clientNode: Readonly<Record<string, string>> = {
  KubernetesObject: "KubernetesObject",
  KubernetesListObject: "KubernetesList",
};

/** Returns the name of a reference in the runtime's API module; undefined if it isn't from there. */
export function runtimeName(expr: RefType, sources: Sources): string | undefined {
  const resolved = sources.resolve(expr.target);
  if (resolved.kind !== "module") return undefined;
  if (runtimeApi.test(resolved.specifier)) return resolved.name;
  return resolved.specifier === "@kubernetes/client-node" ? clientNodeName(resolved.name) : undefined;
}

/** Returns the name in the runtime's API module of a type of `@kubernetes/client-node`, unless it is an API type. */
export function clientNodeName(name: string): string | undefined {
  return Object.hasOwn(clientNode, name) ? clientNode[name] : undefined;
}
