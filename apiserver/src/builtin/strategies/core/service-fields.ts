import type { JsonObject } from "../../../json/json.ts";
import type { ApiObject } from "../../../registry/resource.ts";

/** The address of Services without an address of their own. */
export const headless = "None";

/** A port of a Service. */
export interface Port extends JsonObject {
  name?: string;
  port?: number;
  protocol?: string;
  nodePort?: number;
  targetPort?: number | string;
}

/** @returns the specification of a Service, or an empty one */
export function specOf(service: ApiObject): JsonObject {
  return (service.spec ?? {}) as JsonObject;
}

/** @returns the ports of a Service */
export function portsOf(service: ApiObject): Port[] {
  return (specOf(service).ports ?? []) as Port[];
}

/** @returns the addresses that are assigned to a Service in the cluster */
export function addressesOf(service: ApiObject): string[] {
  return ((specOf(service).clusterIPs ?? []) as string[]).filter((address) => address !== headless && address !== "");
}

/** Reports whether a Service has no address of its own. */
export function isHeadless(service: ApiObject): boolean {
  return specOf(service).clusterIP === headless;
}

/** Reports whether a Service of this type has node ports by default. */
export function hasNodePorts({ type }: JsonObject): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Reports whether a Service accepts connections from outside of the cluster. */
export function isReachableFromOutside(spec: JsonObject): boolean {
  return hasNodePorts(spec) || (spec.type === "ClusterIP" && ((spec.externalIPs ?? []) as string[]).length > 0);
}

/** @returns the node ports that are assigned to a Service */
export function nodePorts(service: ApiObject): number[] {
  return portsOf(service).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}
