import type { ApiObject } from "../model/resource.ts";
import { badRequest } from "../model/status.ts";
import { matchesFields, requiredValue } from "../request/field-selector.ts";
import { matchesLabels } from "../request/label-selector.ts";
import type { ListOptions } from "../request/options.ts";
import { parseShardSelector, type ShardSelector } from "../request/shard-selector.ts";
import type { Scope } from "./scope.ts";

/** Decides whether an object belongs to a list or watch. */
export type Matcher = (object: ApiObject) => boolean;

/** The objects of a list or watch. */
export interface Selection {
  /** Undefined if all objects match. */
  matches: Matcher | undefined;
  /** Decides by the key of an object that it doesn't match, without reading the object. Undefined if keys aren't enough. */
  excludes: ((key: string) => boolean) | undefined;
  /** The shard selector in canonical form, if the request has one. */
  shard: string | undefined;
}

/**
 * Reads the selectors of a list or watch.
 *
 * @param scope - the request
 * @param options - its options
 * @returns the objects that they select
 * @throws StatusError (400) for a field that can't be selected, or an invalid shard selector
 */
export function selectionOf(scope: Scope, options: ListOptions): Selection {
  const matches = matcher(scope, options);
  const shard = shardOf(scope, options);
  if (shard === undefined) return { matches, excludes: undefined, shard };
  const { namespaced } = scope.type;
  return {
    excludes: shard.isByNamespace
      ? (key) => !shard.matches({ namespace: namespaced ? key.slice(0, key.indexOf("/")) : "" })
      : undefined,
    matches: (object) => shard.matches(object.metadata) && (matches === undefined || matches(object)),
    shard: shard.text,
  };
}

function shardOf(scope: Scope, { shardSelector }: ListOptions): ShardSelector | undefined {
  if (shardSelector === "" || !scope.engine.gates.enabled("ShardedListAndWatch")) return undefined;
  try {
    return parseShardSelector(shardSelector);
  } catch (error) {
    throw badRequest(`invalid shard selector: ${(error as Error).message}`);
  }
}

function matcher(scope: Scope, options: ListOptions): Matcher | undefined {
  const { labelSelector } = options;
  // A requirement without a field and a value selects everything.
  const fieldSelector = options.fieldSelector.filter(({ field, value }) => field !== "" || value !== "");
  const { fields } = scope.version;
  const byValues = fieldSelector.flatMap((requirement) => {
    const values = scope.engine.fieldIndex?.(scope.type, requirement.field);
    return values === undefined ? [] : [{ requirement, values }];
  });
  // The objects of the cluster have no namespace. Only built-in kinds without fields of their own can be selected by it.
  const hasNamespace = scope.type.namespaced || (!scope.type.custom && Object.keys(fields).length === 0);
  const byText = fieldSelector.filter(
    (fieldRequirement) => !byValues.some(({ requirement }) => requirement === fieldRequirement),
  );
  for (const { field } of byText) {
    if (field === "metadata.name" || (field === "metadata.namespace" && hasNamespace)) continue;
    if (Object.hasOwn(fields, field)) continue;
    throw badRequest(fieldProblem(scope, field));
  }
  const name = scope.info.name;
  // Only old paths of watches name an object beside the selector.
  if (
    name !== "" &&
    options.fieldSelector.length > 0 &&
    requiredValue(options.fieldSelector, "metadata.name") !== name
  ) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  if (labelSelector.length === 0 && fieldSelector.length === 0 && name === "") return undefined;
  return (object) => {
    const { metadata } = object;
    if (name !== "" && metadata.name !== name) return false;
    if (!matchesLabels(labelSelector, metadata.labels)) return false;
    for (const { requirement, values } of byValues) {
      if (values(object).includes(requirement.value) !== (requirement.operator === "=")) return false;
    }
    return matchesFields(byText, (field) => {
      if (field === "metadata.name") return metadata.name ?? "";
      if (field === "metadata.namespace") return metadata.namespace ?? "";
      return fields[field]?.(object) ?? "";
    });
  };
}

function fieldProblem(scope: Scope, field: string): string {
  if (scope.type.custom) return `field label not supported: ${field}`;
  const extra = Object.keys(scope.version.fields);
  const { group, kind } = scope.type;
  if (group === "batch" && kind === "Job") return `field label ${JSON.stringify(field)} not supported for Job`;
  if (group === "resource.k8s.io" && kind === "ResourceSlice")
    return `field label not supported for ${scope.apiVersion}, Kind=${kind}: ${field}`;
  if (extra.length > 0) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
