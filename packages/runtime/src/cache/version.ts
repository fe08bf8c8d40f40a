/**
 * Returns a resource version as a number, or `undefined` if it isn't one. Kubernetes 1.35 documents that the versions of one
 * resource compare as integers. All earlier servers behave the same way.
 */
export function versionNumber(resourceVersion: string | undefined): bigint | undefined {
  return resourceVersion !== undefined && /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}
