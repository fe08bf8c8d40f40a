import type { KubernetesObject } from "../api/index.ts";
import { cloneJson } from "../json/clone.ts";
import { mergeDiff } from "./merge-diff.ts";

/** Content types of patches. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** Describes a change of an object. Created by {@link mergeFrom}, {@link jsonPatch} and {@link rawPatch}. */
export interface Patch {
  /** Content type of the patch. */
  readonly type: PatchType;
  /**
   * Returns the patch document.
   *
   * @param object - the object with the desired state
   * @returns a JSON value
   */
  data(object: KubernetesObject): unknown;
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; path: string; from: string };

/** Options of {@link mergeFrom}. */
export interface MergeFromOptions {
  /**
   * Rejects the patch with a conflict if the object was changed since `before` was read.
   *
   * @defaultValue false
   */
  optimisticLock?: boolean;
}

/**
 * Creates a merge patch (RFC 7386) of the changes since `before`. `before` is copied immediately; the difference is
 * computed when the patch is sent. Lists are replaced as a whole. Without changes, the patch is `{}`.
 *
 * @param before - the object before its changes
 * @param options - see {@link MergeFromOptions}
 * @returns the patch; {@link Client.patch} throws a `TypeError` if `optimisticLock` is set and `before` has no resource
 * version
 *
 * @example
 * const patch = mergeFrom(game);
 * game.metadata.labels = { ...game.metadata.labels, tier: "gold" };
 * await client.patch(game, patch);
 */
export function mergeFrom(before: KubernetesObject, options: MergeFromOptions = {}): Patch {
  const original = cloneJson(before);
  return Object.freeze({
    type: "application/merge-patch+json" as const,
    data(object: KubernetesObject): unknown {
      const diff = mergeDiff(original, object);
      if (!options.optimisticLock) return diff;
      const resourceVersion = original.metadata?.resourceVersion;
      if (!resourceVersion) {
        throw new TypeError(
          "mergeFrom with optimisticLock requires an object that was read from the server: this one has no resourceVersion",
        );
      }
      return { ...diff, metadata: { ...(diff.metadata as object | undefined), resourceVersion } };
    },
  });
}

/**
 * Creates a JSON patch (RFC 6902).
 *
 * @param operations - the operations, in order
 * @returns the patch
 *
 * @example
 * await client.patch(game, jsonPatch([{ op: "replace", path: "/spec/replicas", value: 3 }]));
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return rawPatch("application/json-patch+json", operations);
}

/**
 * Creates a patch that is sent unchanged.
 *
 * @param type - the content type
 * @param data - the patch document, a JSON value
 * @returns the patch
 */
export function rawPatch(type: PatchType, data: unknown): Patch {
  const document = cloneJson(data);
  return Object.freeze({ type, data: () => document });
}
