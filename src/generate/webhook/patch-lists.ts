import { isObject, type Json, type JsonObject, ShapeProblem } from "./decode.ts";
import { SET_ORDER } from "./directive-keys.ts";
import { withoutDirectives } from "./directives.ts";
import type { Struct } from "./shape.ts";

/**
 * Applies the `$setElementOrder/…` directives of a patch: merges and orders the lists in the original, and removes them from
 * the patch.
 */
export function orderLists(
  original: JsonObject,
  patch: JsonObject,
  { fields }: Struct,
): { readonly original: JsonObject; readonly patch: JsonObject } {
  const into: Record<string, Json> = { ...original };
  const left: Record<string, Json> = { ...patch };
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(SET_ORDER)) continue;
    const key = directive.slice(SET_ORDER.length);
    const [before, given] = [original[key], patch[key]];
    delete left[directive];
    if (!Array.isArray(before) && !Array.isArray(given)) continue;
    const name = nameOf(fields[key]?.mergeKey, directive);
    const wanted = (order as readonly Json[]).map(name);
    if (Array.isArray(given)) checkOrder(given.filter(isNoDirective).map(name), wanted, directive);
    const items = Array.isArray(given) ? (withoutDirectives(given) as readonly Json[]) : (before as readonly Json[]);
    into[key] = ordered(items, wanted, Array.isArray(before) ? before.map(name) : [], name);
    delete left[key];
  }
  return { original: into, patch: left };
}

type Name = (item: Json) => string;

/** Returns the name of a list element in an order. */
function nameOf(mergeKey: string | undefined, directive: string): Name {
  return (item) => {
    const name = mergeKey === undefined ? item : isObject(item) ? item[mergeKey] : undefined;
    if (typeof name === "string") return name;
    const expected = mergeKey === undefined ? "strings" : `objects with a ${JSON.stringify(mergeKey)}`;
    throw new ShapeProblem(directive, `requires a list of ${expected}`);
  };
}

function isNoDirective(item: Json): boolean {
  return !isObject(item) || !Object.hasOwn(item, "$patch");
}

/** Checks that the order contains all elements of the patch's list, in the same sequence. An empty order allows any list. */
function checkOrder(names: readonly string[], wanted: readonly string[], directive: string): void {
  if (wanted.length === 0) return;
  let index = 0;
  for (const name of wanted) if (names[index] === name) index++;
  if (index < names.length) throw new ShapeProblem(directive, "the patch's list has a different order");
}

/** Returns the listed elements in their order. Others come before the first one that they preceded, or else at the end. */
function ordered(items: readonly Json[], wanted: readonly string[], before: readonly string[], name: Name): Json[] {
  const named = items.filter((item) => wanted.includes(name(item)));
  named.sort((a, b) => wanted.indexOf(name(a)) - wanted.indexOf(name(b)));
  const others = items.filter((item) => !wanted.includes(name(item)));
  const result: Json[] = [];
  const place = (item: Json) => before.indexOf(name(item));
  while (named.length > 0 && others.length > 0) {
    const [first, other] = [named[0] as Json, others[0] as Json];
    const precedes = place(other) >= 0 && place(first) >= 0 && place(other) < place(first);
    result.push((precedes ? others : named).shift() as Json);
  }
  return [...result, ...named, ...others];
}
