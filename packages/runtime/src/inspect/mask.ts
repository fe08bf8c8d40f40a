import type { KubernetesObject } from "../api/index.ts";
import { masked, maskedChange } from "../secrets/masked.ts";
import { isSecretCopy, secretTexts } from "../secrets/secret-copy.ts";

type Values = Readonly<Record<string, unknown>>;
type SecretLike = KubernetesObject & { data?: Values; stringData?: Values };

function isSecret(object: KubernetesObject): boolean {
  return object.kind === "Secret" && (object.apiVersion === "v1" || object.apiVersion === undefined);
}

/**
 * Returns an object without the values of a Secret, for people. Other objects are returned as they are.
 *
 * @param object - the object
 * @param before - its previous state: values that differ from it are marked as changed, so that a diff shows them
 * @returns the object with masked values
 */
export function maskSecret(object: KubernetesObject, before?: KubernetesObject): KubernetesObject {
  if (!isSecret(object)) return object;
  const { data, stringData, metadata, ...rest } = object as SecretLike;
  const old = before as SecretLike | undefined;
  return {
    ...rest,
    ...(metadata ? { metadata: maskedMetadata(metadata, [...secretTexts(object), ...secretTexts(before ?? {})]) } : {}),
    ...(data ? { data: maskedValues(data, old?.data) } : {}),
    ...(stringData ? { stringData: maskedValues(stringData, old?.stringData) } : {}),
  } as KubernetesObject;
}

function maskedValues(values: unknown, before: unknown): unknown {
  if (typeof values !== "object" || values === null) return masked;
  const old = typeof before === "object" && before !== null ? (before as Values) : undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      old && Object.hasOwn(old, name) && old[name] !== value ? maskedChange : masked,
    ]),
  );
}

function maskedMetadata(
  metadata: NonNullable<KubernetesObject["metadata"]>,
  values: readonly string[],
): typeof metadata {
  if (!metadata.annotations) return metadata;
  const annotations = Object.entries(metadata.annotations).map(([name, value]) => [
    name,
    isSecretCopy(value, values) ? masked : value,
  ]);
  return { ...metadata, annotations: Object.fromEntries(annotations) as Record<string, string> };
}
