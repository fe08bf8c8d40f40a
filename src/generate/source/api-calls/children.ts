import { ts } from "ts-morph";
import { ownKinds } from "./calls.ts";
import { nameOf } from "./flow.ts";
import type { Access, Ask } from "./model.ts";
import type { Search } from "./search.ts";

const watches: readonly Ask[] = [{ verbs: ["list", "watch"] }];
const applies: readonly Ask[] = [{ verbs: ["get", "create", "patch", "delete"] }];
const prunes: readonly Ask[] = [{ verbs: ["get", "delete"] }];
/** Labels and the finalizer of the owner are only written for children without owner references. */
const marks: readonly Ask[] = [
  { verbs: ["update"], subresource: "finalizers" },
  { verbs: ["patch"], maybe: true },
];
const events: readonly Ask[] = [{ verbs: ["create", "patch"] }];

/** Returns the API requests for the kinds of a call of `childrenOf(owner, entries, options)`. */
export function childrenAccesses(search: Search, call: ts.CallExpression): Access[] {
  const [owner, entries, options] = call.arguments;
  if (!owner || !entries) return [];
  const placed = { at: search.program.positionOf(call.expression), call: "childrenOf" };
  const of = (subject: ts.Expression, asks: readonly Ask[]): Access => {
    const { kinds, unknown } = search.kinds.of(subject);
    return { ...placed, kinds, asks, ...(unknown ? { unknown: search.program.positionOf(unknown) } : {}) };
  };
  const declared = valuesOf(search, entries).map(kindOfEntry);
  const former = options ? elementsOf(search, options, "former") : [];
  return [
    ...[...declared, ...former].map((kind): Access => ({ ...of(kind, watches), informer: true })),
    ...declared.map((kind) => of(kind, applies)),
    ...former.map((kind) => of(kind, prunes)),
    of(owner, marks),
    { ...placed, kinds: [ownKinds.event], asks: events },
  ];
}

/** Returns the values of the entries. Without a literal, the whole expression, whose kinds can't be determined. */
function valuesOf(search: Search, entries: ts.Expression): ts.Expression[] {
  return search.flow.trail(entries).ends.flatMap((end): ts.Expression[] => {
    if (!ts.isObjectLiteralExpression(end)) return [end];
    return end.properties.map((property) =>
      ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
          ? property.name
          : end,
    );
  });
}

/** Returns the kind of an entry: that of the list for `[Kind]`. */
function kindOfEntry(value: ts.Expression): ts.Expression {
  if (!ts.isArrayLiteralExpression(value)) return value;
  const [kind] = value.elements;
  return kind ?? value;
}

function elementsOf(search: Search, options: ts.Expression, name: string): ts.Expression[] {
  if (!ts.isObjectLiteralExpression(options)) return [];
  const hasName = options.properties.some((property) => property.name && nameOf(property.name) === name);
  if (!hasName) return [];
  return search.flow
    .property(options, name)
    .ends.flatMap((end): ts.Expression[] => (ts.isArrayLiteralExpression(end) ? [...end.elements] : [end]));
}
