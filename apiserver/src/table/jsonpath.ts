import { isObject, type Json } from "../json/json.ts";

/**
 * Evaluates a JSON path of a printer column: fields, indexes, wildcards, filters with a comparison.
 *
 * @param path - for example `.spec.list[0].name` or `.status.conditions[?(@.type=="Ready")].status`
 * @param value - the object
 * @returns the values at the path; none if a part of it is absent
 */
export function evaluateJsonPath(path: string, value: Json): Json[] {
  let values: Json[] = [value];
  for (const step of path.matchAll(/\.?\[\?\(@([^)]*)\)\]|\.?\['([^']*)'\]|\.?\[(-?\d+|\*)\]|\.((?:\\.|[^.[\\])+)/g)) {
    const [, filter, quoted, index, name] = step;
    if (filter !== undefined)
      values = values.flatMap((one) => (Array.isArray(one) ? one.filter((item) => matches(item, filter)) : []));
    else if (index === "*" || name === "*") values = values.flatMap(children);
    else if (index !== undefined) values = values.flatMap((one) => at(one, Number(index)));
    else values = values.flatMap((one) => field(one, quoted ?? (name as string).replace(/\\(.)/g, "$1")));
  }
  return values;
}

function children(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? (Object.values(value) as Json[]) : [];
}

function at(value: Json, index: number): Json[] {
  const item = Array.isArray(value) ? value.at(index) : undefined;
  return item === undefined ? [] : [item];
}

function field(value: Json, name: string): Json[] {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function matches(item: Json, filter: string): boolean {
  const parts = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/.exec(filter);
  if (parts === null) return evaluateJsonPath(filter, item).length > 0;
  const [left] = evaluateJsonPath(parts[1] as string, item);
  if (left === undefined) return false;
  const text = (parts[3] as string).trim();
  const right = /^(["']).*\1$/.test(text)
    ? text.slice(1, -1)
    : text === "true"
      ? true
      : text === "false"
        ? false
        : Number(text);
  switch (parts[2]) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return (left as number) < (right as number);
    case ">":
      return (left as number) > (right as number);
    case "<=":
      return (left as number) <= (right as number);
    default:
      return (left as number) >= (right as number);
  }
}
