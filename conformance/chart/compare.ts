// Normalizes the output of kustomize and Helm for comparison.
import { type Json, nameOf, objectsIn } from "../../scripts/test-support/manifests.ts";

const helms = ["app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "helm.sh/chart"];

/**
 * Removes expected differences from the objects: the Namespace, which Helm creates itself, the labels for the managing tool
 * and the release, and the annotation that keeps CRDs. Empty lists and maps are treated as missing.
 */
export function comparable(text: string): Record<string, Json> {
  const objects = Object.values(objectsIn(text)).filter(({ kind }) => kind !== "Namespace");
  return Object.fromEntries(objects.map((object) => [nameOf(object), withoutEmpty(withoutHelm(object)) as Json]));
}

function withoutHelm(object: Json): Json {
  const copy = structuredClone(object) as Json & { metadata: { labels?: Json; annotations?: Json } };
  for (const label of helms) delete copy.metadata.labels?.[label];
  delete copy.metadata.annotations?.["helm.sh/resource-policy"];
  return copy;
}

function withoutEmpty(value: unknown, key = ""): unknown {
  // A rule with an empty list, and an issuer with only a name, have a meaning. Without a CA, kustomize writes null and Helm
  // an empty string, which are the same for the API server.
  if (key === "caBundle" && value === "") return undefined;
  if (key === "selfSigned" || key === "subresources" || key === "status") return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((each) => withoutEmpty(each));
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const entries = Object.entries(value).map(([name, each]) => [name, withoutEmpty(each, name)] as const);
  const kept = entries.filter(([, each]) => each !== undefined);
  return kept.length === 0 && Object.keys(value).length === 0 ? undefined : Object.fromEntries(kept);
}
