import { cloneJson, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../../model/resource.ts";
import { textOf, textsOf } from "../../fields/fields.ts";
import {
  checksHealth,
  getsNodePorts,
  hasNodePorts,
  isReachableFromOutside,
  portsOf,
  specOf,
} from "./service-fields.ts";

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
    const nodePorts = new Set(portsOf(old).map(({ nodePort }) => nodePort));
    const isNew = portsOf(service).some(({ nodePort }) => nodePort && !nodePorts.has(nodePort));
    if (!isNew) for (const port of portsOf(service)) delete port.nodePort;
  }
  if (checksHealth(before) && !checksHealth(spec)) drop("healthCheckNodePort");
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
  }
  if (isReachableFromOutside(before) && !isReachableFromOutside(spec)) drop("externalTrafficPolicy");
  if (spec.type !== "LoadBalancer") service.status = { ...(service.status as JsonObject), loadBalancer: {} };
}

/** Takes over what was assigned and the client left out of an update. */
export function keepAllocated(service: ApiObject, old: ApiObject): void {
  const spec = specOf(service);
  const before = specOf(old);
  if (before.type !== "ExternalName" && spec.type !== "ExternalName") {
    spec.clusterIP ||= before.clusterIP ?? "";
    if (textsOf(spec.clusterIPs).length === 0) spec.clusterIPs = cloneJson(before.clusterIPs ?? []);
  }
  matchAddresses(spec, before);
  if (getsNodePorts(spec) && getsNodePorts(before)) {
    const given = new Set(portsOf(service).map(({ nodePort }) => nodePort));
    const byName = new Map(portsOf(old).map(({ name = "", nodePort }) => [name, nodePort]));
    for (const port of portsOf(service)) {
      const oldPort = byName.get(port.name ?? "");
      if (!port.nodePort && oldPort && !given.has(oldPort)) port.nodePort = oldPort;
    }
  }
  if (checksHealth(spec) && checksHealth(before) && !spec.healthCheckNodePort && before.healthCheckNodePort) {
    spec.healthCheckNodePort = before.healthCheckNodePort;
  }
}

/** Clients may know only one of the two fields with addresses: what they change there applies to both. */
function matchAddresses(spec: JsonObject, before: JsonObject): void {
  const [address, oldAddress] = [textOf(spec.clusterIP), textOf(before.clusterIP)];
  const oldAddresses = textsOf(before.clusterIPs);
  if (oldAddresses.length > 0 && textsOf(spec.clusterIPs).length === 0 && address === oldAddress) {
    spec.clusterIPs = cloneJson(oldAddresses);
  }
  if (address === oldAddress || !equalJson(textsOf(spec.clusterIPs), oldAddresses)) return;
  if (address === "") delete spec.clusterIPs;
  else spec.clusterIPs = [address];
}
