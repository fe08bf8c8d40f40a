import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "../cache/label-selector.ts";
import type { ListOptions } from "../client/client.ts";
import { fieldPath } from "../client/selectors.ts";
import { ApiError } from "../errors/api-error.ts";
import { groupKind, type Kind } from "../kind.ts";
import type { KindId } from "./kinds.ts";

/** What a field selector may ask for on a kind. */
export interface FakeIndex {
  kind: Kind;
  /** As in `fields`: the leading dot is optional. */
  field: string;
  /** The values that an object is found under. */
  values(object: KubernetesObject): readonly (string | undefined)[];
}

export type Matcher = (object: KubernetesObject) => boolean;

/** Fields that can be asked for without an index. */
const BUILT_IN: Readonly<Record<string, (object: KubernetesObject) => string>> = {
  "metadata.name": ({ metadata }) => metadata?.name ?? "",
  "metadata.namespace": ({ metadata }) => metadata?.namespace ?? "",
};

/** Compiles the selectors of a request. Throws an `ApiError` for one that can't be answered. */
export function matcherFor(
  id: KindId,
  { namespace, labels, fields }: Pick<ListOptions, "namespace" | "labels" | "fields">,
  indexes: readonly FakeIndex[],
): Matcher {
  const byLabels = labelMatcherOf(labels);
  const byFields = Object.entries(fields ?? {}).map(([path, value]) =>
    fieldMatcher(id, fieldPath(path), value, indexes),
  );
  return (object) =>
    (!namespace || object.metadata?.namespace === namespace) &&
    byLabels(object.metadata?.labels) &&
    byFields.every((matches) => matches(object));
}

function labelMatcherOf(labels: ListOptions["labels"]): ReturnType<typeof labelMatcher> {
  // As a client does, which sends no such request.
  if (typeof labels === "object") return labelMatcher(labels);
  try {
    return labelMatcher(labels);
  } catch (error) {
    throw ApiError.badRequest(`unable to parse requirement: ${error instanceof Error ? error.message : error}`);
  }
}

function fieldMatcher(id: KindId, path: string, value: string, indexes: readonly FakeIndex[]): Matcher {
  const index = indexes.find(({ kind, field }) => groupKind(kind) === groupKind(id) && fieldPath(field) === path);
  if (index) return (object) => index.values(object).includes(value);
  const read = BUILT_IN[path];
  if (read) return (object) => read(object) === value;
  throw ApiError.badRequest(
    `field label not supported: ${path}; fakeClient finds ${id.kind} by it when \`indexes\` has { kind: ${id.kind}, field: "${path}", values }`,
  );
}
