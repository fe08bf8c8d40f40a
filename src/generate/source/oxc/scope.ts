import type { TSTypeParameterDeclaration } from "oxc-parser";
import type { FileNames } from "../names.ts";
import type { ReadContext } from "./positions.ts";

/** The scope of a type: its file's names and the type parameters in scope. */
export interface TypeScope extends ReadContext {
  readonly names: FileNames;
  readonly parameters: ReadonlySet<string>;
}

/** Adds type parameters to a scope. */
export function withParameters(scope: TypeScope, added: readonly string[]): TypeScope {
  return added.length === 0 ? scope : { ...scope, parameters: new Set([...scope.parameters, ...added]) };
}

/** Returns the names of declared type parameters. */
export function parameterNames(node: TSTypeParameterDeclaration | null | undefined): string[] {
  return (node?.params ?? []).map(({ name }) => name.name);
}
