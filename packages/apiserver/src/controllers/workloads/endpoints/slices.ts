import { equalJson, type JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../model/resource.ts";
import { controllerReference, type Pod } from "../common/objects.ts";
import { isReady } from "../common/pods.ts";
import { findPort, headlessLabel, hostnameOf, isEndpoint, isHeadless, referenceTo, type Service } from "./types.ts";

/** At most this many endpoints are in one slice. */
const sliceSize = 100;
/** The label with the name of the Service. */
export const serviceLabel = "kubernetes.io/service-name";
/** The label with the name of the controller. */
export const managerLabel = "endpointslice.kubernetes.io/managed-by";
/** Its value. */
export const manager = "endpointslice-controller.k8s.io";

/** An endpoint of a slice. */
export interface Endpoint extends JsonObject {
  addresses: string[];
  targetRef: JsonObject & { uid: string };
}

/** An EndpointSlice. */
export interface EndpointSlice extends ApiObject {
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: JsonObject[] | null;
}

/** The slices that a Service is to have, in comparison with those that it has. */
export interface SliceChanges {
  create: EndpointSlice[];
  /** The slices with other endpoints, labels or ports. */
  update: EndpointSlice[];
  remove: EndpointSlice[];
}

/** Returns the labels of the slices of a Service. */
export function sliceLabels(service: Service): { [key: string]: string } {
  const { [headlessLabel]: _headless, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: "" } : {}),
    [serviceLabel]: service.metadata.name as string,
    [managerLabel]: manager,
  };
}

function endpointOf(pod: Pod, service: Service): Endpoint {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameOf(pod, service);
  return {
    addresses: [pod.status?.podIP as string],
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: referenceTo(pod) as Endpoint["targetRef"],
  };
}

function portsOf(service: Service, pod: Pod): JsonObject[] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = findPort(pod, port);
    if (number === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/**
 * Compares the slices of a Service with its Pods. Endpoints stay in their slices, so that few slices change.
 *
 * @param service - the Service
 * @param pods - the Pods that it selects
 * @param present - its slices
 * @returns the changes
 */
export function planSlices(service: Service, pods: readonly Pod[], present: readonly EndpointSlice[]): SliceChanges {
  const groups = new Map<string, { ports: JsonObject[]; endpoints: Map<string, Endpoint> }>();
  for (const pod of pods) {
    if (!isEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map() };
    groups.set(key, group);
    group.endpoints.set(pod.metadata.uid as string, endpointOf(pod, service));
  }
  const labels = sliceLabels(service);
  const changes: SliceChanges = { create: [], update: [], remove: [] };
  const slices = present.map((slice) => {
    const ports = slice.ports ?? [];
    const group = [...groups.values()].find((group) => equalJson(group.ports, ports));
    const kept = (slice.endpoints ?? []).flatMap(({ targetRef }) => {
      const endpoint = group?.endpoints.get(targetRef.uid);
      group?.endpoints.delete(targetRef.uid);
      return endpoint === undefined ? [] : [endpoint];
    });
    return { slice, group, endpoints: kept };
  });
  for (const current of slices) {
    for (const [uid, endpoint] of current.group?.endpoints ?? []) {
      if (current.endpoints.length >= sliceSize) break;
      current.endpoints.push(endpoint);
      current.group?.endpoints.delete(uid);
    }
  }
  const used = slices.filter(({ endpoints }) => endpoints.length > 0);
  for (const { ports, endpoints } of groups.values()) {
    const rest = [...endpoints.values()];
    for (let at = 0; at < rest.length; at += sliceSize) {
      changes.create.push(newSlice(service, labels, ports, rest.slice(at, at + sliceSize)));
    }
  }
  // A Service without endpoints has one empty slice.
  const empty = used.length === 0 && changes.create.length === 0;
  const placeholder = empty ? slices[0] : undefined;
  if (empty && placeholder === undefined) changes.create.push(newSlice(service, labels, [], []));
  for (const current of slices) {
    if (current.endpoints.length === 0 && current !== placeholder) changes.remove.push(current.slice);
    else {
      const ports = current.endpoints.length === 0 ? [] : (current.slice.ports ?? []);
      const same =
        equalJson(current.endpoints, current.slice.endpoints ?? []) &&
        equalJson(ports, current.slice.ports ?? []) &&
        equalJson(labels, current.slice.metadata.labels ?? {});
      if (same) continue;
      const metadata = { ...current.slice.metadata, labels };
      changes.update.push({ ...current.slice, metadata, endpoints: current.endpoints, ports });
    }
  }
  return changes;
}

function newSlice(
  service: Service,
  labels: { [key: string]: string },
  ports: JsonObject[],
  endpoints: Endpoint[],
): EndpointSlice {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: `${service.metadata.name}-`,
      namespace: service.metadata.namespace as string,
      labels,
      ownerReferences: [controllerReference(service)],
    },
    addressType: service.spec.ipFamilies?.[0] ?? "IPv4",
    endpoints: endpoints.length > 0 ? endpoints : null,
    ports: ports.length > 0 ? ports : null,
  };
}
