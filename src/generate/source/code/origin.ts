import type { ts } from "ts-morph";
import { calleeOf, type Search } from "./search.ts";

/** Functions that take the client (or the cache) first. */
const clientFirst = new Set(["createOrUpdate", "createOrPatch", "patchStatus", "listPages", "podLogs", "kindSource"]);

/**
 * Tells calls that go to another cluster than the manager's: its roles are no matter of these markers. Only what surely comes
 * from a `Cluster` counts.
 */
export function createOrigin(search: Search): (call: ts.CallExpression, owner: string | undefined) => boolean {
  const { program, flow } = search;
  const { compiler, checker } = program;
  let several: boolean | undefined;

  function hasClusters(): boolean {
    const visit = (node: ts.Node): boolean => {
      const callee = compiler.isCallExpression(node) ? calleeOf(search, node.expression) : undefined;
      if (callee?.owner === "Cluster" && callee.name === "create") return true;
      return compiler.forEachChild(node, (child) => visit(child) || undefined) === true;
    };
    several ??= program.files.some(visit);
    return several;
  }

  function isCluster(expression: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(expression);
    return program.runtimeName(type.aliasSymbol ?? type.getSymbol()) === "Cluster";
  }

  function comesFromCluster(expression: ts.Expression): boolean {
    if (isCluster(expression)) return true;
    const { ends, lost } = flow.trail(expression);
    return ends.length > 0 && lost.length === 0 && ends.every(endsAtCluster);
  }

  /** `west.client`, `west.client.status`, `west.client.subResource("scale")`. */
  function endsAtCluster(end: ts.Expression): boolean {
    if (compiler.isCallExpression(end)) {
      const { expression } = end;
      return compiler.isPropertyAccessExpression(expression) && comesFromCluster(expression.expression);
    }
    return compiler.isPropertyAccessExpression(end) && comesFromCluster(end.expression);
  }

  return (call, owner) => {
    if (!hasClusters()) return false;
    const { expression } = call;
    if (owner === undefined) {
      const name = calleeOf(search, expression)?.name ?? "";
      const [first] = call.arguments;
      return clientFirst.has(name) && first !== undefined && comesFromCluster(first);
    }
    if (owner === "ControllerBuilder" || owner === "Manager") return false;
    return compiler.isPropertyAccessExpression(expression) && comesFromCluster(expression.expression);
  };
}
