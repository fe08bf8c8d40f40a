import type { KubernetesObject } from "../api/index.ts";

type Service = KubernetesObject & {
  spec?: { clusterIP?: string; clusterIPs?: string[]; healthCheckNodePort?: number; ports?: { nodePort?: number }[] };
};

/**
 * Returns a Service without its addresses and ports. The server answers a dry run with values that it doesn't accept in a
 * further one, such as the first address of its range. It has checked those of the operator in the first write.
 */
export function withoutAllocations(object: KubernetesObject): KubernetesObject {
  const { spec } = object as Service;
  if (object.kind !== "Service" || object.apiVersion !== "v1" || !spec) return object;
  const { clusterIP, clusterIPs, healthCheckNodePort: _, ports, ...rest } = spec;
  // A Service without an address keeps None, which is a setting.
  const headless = clusterIP === "None" ? { clusterIP, ...(clusterIPs ? { clusterIPs } : {}) } : {};
  const free = ports?.map(({ nodePort: __, ...port }) => port);
  return { ...object, spec: { ...rest, ...headless, ...(free ? { ports: free } : {}) } } as Service;
}
