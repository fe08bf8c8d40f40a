// Plain values, and paths in them. Values are never changed in place, because builds share them.

/** A YAML or JSON value; integers that don't fit a number are bigint. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | Fields;
export interface Fields {
  readonly [key: string]: Value;
}

export function isFields(value: Value | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Returns the value if it is a map, otherwise an empty one. */
export function fieldsOf(value: Value | undefined): Fields {
  return isFields(value) ? value : {};
}

/** Returns the value if it is a list, otherwise an empty one. */
export function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** Returns the value if it is a string, otherwise an empty one. */
export function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((each, at) => sameValue(each, b[at]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}

/** Returns the fields with one of them set, or removed if the value is undefined. */
export function withField(fields: Fields, key: string, value: Value | undefined): Fields {
  if (value !== undefined) return { ...fields, [key]: value };
  const { [key]: _, ...rest } = fields;
  return rest;
}

/**
 * Changes the values at a path, including all items of lists on the path, as kustomize's field specs do. A missing path is
 * ignored unless `create` is set, which creates missing maps.
 */
export function changeAt(
  value: Value | undefined,
  path: readonly string[],
  change: (value: Value | undefined) => Value | undefined,
  create = false,
): Value | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (isList(value)) return value.map((each) => changeAt(each, path, change, create) ?? each);
  const fields = value === undefined && create ? {} : value;
  if (!isFields(fields) || (!create && !Object.hasOwn(fields, key))) return value;
  const changed = changeAt(fields[key], rest, change, create);
  return changed === fields[key] ? value : withField(fields, key, changed);
}

/** Returns the value at a path of maps, or undefined. */
export function valueAt(value: Value | undefined, ...path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((at, key) => (isFields(at) ? at[key] : undefined), value);
}
