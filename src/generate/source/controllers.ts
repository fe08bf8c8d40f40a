import { createWrappedNode, Node, type SourceFile, SyntaxKind, ts } from "ts-morph";

/** A controller: its name, or the type whose kind is its name in lowercase. */
interface FoundController {
  readonly name?: string;
  readonly type?: string;
}

/** The controllers, Leases and webhooks that a file sets up. */
export interface FoundSetup {
  readonly controllers: readonly FoundController[];
  /** The names of Leases. */
  readonly leases: readonly string[];
  readonly hasWebhooks: boolean;
}

/**
 * Finds the controllers, Leases and webhooks that a file sets up. It reads only syntax, so names that the code computes are left
 * out.
 */
export function setupIn(text: string): FoundSetup {
  if (!/\b(?:newControllerManagedBy|newWebhookManagedBy|leaderElectionID)\b/.test(text)) {
    return { controllers: [], leases: [], hasWebhooks: false };
  }
  const file = parse(text);
  return {
    controllers: callsOf(file, "newControllerManagedBy").map(controllerAt),
    leases: leasesIn(file),
    hasWebhooks: callsOf(file, "newWebhookManagedBy").length > 0,
  };
}

/** Returns the kinds that a file declares by another name, such as `const PostgresqlKind = v1.kind<Postgresql>("postgresql")`. */
export function kindNamesIn(text: string): ReadonlyMap<string, string> {
  if (!/\.kind\b/.test(text)) return new Map();
  const declarations = parse(text).getVariableDeclarations();
  return new Map(
    declarations.flatMap((declaration): [string, string][] => {
      const call = declaration.getInitializerIfKind(SyntaxKind.CallExpression);
      const called = call?.getExpressionIfKind(SyntaxKind.PropertyAccessExpression);
      const [kind] = call?.getArguments() ?? [];
      return called?.getName() === "kind" && Node.isStringLiteral(kind)
        ? [[declaration.getName(), kind.getLiteralValue()]]
        : [];
    }),
  );
}

function parse(text: string): SourceFile {
  return createWrappedNode(ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true));
}

function callsOf(file: SourceFile, name: string): Node[] {
  return file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => call.getExpression().getText() === name);
}

/** Follows the calls that are chained to `newControllerManagedBy(mgr)`. */
function controllerAt(start: Node): FoundController {
  let controller: FoundController = {};
  for (let node = start; ; ) {
    const access = node.getParentIfKind(SyntaxKind.PropertyAccessExpression);
    const call = access?.getParentIfKind(SyntaxKind.CallExpression);
    if (!access || !call) return controller;
    const [argument] = call.getArguments();
    if (access.getName() === "for" && Node.isIdentifier(argument))
      controller = { type: argument.getText(), ...controller };
    if (access.getName() === "named") {
      controller = { ...controller, name: Node.isStringLiteral(argument) ? argument.getLiteralValue() : "" };
    }
    node = call;
  }
}

function leasesIn(file: SourceFile): string[] {
  return file.getDescendantsOfKind(SyntaxKind.PropertyAssignment).flatMap((property) => {
    const value = property.getInitializer();
    if (property.getName() !== "leaderElectionID") return [];
    return Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value) ? [value.getLiteralValue()] : [];
  });
}
