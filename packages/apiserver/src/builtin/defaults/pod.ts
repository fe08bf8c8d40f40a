import type { JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../model/resource.ts";
import { defaultClaimSpec } from "./claim.ts";
import { imageTag } from "./image-tag.ts";
import { defaultContainerRequests } from "./pod-resources.ts";
import {
  alignWithList,
  ensureObject,
  objectAt,
  objectsAt,
  roundAmounts,
  setDefaults,
  setNumbers,
  setPointers,
} from "./values.ts";

const fileMode = 0o644;

/** Sets the defaults of a Pod. Some apply only to Pods, and not to the templates of Pods. */
export function defaultPod(pod: ApiObject): void {
  const spec = ensureObject(pod, "spec");
  dropInitContainerAnnotations(objectAt(pod as JsonObject, "metadata"));
  defaultContainerRequests(spec);
  setDefaults(spec, { enableServiceLinks: true });
  defaultHostPorts(spec);
  defaultPodSpec(spec);
  // A negative time means that the Pod ends at once.
  if (typeof spec.terminationGracePeriodSeconds === "number" && spec.terminationGracePeriodSeconds < 0) {
    spec.terminationGracePeriodSeconds = 1;
  }
  const status = objectAt(pod, "status");
  roundAmounts(status, "allocatedResources");
  roundAmounts(objectAt(status, "resources"), "limits", "requests");
  for (const key of ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]) {
    for (const container of objectsAt(status, key)) {
      roundAmounts(container, "allocatedResources");
      roundAmounts(objectAt(container, "resources"), "limits", "requests");
    }
  }
  if (status !== undefined) alignWithList(status, "podIP", "podIPs", (ip) => ({ ip }));
}

const initContainerAnnotation = /^pod\.(?:alpha|beta)\.kubernetes\.io\/init-container(?:s|-statuses)$/;

/** Removes the form that init containers had before they were fields. */
function dropInitContainerAnnotations(metadata: JsonObject | undefined): void {
  const annotations = objectAt(metadata, "annotations");
  if (annotations === undefined) return;
  for (const key of Object.keys(annotations)) if (initContainerAnnotation.test(key)) delete annotations[key];
}

/** On the network of the host, a port of a container is one of the host. */
function defaultHostPorts(spec: JsonObject): void {
  if (spec.hostNetwork !== true) return;
  for (const container of [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")]) {
    for (const port of objectsAt(container, "ports")) {
      if (!port.hostPort && port.containerPort !== undefined) port.hostPort = port.containerPort;
    }
  }
}

/** Sets the defaults of the template of Pods in an object's specification. */
export function defaultPodTemplate(spec: JsonObject): void {
  const template = ensureObject(spec, "template");
  dropInitContainerAnnotations(ensureObject(template, "metadata"));
  defaultPodSpec(ensureObject(template, "spec"));
}

function defaultPodSpec(spec: JsonObject): void {
  // The old name of the field is always returned as well.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  setDefaults(spec, {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
  });
  for (const volume of objectsAt(spec, "volumes")) defaultVolume(volume);
  for (const key of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of objectsAt(spec, key)) defaultContainer(container);
  }
  roundAmounts(spec, "overhead");
  roundAmounts(objectAt(spec, "resources"), "limits", "requests");
}

function defaultContainer(container: JsonObject): void {
  setDefaults(container, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy((container.image as string | undefined) ?? ""),
  });
  roundAmounts(objectAt(container, "resources"), "limits", "requests");
  for (const port of objectsAt(container, "ports")) setDefaults(port, { protocol: "TCP" });
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = objectAt(container, name);
    if (probe === undefined) continue;
    setNumbers(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    defaultHandler(probe);
  }
  for (const name of ["postStart", "preStop"]) {
    const handler = objectAt(objectAt(container, "lifecycle"), name);
    if (handler !== undefined) defaultHandler(handler);
  }
  for (const variable of objectsAt(container, "env")) {
    const source = objectAt(variable, "valueFrom");
    defaultFieldRef(source);
    const file = objectAt(source, "fileKeyRef");
    if (file !== undefined) setPointers(file, { optional: false });
  }
}

/** Images with the tag `latest` are pulled each time. */
function pullPolicy(image: string): string {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}

function defaultHandler(handler: JsonObject): void {
  const get = objectAt(handler, "httpGet");
  if (get !== undefined) setDefaults(get, { path: "/", scheme: "HTTP" });
  const grpc = objectAt(handler, "grpc");
  if (grpc !== undefined) setDefaults(grpc, { service: "" });
}

function defaultFieldRef(source: JsonObject | undefined): void {
  const reference = objectAt(source, "fieldRef");
  if (reference !== undefined) setDefaults(reference, { apiVersion: "v1" });
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  for (const key of ["secret", "configMap", "downwardAPI", "projected"]) {
    const source = objectAt(volume, key);
    if (source !== undefined) setDefaults(source, { defaultMode: fileMode });
  }
  for (const item of objectsAt(objectAt(volume, "downwardAPI"), "items")) defaultFieldRef(item);
  for (const source of objectsAt(objectAt(volume, "projected"), "sources")) {
    for (const item of objectsAt(objectAt(source, "downwardAPI"), "items")) defaultFieldRef(item);
    const token = objectAt(source, "serviceAccountToken");
    if (token !== undefined) setDefaults(token, { expirationSeconds: 3600 });
  }
  defaultSource(volume);
  const claim = objectAt(objectAt(volume, "ephemeral"), "volumeClaimTemplate");
  if (claim !== undefined) defaultClaimSpec(ensureObject(claim, "spec"));
}

/** Sets the defaults of the sources that volumes of Pods and persistent volumes have in common. */
export function defaultSource(volume: JsonObject): void {
  const defaults: Readonly<Record<string, JsonObject>> = {
    hostPath: { type: "" },
    iscsi: { iscsiInterface: "default" },
    rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
    scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" },
  };
  for (const [key, values] of Object.entries(defaults)) {
    const source = objectAt(volume, key);
    if (source !== undefined) setDefaults(source, values as Record<string, string>);
  }
  const disk = objectAt(volume, "azureDisk");
  if (disk !== undefined)
    setPointers(disk, { cachingMode: "ReadWrite", kind: "Shared", fsType: "ext4", readOnly: false });
  const image = objectAt(volume, "image");
  if (image !== undefined)
    setDefaults(image, { pullPolicy: pullPolicy((image.reference as string | undefined) ?? "") });
}
