import type { KubernetesObject } from "../api/index.ts";
import { cloneJson } from "../json/clone.ts";
import { mergeDiff } from "./merge-diff.ts";

/** The content types by which API servers tell patches apart. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** How an object is to change. Made by {@link mergeFrom}, {@link jsonPatch} and {@link rawPatch}. */
export interface Patch {
  readonly type: PatchType;
  /** The patch document for the object as it is now. */
  data(object: KubernetesObject): unknown;
}

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; path: string; from: string };

/** How {@link mergeFrom} guards against other writers. */
export interface MergeFromOptions {
  /** Fail with a conflict when somebody else has changed the object since `before` was read. */
  optimisticLock?: boolean;
}

/**
 * A merge patch (RFC 7386) of what was changed since `before`. `before` is copied at once, the difference is computed when the patch
 * is sent. Lists are replaced as a whole; nothing changed is sent as `{}`.
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
          "mergeFrom with optimisticLock needs an object that was read from the server: it has no resourceVersion",
        );
      }
      return { ...diff, metadata: { ...(diff.metadata as object | undefined), resourceVersion } };
    },
  });
}

/**
 * A JSON patch (RFC 6902).
 *
 * @example
 * await client.patch(game, jsonPatch([{ op: "replace", path: "/spec/replicas", value: 3 }]));
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return rawPatch("application/json-patch+json", operations);
}

/** A patch document that is sent as it is. */
export function rawPatch(type: PatchType, data: unknown): Patch {
  const document = cloneJson(data);
  return Object.freeze({ type, data: () => document });
}
