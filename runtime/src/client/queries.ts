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
    // Asked for always: by them a dead connection is told from a quiet one.
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
  };
}

/** The namespace of a request over many objects. A selector on the namespace means that namespace: its own rights are enough then. */
export function namespaceOf(options: Pick<ListOptions, "namespace" | "fields">): string | undefined {
  if (options.namespace) return options.namespace;
  return options.fields?.["metadata.namespace"] ?? options.fields?.[".metadata.namespace"];
}

/** The body of a DELETE; `undefined` where the server's defaults are wanted. */
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
