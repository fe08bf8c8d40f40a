import type { JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../model/resource.ts";
import { defaultAutoscaler } from "./autoscaler.ts";
import { defaultFirstAutoscaler, dropVersionAnnotations } from "./autoscaler-versions.ts";
import type { Defaulter } from "./defaulter.ts";
import { defaultSource } from "./pod.ts";
import { ensureObject, objectAt, objectsAt, roundAmounts, setDefaults, setNumbers, setPointers } from "./values.ts";

const rbac = "rbac.authorization.k8s.io";

function defaultBinding(binding: ApiObject): void {
  setDefaults(ensureObject(binding, "roleRef"), { apiGroup: rbac });
  for (const subject of objectsAt(binding, "subjects")) {
    if (subject.kind === "User" || subject.kind === "Group") setDefaults(subject, { apiGroup: rbac });
  }
}

function defaultWebhooks(configuration: ApiObject): void {
  const mutating = configuration.kind === "MutatingWebhookConfiguration";
  for (const webhook of objectsAt(configuration, "webhooks")) {
    setPointers(webhook, {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...(mutating ? { reinvocationPolicy: "Never" } : {}),
    });
    for (const rule of objectsAt(webhook, "rules")) setPointers(rule, { scope: "*" });
    const service = objectAt(objectAt(webhook, "clientConfig"), "service");
    if (service !== undefined) setDefaults(service, { port: 443 });
  }
}

function defaultMatchResources(match: JsonObject): void {
  setPointers(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  for (const key of ["resourceRules", "excludeResourceRules"]) {
    for (const rule of objectsAt(match, key)) setPointers(rule, { scope: "*" });
  }
}

function defaultAdmissionPolicy(policy: ApiObject): void {
  const spec = ensureObject(policy, "spec");
  setPointers(spec, { failurePolicy: "Fail" });
  const match = objectAt(spec, "matchConstraints");
  if (match !== undefined) defaultMatchResources(match);
}

function defaultAdmissionBinding(binding: ApiObject): void {
  const match = objectAt(objectAt(binding, "spec"), "matchResources");
  if (match !== undefined) defaultMatchResources(match);
}

function defaultNetworkPolicy(policy: ApiObject): void {
  const spec = ensureObject(policy, "spec");
  for (const key of ["ingress", "egress"]) {
    for (const rule of objectsAt(spec, key)) {
      for (const port of objectsAt(rule, "ports")) setPointers(port, { protocol: "TCP" });
    }
  }
  if (((spec.policyTypes as string[] | undefined) ?? []).length === 0) {
    spec.policyTypes = objectsAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  }
}

/** The annotations in which autoscaling/v1 shows fields of autoscaling/v2 have no meaning there. */
function defaultSecondAutoscaler(autoscaler: ApiObject): void {
  defaultAutoscaler(autoscaler);
  dropVersionAnnotations(autoscaler);
}

function defaultDriver(driver: ApiObject): void {
  const spec = ensureObject(driver, "spec");
  if (!Array.isArray(spec.volumeLifecycleModes) || spec.volumeLifecycleModes.length === 0) {
    spec.volumeLifecycleModes = ["Persistent"];
  }
  setPointers(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
    preventPodSchedulingIfMissing: false,
  });
}

function defaultPriorityLevel(level: ApiObject): void {
  const spec = objectAt(level, "spec");
  const [exempt, limited] = [objectAt(spec, "exempt"), objectAt(spec, "limited")];
  if (exempt !== undefined) setPointers(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
  if (limited !== undefined) setPointers(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const queuing = objectAt(objectAt(limited, "limitResponse"), "queuing");
  if (queuing !== undefined) setNumbers(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 });
}

function defaultDeviceTolerations(holder: JsonObject): void {
  for (const toleration of objectsAt(holder, "tolerations")) setDefaults(toleration, { operator: "Equal" });
}

function defaultDeviceClaim(spec: JsonObject): void {
  for (const request of objectsAt(objectAt(spec, "devices"), "requests")) {
    const exactly = objectAt(request, "exactly");
    for (const alternative of [...(exactly === undefined ? [] : [exactly]), ...objectsAt(request, "firstAvailable")]) {
      setDefaults(alternative, { allocationMode: "ExactCount" });
      if (alternative.allocationMode === "ExactCount") setNumbers(alternative, { count: 1 });
      defaultDeviceTolerations(alternative);
    }
  }
}

/** The defaults of the remaining groups. */
export const policyDefaults: Readonly<Record<string, Defaulter>> = {
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": defaultAdmissionPolicy,
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": defaultAdmissionBinding,
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": defaultWebhooks,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": defaultAdmissionPolicy,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": defaultAdmissionBinding,
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": defaultWebhooks,
  "apiextensions.k8s.io/v1/CustomResourceDefinition": (definition) => {
    const spec = ensureObject(definition, "spec");
    const names = ensureObject(spec, "names");
    const kind = (names.kind as string | undefined) ?? "";
    if (kind !== "") setDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    setPointers(spec, { conversion: { strategy: "None" } });
    const service = objectAt(objectAt(objectAt(objectAt(spec, "conversion"), "webhook"), "clientConfig"), "service");
    if (service !== undefined) setDefaults(service, { port: 443 });
    if (spec.preserveUnknownFields === false) delete spec.preserveUnknownFields;
  },
  "apiregistration.k8s.io/v1/APIService": (service) => {
    const reference = objectAt(objectAt(service, "spec"), "service");
    if (reference !== undefined) setDefaults(reference, { port: 443 });
  },
  "authentication.k8s.io/v1/TokenRequest": (request) =>
    setDefaults(ensureObject(request, "spec"), { expirationSeconds: 3600 }),
  "autoscaling/v1/HorizontalPodAutoscaler": defaultFirstAutoscaler,
  "autoscaling/v2/HorizontalPodAutoscaler": defaultSecondAutoscaler,
  "certificates.k8s.io/v1/PodCertificateRequest": (request) =>
    setPointers(ensureObject(request, "spec"), { maxExpirationSeconds: 86_400 }),
  "discovery.k8s.io/v1/EndpointSlice": (slice) => {
    for (const port of objectsAt(slice, "ports")) setPointers(port, { name: "", protocol: "TCP" });
  },
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": (schema) => {
    const spec = ensureObject(schema, "spec");
    setNumbers(spec, { matchingPrecedence: 1000 });
  },
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": defaultPriorityLevel,
  "networking.k8s.io/v1/IngressClass": (ingressClass) => {
    const parameters = objectAt(objectAt(ingressClass, "spec"), "parameters");
    if (parameters !== undefined) setPointers(parameters, { scope: "Cluster" });
  },
  "networking.k8s.io/v1/NetworkPolicy": defaultNetworkPolicy,
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": defaultBinding,
  "rbac.authorization.k8s.io/v1/RoleBinding": defaultBinding,
  "resource.k8s.io/v1/ResourceClaim": (claim) => {
    defaultDeviceClaim(ensureObject(claim, "spec"));
    const devices = objectAt(objectAt(objectAt(claim, "status"), "allocation"), "devices");
    for (const result of objectsAt(devices, "results")) defaultDeviceTolerations(result);
  },
  "resource.k8s.io/v1/ResourceClaimTemplate": (template) =>
    defaultDeviceClaim(ensureObject(ensureObject(template, "spec"), "spec")),
  "resource.k8s.io/v1/ResourceSlice": (slice) => {
    for (const device of objectsAt(objectAt(slice, "spec"), "devices")) {
      for (const mapping of Object.values(objectAt(device, "nodeAllocatableResourceMappings") ?? {})) {
        setPointers(mapping as JsonObject, { allocationMultiplier: "1" });
      }
    }
  },
  "scheduling.k8s.io/v1/PriorityClass": (priority) =>
    setPointers(priority, { preemptionPolicy: "PreemptLowerPriority" }),
  "storage.k8s.io/v1/CSIDriver": defaultDriver,
  "storage.k8s.io/v1/VolumeAttachment": (attachment) => {
    const volume = objectAt(objectAt(objectAt(attachment, "spec"), "source"), "inlineVolumeSpec");
    if (volume === undefined) return;
    roundAmounts(volume, "capacity");
    defaultSource(volume);
  },
  "storage.k8s.io/v1/StorageClass": (storage) =>
    setPointers(storage, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
};
