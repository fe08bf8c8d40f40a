import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "../cache/label-selector.ts";
import type { ListOptions } from "../client/client.ts";
import { fieldPath } from "../client/selectors.ts";
import { ApiError } from "../errors/api-error.ts";
import { groupKind, type Kind } from "../kind.ts";
import type { KindId } from "./kinds.ts";

/** An index of {@link fakeClient}, which allows selecting a kind by a field. */
export interface FakeIndex {
  /** The kind. */
  kind: Kind;
  /** The field, as in `fields` of {@link ListOptions}; the leading dot is optional. */
  field: string;
  /**
   * Returns the values of an object.
   *
   * @param object - the object
   * @returns values by which the object is selected
   */
  values(object: KubernetesObject): readonly (string | undefined)[];
}

export type Matcher = (object: KubernetesObject) => boolean;

/** Fields that can be selected without an index. */
const BUILT_IN: Readonly<Record<string, (object: KubernetesObject) => string>> = {
  "metadata.name": ({ metadata }) => metadata?.name ?? "",
  "metadata.namespace": ({ metadata }) => metadata?.namespace ?? "",
};

/**
 * Compiles the selectors of a request.
 *
 * @throws an `ApiError` for invalid selectors
 */
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
  // A real client validates such labels before it sends a request.
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
    `field label not supported: ${path}; to select ${id.kind} by it, add { kind: ${id.kind}, field: "${path}", values } to the \`indexes\` of fakeClient`,
  );
}
