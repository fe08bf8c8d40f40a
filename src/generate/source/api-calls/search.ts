import { ts } from "ts-morph";
import type { Flow } from "./flow.ts";
import type { Kinds } from "./kinds.ts";
import { type CodeProgram, resolved } from "./program.ts";

/** The analyses that each part of the search uses. */
export interface Search {
  readonly program: CodeProgram;
  readonly flow: Flow;
  readonly kinds: Kinds;
}

/** A function or method of the runtime. */
interface Callee {
  readonly owner?: string;
  readonly name: string;
}

/** Returns the function or method of the runtime that an expression refers to. */
export function calleeOf({ program }: Pick<Search, "program">, expression: ts.Expression): Callee | undefined {
  const { checker } = program;
  const isMember = ts.isPropertyAccessExpression(expression);
  const symbol = resolved(checker, isMember ? expression.name : expression);
  const exported = program.runtimeName(symbol);
  if (symbol && exported !== undefined) return { name: exported };
  for (const declaration of isMember ? (symbol?.declarations ?? []) : []) {
    // Unresolved symbols have a declaration without a parent.
    const parent = declaration.parent as ts.Node | undefined;
    if (!parent) continue;
    if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) continue;
    const owner = program.runtimeName(parent.name && checker.getSymbolAtLocation(parent.name));
    if (symbol && owner !== undefined) return { owner, name: symbol.name };
  }
  return undefined;
}
