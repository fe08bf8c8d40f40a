import { isObject, type Json } from "@kubewright/cel/json";
import { TypeProblems } from "../../apply/typed/atom.ts";
import { merge } from "../../apply/typed/merge.ts";
import { customResourceType } from "../../apply/typed/object-type.ts";
import { validateType } from "../../apply/typed/validate.ts";
import { deducedType, typeOfSchema, type ValueType } from "../../apply/typed/value-type.ts";
import type { Target } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";

/**
 * Merges an apply configuration of a policy into an object. Fields that it adds have no owner.
 *
 * @param target - the resource and version of the object
 * @param object - the object, which stays as it is
 * @param configuration - what to merge
 * @returns the merged object
 * @throws Error with kube-apiserver's message if the configuration doesn't fit the schema, or would replace a list or
 *   object as a whole
 */
export function applyConfiguration(target: Target, object: ApiObject, configuration: ApiObject): ApiObject {
  const type = typeOf(target);
  const wrong = validateType(type, configuration);
  if (wrong.length > 0) {
    throw new Error(`failed to convert patch object to typed object: ${new TypeProblems(wrong).message}`);
  }
  const atomics = atomicPaths(type, configuration, "");
  if (atomics.length > 0) {
    const problem = `may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
    throw new Error(`invalid ApplyConfiguration: ${problem}`);
  }
  const broken = validateType(type, object, { allowDuplicates: true });
  if (broken.length > 0) {
    throw new Error(`failed to convert original object to typed object: ${new TypeProblems(broken).message}`);
  }
  return merge(type, object, configuration) as ApiObject;
}

function typeOf({ type, version }: Target): ValueType {
  if (type.custom) return customResourceType(version.schema);
  return version.schema === undefined ? deducedType : typeOfSchema(version.schema);
}

/** Returns the paths of lists and objects that are always replaced as a whole. */
function atomicPaths(type: ValueType, value: Json, path: string): string[] {
  if (isObject(value) && type.map !== undefined) {
    const { map } = type;
    const own = map.atomic ? [path] : [];
    const fields = Object.entries(value).flatMap(([key, item]) => {
      const field = map.field(key);
      return field === undefined || item === undefined ? [] : atomicPaths(field, item, `${path}.${key}`);
    });
    return [...own, ...fields];
  }
  if (Array.isArray(value) && type.list !== undefined) {
    const { list } = type;
    const own = list.atomic ? [path] : [];
    return [...own, ...value.flatMap((item, index) => atomicPaths(list.element, item, `${path}[${index}]`))];
  }
  return [];
}
