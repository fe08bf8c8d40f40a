import { handleAtom } from "./typed/atom.ts";
import { FieldSet } from "./typed/field-set.ts";
import type { PathElement } from "./typed/path-element.ts";
import type { MapType, ValueType } from "./typed/value-type.ts";

/**
 * Adds the declared fields on the way to the paths of a set to the set.
 *
 * @param type - the type of the values that the set belongs to
 * @param set - the set
 * @returns the set with `.spec` for `.spec.replicas`, but without items of lists and keys of maps
 */
export function withNamedFields(type: ValueType | undefined, set: FieldSet): FieldSet {
  return set.map(({ element, member, children }) => {
    if (children === undefined) return { element, member, children };
    const field = element.type === "field" ? type?.map?.field(element.name) : undefined;
    return {
      element,
      member: member || field !== undefined,
      children: withNamedFields(field ?? partType(type, element), children),
    };
  });
}

function partType(type: ValueType | undefined, element: PathElement): ValueType | undefined {
  if (element.type === "field") return type?.map?.element;
  return element.type === "key" ? type?.list?.element : undefined;
}

/**
 * Adapts a set of owned fields to a schema that changed since: owners of parts of an object or list that is atomic now own
 * all of it.
 *
 * @param type - the present type
 * @param set - the fields
 * @returns the adapted set, or the same one if nothing changed
 */
export function reconcileWithSchema(type: ValueType, set: FieldSet): FieldSet {
  const atomic = new FieldSet();
  findNewlyAtomic(type, set, [], false, atomic);
  return atomic.empty ? set : set.recursiveDifference(atomic).union(atomic);
}

function findNewlyAtomic(
  type: ValueType,
  set: FieldSet | undefined,
  path: PathElement[],
  owned: boolean,
  atomic: FieldSet,
): void {
  const visit = (partOf: (element: PathElement) => ValueType | undefined) => {
    for (const { element, member, children } of set?.nodes() ?? []) {
      const part = partOf(element);
      if (part === undefined) continue;
      path.push(element);
      findNewlyAtomic(part, children, path, member && children === undefined, atomic);
      path.pop();
    }
  };
  handleAtom(type, "any", {
    scalar: () => undefined,
    list: (list) => {
      if (!owned && list.atomic) atomic.insert(path);
      else visit(() => list.element);
    },
    map: (map) => {
      // Types that result from values have no marks for atomic parts.
      if (map.deduced) return;
      if (!owned && map.atomic) {
        if (set !== undefined && !set.empty) atomic.insert(path);
      } else visit((element) => fieldType(map, element));
    },
  });
}

function fieldType(map: MapType, element: PathElement): ValueType | undefined {
  return (element.type === "field" ? map.field(element.name) : undefined) ?? map.element;
}
