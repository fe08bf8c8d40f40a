import type { JsonObject } from "../../json/json.ts";
import type { ApiObject } from "../../registry/resource.ts";
import { defaultClaimSpec } from "./claim.ts";
import { imageTag } from "./image-tag.ts";
import { alignWithList, ensureObject, objectAt, objectsAt, setDefaults } from "./values.ts";

const fileMode = 0o644;

/** Sets the defaults of a Pod. Some apply only to Pods, and not to the templates of Pods. */
export function defaultPod(pod: ApiObject): void {
  const spec = ensureObject(pod, "spec");
  for (const container of [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")]) {
    defaultRequests(container);
  }
  defaultRequests(spec, (name) => name === "cpu" || name === "memory" || name.startsWith("hugepages-"));
  setDefaults(spec, { enableServiceLinks: true });
  defaultPodSpec(spec);
  const status = objectAt(pod, "status");
  if (status !== undefined) alignWithList(status, "podIP", "podIPs", (ip) => ({ ip }));
}

/** Requests the limit of each resource that is limited and not requested. */
function defaultRequests(holder: JsonObject, includes = (_name: string): boolean => true): void {
  const resources = objectAt(holder, "resources");
  const limits = objectAt(resources, "limits");
  if (resources === undefined || limits === undefined || Object.keys(limits).length === 0) return;
  const missing = Object.entries(limits).filter(
    ([name]) => includes(name) && objectAt(resources, "requests")?.[name] === undefined,
  );
  if (missing.length > 0) Object.assign(ensureObject(resources, "requests"), Object.fromEntries(missing));
}

/** Sets the defaults of the template of Pods in an object's specification. */
export function defaultPodTemplate(spec: JsonObject): void {
  const template = ensureObject(spec, "template");
  ensureObject(template, "metadata");
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
    for (const container of objectsAt(spec, key)) defaultContainer(container, spec.hostNetwork === true);
  }
}

function defaultContainer(container: JsonObject, hostNetwork: boolean): void {
  setDefaults(container, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy((container.image as string | undefined) ?? ""),
  });
  for (const port of objectsAt(container, "ports")) {
    setDefaults(port, { protocol: "TCP" });
    if (hostNetwork && !port.hostPort && port.containerPort !== undefined) port.hostPort = port.containerPort;
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = objectAt(container, name);
    if (probe === undefined) continue;
    for (const [key, value] of Object.entries({
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    })) {
      if (!probe[key]) probe[key] = value;
    }
    defaultHandler(probe);
  }
  for (const name of ["postStart", "preStop"]) {
    const handler = objectAt(objectAt(container, "lifecycle"), name);
    if (handler !== undefined) defaultHandler(handler);
  }
  for (const variable of objectsAt(container, "env")) defaultFieldRef(objectAt(variable, "valueFrom"));
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
    const certificate = objectAt(source, "podCertificate");
    if (certificate !== undefined) setDefaults(certificate, { maxExpirationSeconds: 86_400 });
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
    azureDisk: { cachingMode: "ReadWrite", kind: "Shared", fsType: "ext4", readOnly: false },
    scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" },
  };
  for (const [key, values] of Object.entries(defaults)) {
    const source = objectAt(volume, key);
    if (source !== undefined) setDefaults(source, values as Record<string, string>);
  }
  const image = objectAt(volume, "image");
  if (image !== undefined)
    setDefaults(image, { pullPolicy: pullPolicy((image.reference as string | undefined) ?? "") });
}
