import type { Condition } from "../model/conditions.ts";
import type { ResourceType } from "../model/resource.ts";

/** The remaining content of a namespace that is being deleted. */
export interface Content {
  /** The number of objects that remain, by resource. */
  remaining: Map<ResourceType, number>;
  /** The number of objects that have a finalizer, by its name. */
  finalizers: Map<string, number>;
  /** Why objects couldn't be deleted. */
  problems: string[];
  /** Whether only Pods were looked at, because they are deleted before everything else. */
  onlyPods: boolean;
}

/**
 * Describes what keeps a namespace from being removed, as the namespace controller of Kubernetes does.
 *
 * @param content - what is left
 * @returns the conditions of the namespace
 */
export function namespaceConditions({ remaining, finalizers, problems, onlyPods }: Content): Condition[] {
  const resources = onlyPods
    ? []
    : [...remaining].map(([type, count]) => `${type.resource}.${type.group} has ${count}`);
  const kept = onlyPods ? [] : [...finalizers].map(([name, count]) => `${name} in ${count}`);
  const instances = (parts: string[]): string =>
    parts
      .map((part) => `${part} resource instances`)
      .sort()
      .join(", ");
  const failures = problems.toSorted().join(", ");
  return [
    ok("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    ok(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    problems.length > 0
      ? {
          type: "NamespaceDeletionContentFailure",
          status: "True",
          reason: "ContentDeletionFailed",
          message: `Failed to delete all resource types, ${problems.length} remaining: ${failures}`,
        }
      : ok(
          "NamespaceDeletionContentFailure",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        ),
    resources.length > 0
      ? {
          type: "NamespaceContentRemaining",
          status: "True",
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${instances(resources)}`,
        }
      : ok("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
    kept.length > 0
      ? {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${instances(kept)}`,
        }
      : ok("NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
  ];
}

function ok(type: string, reason: string, message: string): Condition {
  return { type, status: "False", reason, message };
}
