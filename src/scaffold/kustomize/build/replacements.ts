import {
  type Fields,
  fieldsOf,
  isFields,
  isList,
  listOf,
  textOf,
  type Value,
  withField,
} from "../../../yaml/plain-values.ts";
import { changed, type Resource, selectorFrom, selects } from "./resource.ts";

/**
 * Copies fields between objects for an entry of `replacements`.
 *
 * @throws Error if the source isn't found
 */
export function applyReplacement(resources: readonly Resource[], replacement: Value): Resource[] {
  const { source, targets } = fieldsOf(replacement);
  if (source === undefined) throw new Error("a replacement without source isn't understood");
  const value = readSource(resources, fieldsOf(source));
  return listOf(targets).reduce<Resource[]>(
    (all, target) => all.map((resource) => replaceIn(resource, fieldsOf(target), value)),
    [...resources],
  );
}

function readSource(resources: readonly Resource[], source: Fields): Value {
  const selected = resources.filter((resource) => selects(selectorFrom(source), resource));
  const { kind, name } = selectorFrom(source);
  if (selected.length !== 1) throw new Error(`the source ${kind} ${name} is there ${selected.length} times, not once`);
  const path = parsePath(textOf(source.fieldPath) || "metadata.name");
  const value = path.reduce<Value | undefined>(step, selected[0]?.object);
  if (value === undefined) throw new Error(`the source ${kind} ${name} has no ${textOf(source.fieldPath)}`);
  const { delimiter, index } = fieldsOf(source.options);
  return typeof delimiter === "string" ? (String(value).split(delimiter)[Number(index ?? 0)] ?? "") : value;
}

function replaceIn(resource: Resource, target: Fields, value: Value): Resource {
  if (!selects(selectorFrom(target.select), resource)) return resource;
  if (listOf(target.reject).some((reject) => selects(selectorFrom(reject), resource))) return resource;
  const options = fieldsOf(target.options);
  const paths = isList(target.fieldPaths) ? target.fieldPaths.map(textOf) : ["metadata.name"];
  const object = paths.reduce<Fields>((now, path) => {
    const written = write(now, parsePath(path), (old) => joined(old, value, options), options.create === true);
    if (written === undefined) throw new Error(`${textOf(now.kind)} ${resource.names[0]} has no ${path}`);
    return written as Fields;
  }, resource.object);
  return changed(resource, object);
}

/** Inserts the value at its index in a delimited string, if the options specify one. */
function joined(old: Value | undefined, value: Value, { delimiter, index }: Fields): Value {
  if (typeof delimiter !== "string" || delimiter === "") return value;
  const parts = String(old ?? "").split(delimiter);
  const at = Number(index ?? 0);
  if (at < 0) parts.unshift(String(value));
  else if (at >= parts.length) parts.push(String(value));
  else parts[at] = String(value);
  return parts.join(delimiter);
}

/**
 * Splits a path such as `.metadata.annotations.[cert-manager.io/inject-ca-from]`. Dots may be escaped, and brackets can
 * contain any characters.
 */
function parsePath(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)(?:\]|$)|((?:\\.|[^.[\]\\])+)/g)].map(([, inBrackets, plain = ""]) =>
    inBrackets === undefined ? plain.replace(/\\(.)/g, "$1") : inBrackets,
  );
}

function step(at: Value | undefined, key: string): Value | undefined {
  if (isList(at)) return at[Number(key)] ?? at.find((item) => isItem(item, key));
  return isFields(at) ? at[key] : undefined;
}

/** Whether a list item matches `name=value`. */
function isItem(item: Value, key: string): boolean {
  const [, name = "", value] = /^([^=]+)=(.*)$/.exec(key) ?? [];
  return isFields(item) && name !== "" && String(item[name]) === value;
}

function write(
  at: Value | undefined,
  path: readonly string[],
  change: (old: Value | undefined) => Value,
  create: boolean,
): Value | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return at === undefined && !create ? undefined : change(at);
  if (isList(at)) {
    let isWritten = false;
    const items = at.map((item, index) => {
      if (key !== "*" && key !== String(index) && !isItem(item, key)) return item;
      const written = write(item, rest, change, create);
      isWritten ||= written !== undefined;
      return written ?? item;
    });
    return isWritten ? items : undefined;
  }
  const fields = at === undefined && create ? {} : at;
  if (!isFields(fields)) return undefined;
  const written = write(fields[key], rest, change, create);
  return written === undefined ? undefined : withField(fields, key, written);
}
