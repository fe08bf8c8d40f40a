import type { Json, JsonObject } from "@kubewright/cel/json";

/** Changes of an object by path, such as `spec/ports/0/port`. An undefined value removes the field. */
export type Changes = Readonly<Record<string, Json | undefined>>;

/** The writes of one kind. Each is sent with the object and one set of changes. */
export interface KindCases {
  /** The path of the collection. */
  path: string;
  /** A valid object. */
  object: JsonObject;
  /** New objects: the object with changes. The unchanged object is always one of the cases. */
  creations?: Readonly<Record<string, Changes>>;
  /** Updates: the object is created, then replaced by itself with changes. */
  updates?: Readonly<Record<string, Changes>>;
  /** Updates of the subresource `status`. */
  statuses?: Readonly<Record<string, Changes>>;
  /** True if the real server changes new objects immediately, so that updates would conflict. */
  changesAtOnce?: true;
  /** Updates of other subresources. */
  subresources?: Readonly<Record<string, Readonly<Record<string, Changes>>>>;
  /** Updates of objects that are created with other changes. */
  pairs?: Readonly<Record<string, readonly [Changes, Changes]>>;
}

/** Makes each case of a change to one field. */
export function each(path: string, ...values: (Json | undefined)[]): Record<string, Changes> {
  return Object.fromEntries(values.map((value) => [`${path} = ${shortened(value)}`, { [path]: value }]));
}

/** Shortens long values, which would only fill the names of cases. */
function shortened(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length <= 240 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

/**
 * Changes a copy of an object.
 *
 * @param object - the object
 * @param changes - the changes
 * @returns the changed copy
 */
export function changed(object: JsonObject, changes: Changes): JsonObject {
  const result = structuredClone(object);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split("/").map((key) => key.replaceAll("~1", "/"));
    const last = keys.pop() as string;
    let parent = result as Record<string, Json | undefined>;
    for (const [index, key] of keys.entries()) {
      parent[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
      parent = parent[key] as Record<string, Json | undefined>;
    }
    if (value === undefined) delete parent[last];
    else parent[last] = structuredClone(value);
  }
  return result;
}
