import type { Json, JsonObject } from "../../../json/json.ts";
import { cloneJson, equalJson } from "../../../json/values.ts";
import type { ApiObject } from "../../../registry/resource.ts";
import { hasNodePorts, isReachableFromOutside, portsOf, specOf } from "./service-fields.ts";

/** Drops fields that the new type doesn't have, unless the client changed them too, which validation refuses. */
export function dropFieldsOfOldType(service: ApiObject, old: ApiObject): void {
  const spec = specOf(service);
  const before = specOf(old);
  const drop = (...keys: string[]): void => {
    if (keys.every((key) => equalJson((spec[key] ?? null) as Json, (before[key] ?? null) as Json)))
      for (const key of keys) delete spec[key];
  };
  if (before.type !== "ExternalName" && spec.type === "ExternalName") {
    drop("clusterIP", "clusterIPs");
    drop("ipFamilies");
    drop("ipFamilyPolicy");
    drop("internalTrafficPolicy");
  }
  if (hasNodePorts(before) && !hasNodePorts(spec)) {
    const values = (of: ApiObject): Json => portsOf(of).map(({ nodePort = 0 }) => nodePort);
    if (equalJson(values(service), values(old))) for (const port of portsOf(service)) delete port.nodePort;
  }
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
    drop("healthCheckNodePort");
  }
  if (isReachableFromOutside(before) && !isReachableFromOutside(spec)) drop("externalTrafficPolicy");
  if (spec.type !== "LoadBalancer") service.status = { ...(service.status as JsonObject), loadBalancer: {} };
}

/** Takes over what the client left out of an update. */
export function keepAllocated(service: ApiObject, old: ApiObject): void {
  const spec = specOf(service);
  const before = specOf(old);
  if (spec.type === "ExternalName") return;
  if (before.type !== "ExternalName") {
    spec.clusterIP ||= before.clusterIP ?? "";
    const kept = spec.clusterIP === before.clusterIP;
    if (((spec.clusterIPs ?? []) as string[]).length === 0) {
      spec.clusterIPs = kept ? cloneJson(before.clusterIPs ?? []) : [spec.clusterIP as string];
    } else if (!kept && equalJson(spec.clusterIPs as Json, before.clusterIPs as Json)) {
      // A client that changes only the first field means both.
      const [, ...others] = spec.clusterIPs as string[];
      spec.clusterIPs = [spec.clusterIP as string, ...others];
    }
    for (const key of ["ipFamilies", "ipFamilyPolicy"])
      if (spec[key] === undefined && before[key] !== undefined) spec[key] = cloneJson(before[key]);
  }
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") {
    const known = new Map(portsOf(old).map((port) => [`${port.protocol}/${port.port}`, port.nodePort]));
    for (const port of portsOf(service))
      if (!port.nodePort) port.nodePort = known.get(`${port.protocol}/${port.port}`) ?? 0;
  }
}
