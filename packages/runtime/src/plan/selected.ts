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
    .flatMap((text) => {
      const [, path, operator, value = ""] = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(text) ?? [];
      return path === undefined ? [] : [{ path: path.split("."), isEqual: operator !== "!=", value }];
    });
  return (object) =>
    hasLabels(object.metadata?.labels) &&
    fields.every(({ path, isEqual, value }) => (textAt(object, path) === value) === isEqual);
}

function textAt(object: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], object);
  return value === undefined || value === null ? "" : String(value);
}
