import type { ApplyOptions, DeleteOptions, ListOptions, WatchOptions, WriteOptions } from "./client.ts";
import { fieldSelector, labelSelector } from "./selectors.ts";

export type Query = Record<string, string | number | boolean | undefined>;

export function writeQuery(options: WriteOptions): Query {
  return {
    fieldManager: options.fieldOwner,
    dryRun: options.dryRun ? "All" : undefined,
    fieldValidation: options.fieldValidation,
  };
}

export function applyQuery(options: ApplyOptions): Query {
  if (!options?.fieldOwner)
    throw new TypeError("apply requires a fieldOwner, the name under which servers record the owner of fields");
  return { ...writeQuery(options), force: options.force };
}

export function selectorQuery(options: Pick<ListOptions, "labels" | "fields">): Query {
  return { labelSelector: labelSelector(options.labels), fieldSelector: fieldSelector(options.fields) };
}

export function listQuery(options: ListOptions): Query {
  return {
    ...selectorQuery(options),
    limit: options.limit,
    continue: options.continue || undefined,
    resourceVersion: options.resourceVersion,
  };
}

export function watchQuery(options: WatchOptions): Query {
  return {
    ...selectorQuery(options),
    watch: true,
    // Always requested, because missing bookmarks reveal a dead connection.
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
  };
}

/**
 * Returns the namespace of a request for many objects. A field selector on the namespace is used as the namespace, so that
 * permissions for that namespace are sufficient.
 */
export function namespaceOf(options: Pick<ListOptions, "namespace" | "fields">): string | undefined {
  if (options.namespace) return options.namespace;
  return options.fields?.["metadata.namespace"] ?? options.fields?.[".metadata.namespace"];
}

/** Returns the body of a DELETE, or `undefined` to use the server's defaults. */
export function deleteBody(options: DeleteOptions): Record<string, unknown> | undefined {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const wishes = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  if (Object.keys(wishes).length === 0) return undefined;
  return { apiVersion: "v1", kind: "DeleteOptions", ...wishes };
}
