import { ts } from "ts-morph";
import type { Trail } from "./flow.ts";
import type { DelegatedRule, Delegation } from "./model.ts";
import type { Search } from "./search.ts";

/**
 * Determines the permissions that a write of a role or of a binding delegates.
 *
 * @param subject - the written object
 * @param mutate - the function that changes the object before it is written, as that of `createOrUpdate`
 */
export function delegationOf(search: Search, subject: ts.Expression, mutate?: ts.Expression): Delegation {
  const { checker } = search.program;
  const { flow, kinds } = search;

  /** Returns the values of a property of the object, including those that the function assigns. */
  function valuesOf(name: string): readonly ts.Expression[] | undefined {
    const assigned = mutate ? assignedTo(mutate, name) : [];
    return known(
      assigned.length > 0 ? join(assigned.map((expression) => flow.trail(expression))) : flow.property(subject, name),
    );
  }

  function assignedTo(callback: ts.Expression, name: string): ts.Expression[] {
    const expressions: ts.Expression[] = [];
    for (const end of flow.trail(callback).ends) {
      if (!ts.isArrowFunction(end) && !ts.isFunctionExpression(end)) continue;
      const [parameter] = end.parameters;
      const target = parameter && checker.getSymbolAtLocation(parameter.name);
      const visit = (node: ts.Node): void => {
        if (
          ts.isBinaryExpression(node) &&
          node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
          ts.isPropertyAccessExpression(node.left) &&
          node.left.name.text === name &&
          checker.getSymbolAtLocation(node.left.expression) === target
        ) {
          expressions.push(node.right);
        }
        ts.forEachChild(node, visit);
      };
      if (target) visit(end.body);
    }
    return expressions;
  }

  function textIn(object: ts.Expression, name: string): string | undefined {
    const ends = known(flow.property(object, name));
    return ends?.length === 1 ? kinds.text(ends[0]) : undefined;
  }

  function textsIn(object: ts.ObjectLiteralExpression, name: string): string[] | undefined {
    const isAbsent = !object.properties.some(
      (property) => ts.isSpreadAssignment(property) || property.name?.getText().replace(/["']/g, "") === name,
    );
    if (isAbsent) return [];
    const lists = known(flow.property(object, name));
    if (!lists?.every((list) => ts.isArrayLiteralExpression(list))) return undefined;
    const texts = lists.flatMap((list) => known(flow.elements(list))?.map((end) => kinds.text(end)) ?? [undefined]);
    return texts.every((text) => text !== undefined) ? texts : undefined;
  }

  function rulesOf(): DelegatedRule[] | undefined {
    const lists = valuesOf("rules");
    if (!lists || lists.length === 0) return undefined;
    const rules = lists.flatMap(
      (list) => known(flow.elements(list))?.map((end): DelegatedRule | undefined => ruleOf(end)) ?? [undefined],
    );
    return rules.every((rule) => rule !== undefined) ? rules : undefined;
  }

  function ruleOf(end: ts.Expression): DelegatedRule | undefined {
    if (!ts.isObjectLiteralExpression(end)) return undefined;
    const [groups, resources, verbs, names, urls] = [
      "apiGroups",
      "resources",
      "verbs",
      "resourceNames",
      "nonResourceURLs",
    ].map((name) => textsIn(end, name));
    return groups && resources && verbs && names && urls ? { groups, resources, verbs, names, urls } : undefined;
  }

  const [metadata, ...otherMetadata] = valuesOf("metadata") ?? [];
  const [reference, ...otherReferences] = valuesOf("roleRef") ?? [];
  const name = metadata && otherMetadata.length === 0 ? textIn(metadata, "name") : undefined;
  const rules = rulesOf();
  const isOne = reference && otherReferences.length === 0;
  const [roleKind, roleName] = isOne ? [textIn(reference, "kind"), textIn(reference, "name")] : [];
  return {
    ...(name === undefined ? {} : { name }),
    ...(rules === undefined ? {} : { rules }),
    ...(roleKind === undefined ? {} : { roleKind }),
    ...(roleName === undefined ? {} : { roleName }),
  };
}

/** Returns the ends of a trail if all sources were found. */
function known({ ends, lost }: Trail): readonly ts.Expression[] | undefined {
  return lost.length > 0 || ends.length === 0 ? undefined : ends;
}

function join(trails: readonly Trail[]): Trail {
  return { ends: trails.flatMap(({ ends }) => ends), lost: trails.flatMap(({ lost }) => lost) };
}
