import type { JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../model/resource.ts";
import { defaultClaim } from "./claim.ts";
import type { Defaulter } from "./defaulter.ts";
import { defaultPod, defaultPodTemplate, defaultSource } from "./pod.ts";
import { alignWithList, ensureObject, objectAt, objectsAt, roundAmounts, setDefaults, setPointers } from "./values.ts";

function defaultService(service: ApiObject): void {
  const spec = ensureObject(service, "spec");
  setDefaults(spec, { sessionAffinity: "None", type: "ClusterIP" });
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP") {
    setDefaults(ensureObject(ensureObject(spec, "sessionAffinityConfig"), "clientIP"), { timeoutSeconds: 10_800 });
  }
  for (const port of objectsAt(spec, "ports")) {
    setDefaults(port, { protocol: "TCP" });
    if ((port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "") && port.port !== undefined) {
      port.targetPort = port.port;
    }
  }
  const isExternal = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const isReachable =
    isExternal || (spec.type === "ClusterIP" && ((spec.externalIPs as string[] | undefined) ?? []).length > 0);
  if (isReachable) setDefaults(spec, { externalTrafficPolicy: "Cluster" });
  if (isExternal || spec.type === "ClusterIP") setPointers(spec, { internalTrafficPolicy: "Cluster" });
  if (spec.type !== "LoadBalancer") return;
  setDefaults(spec, { allocateLoadBalancerNodePorts: true });
  const points = objectsAt(objectAt(objectAt(service, "status"), "loadBalancer"), "ingress");
  for (const point of points) if (point.ip) setPointers(point, { ipMode: "VIP" });
}

/**
 * Sets the selector and the labels of a ReplicationController to the labels of its Pods, if they are empty.
 *
 * @param controller - the controller; changed
 */
export function defaultControllerLabels(controller: ApiObject): void {
  const spec = ensureObject(controller, "spec");
  const labels = objectAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
  if (labels === undefined) return;
  if (Object.keys(objectAt(spec, "selector") ?? {}).length === 0) spec.selector = { ...labels };
  if (Object.keys(controller.metadata.labels ?? {}).length === 0)
    controller.metadata.labels = { ...labels } as Record<string, string>;
}

function defaultReplicationController(controller: ApiObject): void {
  const spec = ensureObject(controller, "spec");
  defaultControllerLabels(controller);
  setDefaults(spec, { replicas: 1 });
  if (objectAt(spec, "template") !== undefined) defaultPodTemplate(spec);
}

/** Moves `stringData` to `data`. The server never returns it. */
function defaultSecret(secret: ApiObject): void {
  const texts = objectAt(secret, "stringData");
  delete secret.stringData;
  if (texts !== undefined) {
    const data = ensureObject(secret, "data");
    for (const [key, text] of Object.entries(texts)) data[key] = Buffer.from(String(text)).toString("base64");
    if (Object.keys(data).length === 0) delete secret.data;
  }
  setDefaults(secret, { type: "Opaque" });
}

function defaultPersistentVolume(volume: ApiObject): void {
  const spec = ensureObject(volume, "spec");
  setDefaults(ensureObject(volume, "status"), { phase: "Pending" });
  setDefaults(spec, { persistentVolumeReclaimPolicy: "Retain" });
  setPointers(spec, { volumeMode: "Filesystem" });
  roundAmounts(spec, "capacity");
  defaultSource(spec);
}

function defaultNode(node: ApiObject): void {
  const [spec, status] = [objectAt(node, "spec"), objectAt(node, "status")];
  if (spec !== undefined) alignWithList(spec, "podCIDR", "podCIDRs", (range) => range);
  const capacity = objectAt(status, "capacity");
  if (status !== undefined && capacity !== undefined && objectAt(status, "allocatable") === undefined) {
    status.allocatable = { ...capacity };
  }
  roundAmounts(status, "capacity", "allocatable");
}

function defaultLimitRange(range: ApiObject): void {
  for (const limit of objectsAt(objectAt(range, "spec"), "limits")) {
    roundAmounts(limit, "max", "min", "default", "defaultRequest", "maxLimitRequestRatio");
    if (limit.type !== "Container") continue;
    const copy = (to: string, from: string): void => {
      const source = objectAt(limit, from);
      if (source === undefined) return;
      const target = ensureObject(limit, to);
      for (const [name, quantity] of Object.entries(source)) if (target[name] === undefined) target[name] = quantity;
    };
    copy("default", "max");
    copy("defaultRequest", "default");
    copy("defaultRequest", "min");
  }
}

/** The defaults of the core group. */
export const coreDefaults: Readonly<Record<string, Defaulter>> = {
  "/v1/Endpoints": (endpoints) => {
    for (const subset of objectsAt(endpoints, "subsets")) {
      for (const port of objectsAt(subset, "ports")) setDefaults(port, { protocol: "TCP" });
    }
  },
  "/v1/LimitRange": defaultLimitRange,
  "/v1/Namespace": (namespace) => {
    setDefaults(ensureObject(namespace, "status"), { phase: "Active" });
    if (namespace.metadata.name) {
      const labels = { ...(namespace.metadata.labels ?? {}) };
      labels["kubernetes.io/metadata.name"] ??= namespace.metadata.name;
      namespace.metadata.labels = labels;
    }
  },
  "/v1/Node": defaultNode,
  "/v1/PersistentVolume": defaultPersistentVolume,
  "/v1/PersistentVolumeClaim": (claim) => defaultClaim(claim as JsonObject),
  "/v1/Pod": defaultPod,
  "/v1/PodTemplate": (template) => defaultPodTemplate(template as JsonObject),
  "/v1/ReplicationController": defaultReplicationController,
  "/v1/ResourceQuota": (quota) => {
    roundAmounts(objectAt(quota, "spec"), "hard");
    roundAmounts(objectAt(quota, "status"), "hard", "used");
  },
  "/v1/Secret": defaultSecret,
  "/v1/Service": defaultService,
};
