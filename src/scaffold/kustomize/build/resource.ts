import { GoPatterns } from "../../../regex/go-patterns.ts";
import { type Fields, fieldsOf, isFields, textOf, type Value, withField } from "../../../yaml/plain-values.ts";

/** An object of a kustomization, with its names before renaming, which patches and references may use. */
export interface Resource {
  /** The path of its file, relative to the project. */
  readonly origin: string;
  readonly object: Fields;
  /** All of its names, starting with the one in the file. */
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
}

export function resourceFrom(object: Fields, origin: string): Resource {
  return { origin, object, names: [nameOf(object)], namespaces: [namespaceOf(object)] };
}

export function nameOf(object: Fields): string {
  return textOf(fieldsOf(object.metadata).name);
}

export function namespaceOf(object: Fields): string {
  return textOf(fieldsOf(object.metadata).namespace);
}

/** Returns the resource with a changed object. A new name is added to its names. */
export function changed(resource: Resource, object: Fields): Resource {
  if (object === resource.object) return resource;
  const add = (all: readonly string[], name: string) => (all.includes(name) ? all : [...all, name]);
  return {
    ...resource,
    object,
    names: add(resource.names, nameOf(object)),
    namespaces: add(resource.namespaces, namespaceOf(object)),
  };
}

export function withMetadata(object: Fields, key: string, value: Value): Fields {
  return { ...object, metadata: withField(fieldsOf(object.metadata), key, value) };
}

/** Selects objects in patches and replacements. */
export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

export function selectorFrom(value: Value | undefined): Selector {
  return isFields(value) ? (value as Selector) : {};
}

/** Selectors are Go regular expressions. */
const patterns = new GoPatterns();

/** Whether a selector matches a resource. Name patterns must match the whole name. */
export function selects(selector: Selector, { object, names, namespaces }: Resource): boolean {
  const [group, version] = groupVersionOf(object);
  const { labels, annotations } = fieldsOf(object.metadata);
  const isName = (pattern: string | undefined, all: readonly string[]) =>
    pattern === undefined || pattern === "" || all.some((name) => patterns.test(`^(?:${pattern})$`, name) === true);
  return (
    isName(selector.group, [group]) &&
    isName(selector.version, [version]) &&
    isName(selector.kind, [textOf(object.kind)]) &&
    isName(selector.name, names) &&
    isName(selector.namespace, namespaces) &&
    hasAll(selector.labelSelector, labels) &&
    hasAll(selector.annotationSelector, annotations)
  );
}

export function groupVersionOf(object: Fields): [group: string, version: string] {
  const parts = textOf(object.apiVersion).split("/");
  return [parts.length > 1 ? (parts[0] ?? "") : "", parts.at(-1) ?? ""];
}

/** Checks label selectors of the forms `a=b`, `a==b`, `a!=b`, `a` and `!a`. */
function hasAll(selector: string | undefined, of: Value | undefined): boolean {
  const values = fieldsOf(of);
  return (selector ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .every((part) => {
      const [, key = "", not, value = ""] = /^([^=!]+)(!?)==?(.*)$/.exec(part) ?? [];
      if (key !== "") return (values[key.trimEnd()] === value.trimStart()) !== (not === "!");
      return part.startsWith("!") ? values[part.slice(1)] === undefined : values[part] !== undefined;
    });
}
