import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { JsonObject } from "@kubewright/cel/json";
import { addressLabels } from "../builtin/strategies/core/service/service-address-objects.ts";
import { serviceRange } from "../builtin/strategies/core/service/service-addresses.ts";
import type { Core } from "../engine/engine.ts";
import { timestamp } from "../model/metadata.ts";
import { parseStored } from "../registry/scope.ts";
import { storeObject } from "./initial-objects.ts";

/** The socket that the server listens on. */
export interface Endpoint {
  /** The address or name that the server listens on. */
  host: string;
  port: number;
  /** The authority that signs client certificates, in PEM. */
  clientCA?: string;
}

/**
 * Stores the objects that every server has: the system's PriorityClasses, and the range of the addresses of Services.
 *
 * @param core - the server
 */
export async function storeSystemObjects(core: Core): Promise<void> {
  const objects = [...priorityClasses, defaultServiceCIDR(timestamp(core.engine.now()))];
  for (const object of objects) await storeSystemObject(core, object);
}

/**
 * Stores the Service `kubernetes` with its address and endpoints, and the ConfigMap that names the authority of client certificates.
 *
 * @param core - the server
 * @param endpoint - its socket
 */
export async function storeEndpoint(core: Core, endpoint: Endpoint): Promise<void> {
  for (const object of endpointObjects(endpoint)) await storeSystemObject(core, object);
}

/** Stores an object. One that a data file has kept stays the same object. */
async function storeSystemObject(core: Core, object: JsonObject): Promise<void> {
  await storeUpdatedObject(core, object, () => true);
}

/**
 * Stores an object, or replaces what a data file has kept of it, which stays the same object.
 *
 * @param core - the server
 * @param object - the object
 * @param replaces - reports by the kept metadata if the object is replaced
 */
export async function storeUpdatedObject(
  core: Core,
  object: JsonObject,
  replaces: (metadata: JsonObject) => boolean,
): Promise<void> {
  const kept = keptMetadata(core, object);
  if (kept !== undefined && !replaces(kept)) return;
  const identity = kept && { uid: kept.uid ?? "", creationTimestamp: kept.creationTimestamp ?? "" };
  await storeObject(core, { ...object, metadata: { ...(object.metadata as JsonObject), ...identity } });
}

/** Reads the metadata of an object that a data file has kept. */
function keptMetadata({ engine }: Core, { apiVersion, kind, metadata }: JsonObject): JsonObject | undefined {
  const { name, namespace } = metadata as { name: string; namespace?: string };
  for (const type of engine.resources()) {
    const isType =
      type.kind === kind && String(apiVersion) === [type.group, type.storageVersion].filter(Boolean).join("/");
    if (!isType) continue;
    const entry = engine.store.collection(type.collection).get(namespace === undefined ? name : `${namespace}/${name}`);
    return entry && (parseStored(type, entry.text).metadata as JsonObject);
  }
  return undefined;
}

const priorityClasses: JsonObject[] = [
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "system-node-critical", generation: 1 },
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "system-cluster-critical", generation: 1 },
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
];

function defaultServiceCIDR(now: string): JsonObject {
  const ready = { type: "Ready", status: "True", reason: "", message: "Kubernetes default Service CIDR is ready" };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "ServiceCIDR",
    metadata: { name: "kubernetes" },
    spec: { cidrs: [serviceRange] },
    status: { conditions: [{ ...ready, lastTransitionTime: now }] },
  };
}

function endpointObjects({ host, port, clientCA }: Endpoint): JsonObject[] {
  const name = "kubernetes";
  const namespace = "default";
  const https = { name: "https", protocol: "TCP" };
  /** The first address of the range of Services. */
  const clusterIP = "10.0.0.1";
  const objects: JsonObject[] = [
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "IPAddress",
      metadata: { name: clusterIP, labels: addressLabels },
      spec: { parentRef: { resource: "services", namespace, name } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace, labels: { component: "apiserver", provider: "kubernetes" } },
      spec: {
        clusterIP,
        clusterIPs: [clusterIP],
        internalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        ports: [{ ...https, port: 443, targetPort: port }],
        type: "ClusterIP",
      },
    },
  ];
  const address = addressOf(host);
  if (address !== undefined) {
    objects.push(
      {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { name, namespace, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
        subsets: [{ addresses: [{ ip: address }], ports: [{ ...https, port }] }],
      },
      {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: { name, namespace, generation: 1, labels: { "kubernetes.io/service-name": name } },
        addressType: "IPv4",
        endpoints: [{ addresses: [address], conditions: { ready: true } }],
        ports: [{ ...https, port }],
      },
    );
  }
  if (clientCA !== undefined) {
    objects.push({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
      data: { "client-ca-file": clientCA },
    });
  }
  return objects;
}

/** Endpoints can't have loopback addresses. Like the real server, a server on loopback names the address of its host. */
function addressOf(host: string): string | undefined {
  if (isIP(host) === 4 && !host.startsWith("127.") && host !== "0.0.0.0") return host;
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((address) => address !== undefined && address.family === "IPv4" && !address.internal)?.address;
}
