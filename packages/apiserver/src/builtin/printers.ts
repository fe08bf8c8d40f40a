import type { Json, JsonObject } from "@kubewright/cel/json";
import { dataFile } from "../data/data.ts";
import { type KubernetesVersion, newestVersion } from "../data/versions.ts";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject, Column, TablePrinter } from "../model/resource.ts";
import * as access from "../table/access.ts";
import * as core from "../table/core.ts";
import * as networking from "../table/networking.ts";
import { podCells, podRowConditions, podTemplateCells } from "../table/pods.ts";
import * as storage from "../table/storage.ts";
import * as workloads from "../table/workloads.ts";

interface Data {
  descriptions: string[];
  /** By group and kind: name, type, format, priority, and the index of the description. */
  columns: Record<string, [string, string, string, number, number][]>;
}

const data = dataFile<Data>("columns.json");

/** Returns the cells of an object's row; `now` is in milliseconds since 1970, and `all` are the objects of the table. */
type Cells = (object: JsonObject, now: number, all: readonly JsonObject[]) => Json[];

const cellsByKind: Readonly<Record<string, Cells>> = {
  "/ComponentStatus": core.componentStatusCells,
  "/ConfigMap": core.configMapCells,
  "/Endpoints": networking.endpointsCells,
  "/Event": core.eventCells,
  "/Namespace": core.namespaceCells,
  "/Node": core.nodeCells,
  "/PersistentVolume": core.persistentVolumeCells,
  "/PersistentVolumeClaim": core.persistentVolumeClaimCells,
  "/Pod": podCells,
  "/PodTemplate": podTemplateCells,
  "/ReplicationController": workloads.replicationControllerCells,
  "/ResourceQuota": core.resourceQuotaCells,
  "/Secret": core.secretCells,
  "/Service": networking.serviceCells,
  "/ServiceAccount": core.nameAndAgeCells,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": access.admissionPolicyCells,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": access.admissionPolicyBindingCells,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": access.webhookConfigurationCells,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": access.admissionPolicyCells,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": access.admissionPolicyBindingCells,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": access.webhookConfigurationCells,
  "apiregistration.k8s.io/APIService": access.apiServiceCells,
  "apps/ControllerRevision": workloads.controllerRevisionCells,
  "apps/DaemonSet": workloads.daemonSetCells,
  "apps/Deployment": workloads.deploymentCells,
  "apps/ReplicaSet": workloads.replicaSetCells,
  "apps/StatefulSet": workloads.statefulSetCells,
  "autoscaling/HorizontalPodAutoscaler": workloads.autoscalerCells,
  "autoscaling/Scale": workloads.scaleCells,
  "batch/CronJob": workloads.cronJobCells,
  "batch/Job": workloads.jobCells,
  "certificates.k8s.io/CertificateSigningRequest": access.certificateSigningRequestCells,
  "certificates.k8s.io/ClusterTrustBundle": access.clusterTrustBundleCells,
  "certificates.k8s.io/PodCertificateRequest": access.podCertificateRequestCells,
  "coordination.k8s.io/Lease": access.leaseCells,
  "discovery.k8s.io/EndpointSlice": networking.endpointSliceCells,
  "events.k8s.io/Event": core.eventCells,
  "flowcontrol.apiserver.k8s.io/FlowSchema": access.flowSchemaCells,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": access.priorityLevelCells,
  "networking.k8s.io/IPAddress": networking.ipAddressCells,
  "networking.k8s.io/Ingress": networking.ingressCells,
  "networking.k8s.io/IngressClass": networking.ingressClassCells,
  "networking.k8s.io/NetworkPolicy": networking.networkPolicyCells,
  "networking.k8s.io/ServiceCIDR": networking.serviceCidrCells,
  "node.k8s.io/RuntimeClass": storage.runtimeClassCells,
  "policy/PodDisruptionBudget": workloads.disruptionBudgetCells,
  "rbac.authorization.k8s.io/ClusterRoleBinding": access.roleBindingCells,
  "rbac.authorization.k8s.io/RoleBinding": access.roleBindingCells,
  "resource.k8s.io/DeviceClass": core.nameAndAgeCells,
  "resource.k8s.io/DeviceTaintRule": storage.deviceTaintRuleCells,
  "resource.k8s.io/ResourceClaim": storage.resourceClaimCells,
  "resource.k8s.io/ResourceClaimTemplate": core.nameAndAgeCells,
  "resource.k8s.io/ResourceSlice": storage.resourceSliceCells,
  "scheduling.k8s.io/PriorityClass": storage.priorityClassCells,
  "storage.k8s.io/CSIDriver": storage.csiDriverCells,
  "storage.k8s.io/CSINode": storage.csiNodeCells,
  "storage.k8s.io/StorageClass": storage.storageClassCells,
  "storage.k8s.io/VolumeAttachment": storage.volumeAttachmentCells,
  "storage.k8s.io/VolumeAttributesClass": storage.volumeAttributesClassCells,
  "storagemigration.k8s.io/StorageVersionMigration": storage.storageVersionMigrationCells,
};

/**
 * Finds how objects of a kind become rows of a table.
 *
 * @param group - the group
 * @param kind - the kind
 * @param kubernetes - the version of Kubernetes
 * @param convert - brings an object into the version that the cells read, if it isn't the version of the request
 * @returns the printer; kinds without one of their own have the columns Name and Created At
 */
export function printerOf(
  group: string,
  kind: string,
  kubernetes: KubernetesVersion = newestVersion,
  convert?: (object: ApiObject) => ApiObject,
): TablePrinter {
  const key = `${group}/${kind}`;
  const cells = cellsByKind[key];
  if (key === "apiextensions.k8s.io/CustomResourceDefinition") return definitionPrinter;
  if (cells === undefined) return namePrinter;
  let columns: Column[] | undefined;
  return {
    get columns() {
      // Both groups of Event share a printer.
      columns ??= columnsOf(key === "events.k8s.io/Event" ? "/Event" : key, kubernetes);
      return columns;
    },
    cells: (object, now, all) => cells(convert === undefined ? object : convert(object), now, all),
    ...(key === "/Pod" ? { conditions: podRowConditions } : {}),
  };
}

function columnsOf(key: string, kubernetes: KubernetesVersion): Column[] {
  const { columns, descriptions } = data(kubernetes);
  return (columns[key] ?? []).map(([name, type, format, priority, description]) => ({
    name,
    type,
    format,
    description: descriptions[description] as string,
    priority,
  }));
}

/** Returns the groups and kinds that have cells of their own. */
export function printedKinds(): string[] {
  return Object.keys(cellsByKind);
}

let nameColumns: Column[] | undefined;

/** The printer of kinds that have none of their own. */
const namePrinter: TablePrinter = {
  rowsOfNone: null,
  get columns() {
    if (nameColumns === undefined) {
      const [name, , age] = columnsOf("/Namespace", newestVersion) as [Column, Column, Column];
      nameColumns = [name, { ...age, name: "Created At", type: "date" }];
    }
    return nameColumns;
  },
  cells: ({ metadata }) => [metadata.name ?? "", metadata.creationTimestamp ?? timestamp(0)],
};

/** The printer of definitions, whose columns the real server has outside its printers. */
const definitionPrinter: TablePrinter = {
  rowsOfNone: null,
  get columns() {
    const [name, created] = namePrinter.columns as [Column, Column];
    const column = (title: string, description: string, priority: number, type = "string"): Column => ({
      name: title,
      type,
      format: "",
      description,
      priority,
    });
    return [
      name,
      column("Scope", "Cluster/Namespaced", 0),
      column("Versions", "Served versions", 0),
      created,
      column("Group", "API group", 1),
      column("Kind", "CustomResource kind", 1),
      column("ShortNames", "Short names", 1),
      column("Established", "Established status", 1, "boolean"),
    ];
  },
  cells: access.definitionCells,
};
