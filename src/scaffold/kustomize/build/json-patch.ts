import {
  type Fields,
  fieldsOf,
  isFields,
  isList,
  sameValue,
  textOf,
  type Value,
  withField,
} from "../../../yaml/plain-values.ts";

/**
 * Applies an RFC 6902 patch.
 *
 * @throws Error with the operation that failed
 */
export function applyJsonPatch(object: Fields, patch: readonly Value[]): Fields {
  return patch.reduce<Fields>((now, step) => {
    const { op, path, from, value } = fieldsOf(step);
    const at = pointer(textOf(path));
    const fail = () => new Error(`${textOf(op) || "a step without op"} ${textOf(path)}: there is no such place`);
    switch (op) {
      case "add":
      case "replace":
        if (value === undefined) throw fail();
        return put(now, at, value, op === "add", fail) as Fields;
      case "remove":
        return take(now, at, fail) as Fields;
      case "move":
      case "copy": {
        const source = pointer(textOf(from));
        const moved = look(now, source, fail);
        return put(op === "move" ? take(now, source, fail) : now, at, moved, true, fail) as Fields;
      }
      case "test":
        if (!sameValue(look(now, at, fail), value)) throw new Error(`test ${textOf(path)}: another value is there`);
        return now;
      default:
        throw fail();
    }
  }, object);
}

function pointer(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function look(value: Value | undefined, path: readonly string[], fail: () => Error): Value {
  const found = path.reduce<Value | undefined>(
    (at, key) => (isList(at) ? at[Number(key)] : isFields(at) ? at[key] : undefined),
    value,
  );
  if (found === undefined) throw fail();
  return found;
}

function put(at: Value | undefined, path: readonly string[], value: Value, add: boolean, fail: () => Error): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isList(at)) {
    const index = key === "-" ? at.length : Number(key);
    const last = rest.length === 0 && add;
    if (!Number.isInteger(index) || index < 0 || index > at.length - (last ? 0 : 1)) throw fail();
    const item = last ? value : put(at[index], rest, value, add, fail);
    return [...at.slice(0, index), item, ...at.slice(last ? index : index + 1)];
  }
  if (!isFields(at) || ((rest.length > 0 || !add) && at[key] === undefined)) throw fail();
  return withField(at, key, rest.length === 0 ? value : put(at[key], rest, value, add, fail));
}

function take(at: Value | undefined, path: readonly string[], fail: () => Error): Value {
  const [key = "", ...rest] = path;
  if (isList(at)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index >= at.length) throw fail();
    if (rest.length === 0) return at.filter((_, each) => each !== index);
    return at.map((each, position) => (position === index ? take(each, rest, fail) : each));
  }
  if (!isFields(at) || at[key] === undefined) throw fail();
  return withField(at, key, rest.length === 0 ? undefined : take(at[key], rest, fail));
}
