// What the parts of the schema side know of each other. They take the builder as an argument instead of importing one
// another: types are recursive, imports must not be.

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Packages } from "../packages/collect.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Bindings, Position, RefType, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";
import type { JSONSchema, JSONValue } from "./json-schema.ts";

export interface SchemaOptions {
  /** Floating-point numbers are allowed. */
  readonly allowDangerousTypes: boolean;
  /** Nested object metadata gets five properties. */
  readonly generateEmbeddedObjectMeta: boolean;
}

/** What the type parameters in scope stand for. */
export type Scope = Bindings;

export const emptyScope: Scope = new Map();

/** The Kubernetes API's own types (see core-types.ts). */
export interface CoreTypes {
  /** The type that an import names; undefined if it is none of them. */
  identify(specifier: string, name: string): { readonly goPackage: string; readonly name: string } | undefined;
  /** A type's schema with its references still in place. */
  load(goPackage: string, name: string): JSONSchema | undefined;
  /** Why controller-gen refuses an API that refers to the type. */
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
  /** The schema of a type as it is written somewhere, with references to named types. */
  expression(expr: TypeExpr, scope: Scope): JSONSchema;
  /** Makes sure that a named type has a schema, and gives the reference to it. */
  reference(node: TypeNode, args: readonly TypeExpr[], scope: Scope, at: Position): string;
  /** The schema behind a reference, its own references in place. What can't be used of it is reported at `at`. */
  unflattened(ref: string, at?: Position): JSONSchema | undefined;
  /** A schema with all references replaced and merged. */
  resolved(schema: JSONSchema): JSONSchema;
  /** The values of a type that is nothing but literals; undefined for any other type. */
  literals(expr: TypeExpr, scope: Scope): readonly JSONValue[] | undefined;
  /** What the type checker makes of an expression that nothing else can settle; undefined if not even that helps. */
  checked(expr: TypeExpr, scope: Scope): TypeExpr | undefined;
  /** The schema of what the type checker makes of an expression; the error if that is nothing. */
  checkedSchema(expr: TypeExpr, scope: Scope): JSONSchema;
  /** What an alias, a type parameter or `typeof` stands for; the expression itself if it is none of these. */
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

/** The name of the runtime's API module and of what it re-exports. */
const runtimeApi = /^@kubewright\/runtime(\/api(\/meta\/v1)?)?$/;

/** What `@kubernetes/client-node` calls the types that every object and every list of objects extends. */
const clientNode: Readonly<Record<string, string>> = {
  KubernetesObject: "KubernetesObject",
  KubernetesListObject: "KubernetesList",
};

/** The name that a reference has in the runtime's API module; undefined if it comes from elsewhere. */
export function runtimeName(expr: RefType, sources: Sources): string | undefined {
  const found = sources.resolve(expr.target);
  if (found.kind !== "module") return undefined;
  if (runtimeApi.test(found.specifier)) return found.name;
  return found.specifier === "@kubernetes/client-node" ? clientNodeName(found.name) : undefined;
}

/** The name that a type of `@kubernetes/client-node` has in the runtime's API module, if that is no type of an API. */
export function clientNodeName(name: string): string | undefined {
  return Object.hasOwn(clientNode, name) ? clientNode[name] : undefined;
}
