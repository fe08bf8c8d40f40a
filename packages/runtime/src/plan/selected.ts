import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "../client/label-selector.ts";
import type { TransportRequest } from "../transport/transport.ts";

/**
 * Returns whether a list or watch selects an object.
 *
 * @param query - the query of the request
 * @returns a function of the object
 */
export function selection(query: TransportRequest["query"] = {}): (object: KubernetesObject) => boolean {
  const { labelSelector, fieldSelector } = query;
  const hasLabels = labelMatcher(labelSelector === undefined ? undefined : String(labelSelector));
  const fields = String(fieldSelector ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => {
      const at = text.search(/[!=]/);
      const [path, rest] = [text.slice(0, at), text.slice(at)];
      return {
        path: path.trim().split("."),
        isEqual: !rest.startsWith("!"),
        value: rest.replace(/^[!=]=?/, "").trim(),
      };
    });
  return (object) =>
    hasLabels(object.metadata?.labels) &&
    fields.every(({ path, isEqual, value }) => (textAt(object, path) === value) === isEqual);
}

function textAt(object: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], object);
  return value === undefined || value === null ? "" : String(value);
}
