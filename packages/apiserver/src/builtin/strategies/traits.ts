import { cloneJson, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  isPathSegment,
  type NameValidator,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsLongName,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy, StrategyContext } from "../../model/resource.ts";
import { dropDisabledFields } from "./core/pod/disabled-fields.ts";
import { fieldsOf } from "./fields/fields.ts";

/** The differences between built-in kinds in the general rules for writes and deletions. */
export interface Traits {
  /** A PUT creates objects that don't exist. */
  createOnUpdate?: true;
  /** An update must have a resourceVersion. */
  conditional?: true;
  /** The default for dependents of deleted objects. The default is Background. */
  garbageCollection?: "Orphan" | "Unsupported";
  /** A deletion is answered with the object, not with a Status. */
  returnsObject?: true;
  /** Writes to the object can't change its status, and writes to `status` nothing else. */
  status?: true;
  /** The metadata that writes to `status` can't change: the labels, or all that clients set. The default is none. */
  keepsOnStatus?: "labels" | "metadata";
  /** New objects keep the status that clients give them. */
  keepsNewStatus?: true;
  /** The fields whose changes count as a new generation. Empty: the generation stays 1. */
  generation?: readonly string[];
  /** Fields that the server drops count as changes, too. */
  countsDropped?: true;
  /** An empty list or map, which is stored as an absent one, counts as a change each time. */
  countsEmpty?: true;
  /** The path of the specification of its Pods, which can't have the fields of features that are off. */
  pods?: string;
  /** The rule for names. The default is a DNS subdomain. */
  name?: NameValidator;
  /** Finalizers may be names without a domain. */
  anyFinalizer?: true;
  /** The rules for metadata that an update repeats. The default is both: those of changes and those of objects. */
  metadataOnUpdate?: "changes" | "object";
}

const spec = ["spec"];
const templatePods = "spec.template.spec";

/** The traits by group and resource. Kinds that aren't listed have none. */
export const traits: Readonly<Record<string, Traits>> = {
  "admissionregistration.k8s.io/mutatingadmissionpolicies": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: spec,
  },
  "admissionregistration.k8s.io/mutatingadmissionpolicybindings": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: spec,
  },
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: ["webhooks"],
    countsEmpty: true,
  },
  "admissionregistration.k8s.io/validatingadmissionpolicies": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: spec,
    status: true,
    keepsOnStatus: "metadata",
  },
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: spec,
  },
  "admissionregistration.k8s.io/validatingwebhookconfigurations": {
    metadataOnUpdate: "object",
    anyFinalizer: true,
    conditional: true,
    generation: ["webhooks"],
    countsEmpty: true,
  },
  "apiextensions.k8s.io/customresourcedefinitions": {
    conditional: true,
    generation: spec,
    status: true,
    returnsObject: true,
  },
  "apiregistration.k8s.io/apiservices": {
    anyFinalizer: true,
    conditional: true,
    status: true,
    keepsOnStatus: "metadata",
  },
  "apps/controllerrevisions": {},
  "apps/daemonsets": { metadataOnUpdate: "changes", generation: spec, status: true, pods: templatePods },
  "apps/deployments": {
    metadataOnUpdate: "changes",
    generation: ["spec", "metadata.annotations"],
    status: true,
    pods: templatePods,
    keepsOnStatus: "labels",
  },
  "apps/replicasets": { metadataOnUpdate: "changes", generation: spec, status: true, pods: templatePods },
  "apps/statefulsets": {
    metadataOnUpdate: "changes",
    name: nameIsDNSLabel,
    generation: spec,
    status: true,
    pods: templatePods,
  },
  "autoscaling/horizontalpodautoscalers": { metadataOnUpdate: "changes", generation: spec, status: true },
  "batch/cronjobs": {
    metadataOnUpdate: "changes",
    generation: spec,
    status: true,
    pods: `spec.jobTemplate.${templatePods}`,
  },
  "batch/jobs": { generation: spec, status: true, garbageCollection: "Orphan", pods: templatePods },
  "certificates.k8s.io/certificatesigningrequests": { name: isPathSegment },
  "certificates.k8s.io/clustertrustbundles": { conditional: true },
  "certificates.k8s.io/podcertificaterequests": {
    metadataOnUpdate: "changes",
    conditional: true,
    status: true,
    keepsOnStatus: "metadata",
  },
  "coordination.k8s.io/leases": {
    metadataOnUpdate: "changes",
    anyFinalizer: true,
    createOnUpdate: true,
    conditional: true,
  },
  "coordination.k8s.io/leasecandidates": {
    metadataOnUpdate: "changes",
    anyFinalizer: true,
    createOnUpdate: true,
    conditional: true,
  },
  "/endpoints": { createOnUpdate: true },
  "/events": { name: isPathSegment, createOnUpdate: true, garbageCollection: "Unsupported" },
  "events.k8s.io/events": { createOnUpdate: true, garbageCollection: "Unsupported" },
  "/limitranges": { metadataOnUpdate: "object", createOnUpdate: true },
  "/namespaces": { name: nameIsDNSLabel, status: true, returnsObject: true },
  "/nodes": { status: true, keepsNewStatus: true },
  "/persistentvolumeclaims": { status: true, returnsObject: true },
  "/persistentvolumes": { status: true, returnsObject: true },
  "/pods": { status: true, keepsNewStatus: true, returnsObject: true, generation: spec, pods: "spec" },
  "/podtemplates": {
    metadataOnUpdate: "changes",
    returnsObject: true,
    generation: ["template"],
    pods: "template.spec",
  },
  "/replicationcontrollers": {
    name: nameIsLongName,
    metadataOnUpdate: "changes",
    generation: spec,
    status: true,
    pods: templatePods,
    garbageCollection: "Orphan",
  },
  "/resourcequotas": { metadataOnUpdate: "changes", status: true, returnsObject: true },
  "/serviceaccounts": { returnsObject: true },
  "/services": {
    metadataOnUpdate: "changes",
    name: nameIsDNSLabel,
    createOnUpdate: true,
    status: true,
    returnsObject: true,
  },
  "discovery.k8s.io/endpointslices": {
    metadataOnUpdate: "object",
    generation: ["addressType", "endpoints", "ports", "metadata.labels"],
    countsDropped: true,
  },
  "flowcontrol.apiserver.k8s.io/flowschemas": {
    metadataOnUpdate: "object",
    generation: spec,
    status: true,
    keepsOnStatus: "metadata",
  },
  "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": {
    metadataOnUpdate: "object",
    generation: spec,
    status: true,
    keepsOnStatus: "metadata",
  },
  "internal.apiserver.k8s.io/storageversions": { conditional: true, status: true, keepsOnStatus: "metadata" },
  "networking.k8s.io/ingressclasses": { generation: spec },
  "networking.k8s.io/ingresses": { generation: spec, status: true },
  "networking.k8s.io/networkpolicies": { metadataOnUpdate: "changes", generation: spec, countsEmpty: true },
  "networking.k8s.io/servicecidrs": { metadataOnUpdate: "changes", status: true, keepsOnStatus: "metadata" },
  "node.k8s.io/runtimeclasses": { anyFinalizer: true, createOnUpdate: true, conditional: true },
  "policy/poddisruptionbudgets": { name: isPathSegment, conditional: true, generation: spec, status: true },
  "rbac.authorization.k8s.io/clusterrolebindings": { name: isPathSegment, createOnUpdate: true },
  "rbac.authorization.k8s.io/clusterroles": { name: isPathSegment, createOnUpdate: true },
  "rbac.authorization.k8s.io/rolebindings": { name: isPathSegment, createOnUpdate: true },
  "rbac.authorization.k8s.io/roles": { name: isPathSegment, createOnUpdate: true },
  "resource.k8s.io/deviceclasses": { name: nameIsLongName, generation: spec, returnsObject: true },
  "resource.k8s.io/devicetaintrules": {
    metadataOnUpdate: "changes",
    conditional: true,
    generation: spec,
    status: true,
    keepsOnStatus: "metadata",
  },
  "resource.k8s.io/resourceclaims": { status: true, keepsOnStatus: "metadata", returnsObject: true },
  "resource.k8s.io/resourceclaimtemplates": { returnsObject: true },
  "resource.k8s.io/resourceslices": {
    metadataOnUpdate: "changes",
    generation: spec,
    countsDropped: true,
    returnsObject: true,
  },
  "scheduling.k8s.io/priorityclasses": { metadataOnUpdate: "changes", generation: [] },
  "storage.k8s.io/csidrivers": {
    metadataOnUpdate: "changes",
    conditional: true,
    generation: spec,
    returnsObject: true,
  },
  "storage.k8s.io/csinodes": {
    metadataOnUpdate: "object",
    conditional: true,
    status: true,
    keepsOnStatus: "metadata",
    returnsObject: true,
  },
  "storage.k8s.io/csistoragecapacities": { conditional: true },
  "storage.k8s.io/storageclasses": { returnsObject: true },
  "storage.k8s.io/volumeattachments": {
    metadataOnUpdate: "object",
    conditional: true,
    status: true,
    keepsOnStatus: "metadata",
    returnsObject: true,
  },
  "storage.k8s.io/volumeattributesclasses": { returnsObject: true },
  "storagemigration.k8s.io/storageversionmigrations": { conditional: true, status: true, keepsOnStatus: "metadata" },
};

function read(object: ApiObject, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((value, key) => fieldsOf(value)[key], object as JsonObject);
}

/** Reads a field whose changes are counted. An empty list is the same as none. */
function readCounted(object: ApiObject, path: string): Json | undefined {
  const value = read(object, path);
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null);
}

/**
 * Creates the rules of a kind.
 *
 * @param of - its traits
 * @param own - the rules of the kind itself, which follow those of the traits
 * @returns all rules
 */
export function strategyOf(of: Traits, own: Strategy = {}): Strategy {
  const { generation, pods } = of;
  const countChange = (object: ApiObject, old: ApiObject, { emptied }: StrategyContext): void => {
    const isChanged = (path: string): boolean =>
      (of.countsEmpty && emptied?.has(path)) || !equalJson(readCounted(object, path), readCounted(old, path));
    if (!generation?.some(isChanged)) return;
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  };
  return {
    allowCreateOnUpdate: of.createOnUpdate === true,
    allowUnconditionalUpdate: of.conditional !== true,
    garbageCollection: of.garbageCollection ?? "Background",
    nameProblems: of.name ?? nameIsDNSSubdomain,
    qualifiedFinalizers: of.anyFinalizer !== true,
    ...(of.metadataOnUpdate ? { metadataOnUpdate: of.metadataOnUpdate } : {}),
    deleteReturns: of.returnsObject ? "object" : "status",
    ...(of.status ? { resetFields: { "": [["status"]], status: [["spec"], ...keptFields(of.keepsOnStatus)] } } : {}),
    ...own,
    prepareForCreate(object, context) {
      if (pods !== undefined) dropDisabledFields(read(object, pods));
      if (of.status && !of.keepsNewStatus) delete object.status;
      // Kinds without generations keep the one of the client.
      if (generation !== undefined) object.metadata.generation = 1;
      else if (object.metadata.generation === 0) delete object.metadata.generation;
      own.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      const { subresource } = context;
      if (subresource === "status") {
        keepAllButStatus(object, old, of.keepsOnStatus);
        own.prepareForUpdate?.(object, old, context);
        return;
      }
      // A refused resize shows the status of the request: the rules of Pods keep it otherwise.
      if (of.status && subresource !== "resize") setStatus(object, old.status);
      if (pods !== undefined) dropDisabledFields(read(object, pods));
      if (of.countsDropped) countChange(object, old, context);
      own.prepareForUpdate?.(object, old, context);
      if (!of.countsDropped) countChange(object, old, context);
    },
  };
}

function setStatus(object: ApiObject, status: Json | undefined): void {
  if (status === undefined) delete object.status;
  else object.status = cloneJson(status);
}

function keptFields(keeps: Traits["keepsOnStatus"]): string[][] {
  if (keeps === undefined) return [];
  return [keeps === "labels" ? ["metadata", "labels"] : ["metadata"]];
}

const clientMetadata = ["labels", "annotations", "finalizers", "ownerReferences", "generation", "deletionTimestamp"];

/** A write to `status` can't change the specification; what it may change in metadata depends on the kind. */
function keepAllButStatus(object: ApiObject, old: ApiObject, keeps: Traits["keepsOnStatus"]): void {
  const [metadata, before] = [object.metadata as JsonObject, old.metadata as JsonObject];
  const kept = keeps === "metadata" ? clientMetadata : keeps === "labels" ? ["labels"] : [];
  for (const key of kept) {
    if (before[key] === undefined) delete metadata[key];
    else metadata[key] = cloneJson(before[key]);
  }
  if (old.spec === undefined) delete object.spec;
  else object.spec = cloneJson(old.spec);
}
