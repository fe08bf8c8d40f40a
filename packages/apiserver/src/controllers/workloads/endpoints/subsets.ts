import type { JsonObject } from "@kubewright/cel/json";
import type { Pod } from "../common/objects.ts";
import { isReady } from "../common/pods.ts";
import { findPort, hostnameOf, isEndpoint, isHeadless, referenceTo, type Service } from "./types.ts";

/** At most this many addresses are in an Endpoints object. */
const longest = 1000;

interface Subset extends JsonObject {
  addresses?: JsonObject[];
  notReadyAddresses?: JsonObject[];
  ports?: JsonObject[];
}

/**
 * Computes the subsets of the Endpoints of a Service: the addresses with the same ports, sorted.
 *
 * @param service - the Service
 * @param pods - the Pods that it selects
 * @returns the subsets, and true if addresses were left out
 */
export function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: Subset[]; truncated: boolean } {
  const groups = new Map<string, { ports: JsonObject[]; ready: JsonObject[]; notReady: JsonObject[] }>();
  const sorted = pods.filter((pod) => isEndpoint(pod, service.spec.publishNotReadyAddresses === true));
  sorted.sort((a, b) => compareAddresses(a.status?.podIP ?? "", b.status?.podIP ?? ""));
  for (const pod of sorted.slice(0, longest)) {
    const ports = (service.spec.ports ?? []).flatMap((port) => {
      const number = findPort(pod, port);
      if (number === undefined) return [];
      const { name, protocol = "TCP", appProtocol } = port;
      return [{ ...(name ? { name } : {}), port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
    });
    if (ports.length === 0 && !((service.spec.ports ?? []).length === 0 && isHeadless(service))) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    const hostname = hostnameOf(pod, service);
    const address = {
      ...(hostname === undefined ? {} : { hostname }),
      ip: pod.status?.podIP as string,
      ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
      targetRef: referenceTo(pod),
    };
    const ready = service.spec.publishNotReadyAddresses === true || isReady(pod);
    (ready ? group.ready : group.notReady).push(address);
  }
  const subsets = [...groups.values()].map(({ ports, ready, notReady }) => ({
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  }));
  return { subsets, truncated: sorted.length > longest };
}

function compareAddresses(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
