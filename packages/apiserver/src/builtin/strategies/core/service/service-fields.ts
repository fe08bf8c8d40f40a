import type { JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../../model/resource.ts";

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

/** Returns the specification of a Service, or an empty one. */
export function specOf(service: ApiObject): JsonObject {
  return (service.spec ?? {}) as JsonObject;
}

/** Returns the ports of a Service. */
export function portsOf(service: ApiObject): Port[] {
  return (specOf(service).ports ?? []) as Port[];
}

/** Returns the addresses that are assigned to a Service in the cluster. */
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

/** Reports whether a Service gets node ports that the client doesn't choose. */
export function getsNodePorts(spec: JsonObject): boolean {
  return spec.type === "NodePort" || (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
}

/** Reports whether load balancers check the health of the nodes of a Service, which need a port for that. */
export function checksHealth({ type, externalTrafficPolicy }: JsonObject): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Returns the ports of nodes that are assigned to a Service. */
export function nodePorts(service: ApiObject): number[] {
  const spec = specOf(service);
  const check = checksHealth(spec) ? [spec.healthCheckNodePort as number | undefined] : [];
  return [...portsOf(service).map(({ nodePort }) => nodePort), ...check].filter((port): port is number =>
    Boolean(port),
  );
}
