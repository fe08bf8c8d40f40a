import { ts } from "ts-morph";
import { calleeOf, type Search } from "./search.ts";

/** Functions whose first argument is the client (or the cache). */
const clientFirst = new Set(["createOrUpdate", "createOrPatch", "patchStatus", "listPages", "podLogs", "kindSource"]);

/**
 * Detects calls to another cluster than the manager's, which the markers' roles don't apply to. A call only counts if it
 * certainly uses a `Cluster`.
 */
export function createOrigin(search: Search): (call: ts.CallExpression, owner: string | undefined) => boolean {
  const { program, flow } = search;
  const { checker } = program;
  let several: boolean | undefined;

  function hasClusters(): boolean {
    const visit = (node: ts.Node): boolean => {
      const callee = ts.isCallExpression(node) ? calleeOf(search, node.expression) : undefined;
      if (callee?.owner === "Cluster" && callee.name === "create") return true;
      return ts.forEachChild(node, (child) => visit(child) || undefined) === true;
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

  /**
   * Returns whether an expression is part of a `Cluster`: `west.client`, `west.client.status`,
   * `west.client.subResource("scale")`.
   */
  function endsAtCluster(end: ts.Expression): boolean {
    if (ts.isCallExpression(end)) {
      const { expression } = end;
      return ts.isPropertyAccessExpression(expression) && comesFromCluster(expression.expression);
    }
    return ts.isPropertyAccessExpression(end) && comesFromCluster(end.expression);
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
    return ts.isPropertyAccessExpression(expression) && comesFromCluster(expression.expression);
  };
}
