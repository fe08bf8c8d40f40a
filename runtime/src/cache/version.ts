/**
 * A resource version as a number: Kubernetes 1.35 documents that versions of one resource compare as integers, and all servers
 * before it behave so. `undefined` where it is none.
 */
export function versionNumber(resourceVersion: string | undefined): bigint | undefined {
  return resourceVersion !== undefined && /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}
