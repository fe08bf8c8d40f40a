import type { Strategy } from "../../model/resource.ts";
import { mutatingAdmissionPolicy } from "./admissionregistration/mutating-admission-policy.ts";
import {
  mutatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBinding,
} from "./admissionregistration/policy-binding.ts";
import { refuseReservedNames } from "./admissionregistration/reserved-names.ts";
import { validatingAdmissionPolicy } from "./admissionregistration/validating-admission-policy.ts";
import { webhookConfiguration } from "./admissionregistration/webhook-configuration.ts";
import { customResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
import { apiService } from "./apiregistration/api-service.ts";
import { controllerRevision } from "./apps/controller-revision.ts";
import { daemonSet } from "./apps/daemon-set.ts";
import { podTemplate, replicationController } from "./apps/replication-controller.ts";
import { statefulSet } from "./apps/stateful-set.ts";
import { deployment, replicaSet } from "./apps/workloads.ts";
import { horizontalPodAutoscaler } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJob } from "./batch/cron-job.ts";
import { job } from "./batch/job.ts";
import { certificateSigningRequests } from "./certificates/certificate-signing-request.ts";
import { clusterTrustBundle } from "./certificates/cluster-trust-bundle.ts";
import { podCertificateRequest } from "./certificates/pod-certificate-request.ts";
import { lease } from "./coordination/lease.ts";
import { configMap } from "./core/config-map.ts";
import { event, strictEvent } from "./core/event.ts";
import { limitRange } from "./core/limit-range.ts";
import { namespace } from "./core/namespace.ts";
import { node } from "./core/node/node.ts";
import { pod } from "./core/pod/pod.ts";
import { resourceQuota } from "./core/resource-quota.ts";
import { secret } from "./core/secret.ts";
import { endpoints } from "./core/service/endpoints.ts";
import { serviceStrategy } from "./core/service/service.ts";
import { serviceAccount } from "./core/service-account.ts";
import { persistentVolume } from "./core/volume/persistent-volume.ts";
import { persistentVolumeClaim } from "./core/volume/persistent-volume-claim.ts";
import { endpointSlice } from "./discovery/endpoint-slice.ts";
import { flowSchema } from "./flowcontrol/flow-schema.ts";
import { priorityLevelConfiguration } from "./flowcontrol/priority-level-configuration.ts";
import { ingress, ingressClass } from "./networking/ingress.ts";
import { ipAddress } from "./networking/ip-address.ts";
import { networkPolicy } from "./networking/network-policy.ts";
import { serviceCIDR } from "./networking/service-cidr.ts";
import { runtimeClass } from "./node/runtime-class.ts";
import { podDisruptionBudget } from "./policy/pod-disruption-budget.ts";
import { clusterRole, clusterRoleBinding, role, roleBinding } from "./rbac/rules.ts";
import { deviceClass } from "./resource/device-class.ts";
import { deviceTaintRule } from "./resource/device-taint-rule.ts";
import { resourceClaim, resourceClaimTemplate } from "./resource/resource-claim.ts";
import { resourceSlice } from "./resource/resource-slice.ts";
import { priorityClass } from "./scheduling/priority-class.ts";
import { csiDriver } from "./storage/csi-driver.ts";
import { csiNode } from "./storage/csi-node.ts";
import { csiStorageCapacity } from "./storage/csi-storage-capacity.ts";
import { storageClass, volumeAttributesClass } from "./storage/storage-class.ts";
import { volumeAttachment } from "./storage/volume-attachment.ts";
import { storageVersionMigration } from "./storagemigration/storage-version-migration.ts";
import { strategyOf, traits } from "./traits.ts";

/** Creates the rules of kinds beyond their traits, by group and resource. Each server has its own, because some count. */
function createStrategies(): Readonly<Record<string, Strategy>> {
  return {
    "admissionregistration.k8s.io/mutatingadmissionpolicies": refuseReservedNames(mutatingAdmissionPolicy),
    "admissionregistration.k8s.io/mutatingadmissionpolicybindings": refuseReservedNames(mutatingAdmissionPolicyBinding),
    "admissionregistration.k8s.io/mutatingwebhookconfigurations": refuseReservedNames(webhookConfiguration(true)),
    "admissionregistration.k8s.io/validatingadmissionpolicies": refuseReservedNames(validatingAdmissionPolicy),
    "admissionregistration.k8s.io/validatingadmissionpolicybindings": refuseReservedNames(
      validatingAdmissionPolicyBinding,
    ),
    "admissionregistration.k8s.io/validatingwebhookconfigurations": refuseReservedNames(webhookConfiguration(false)),
    "apiextensions.k8s.io/customresourcedefinitions": customResourceDefinition,
    "apiregistration.k8s.io/apiservices": apiService,
    "apps/controllerrevisions": controllerRevision,
    "apps/daemonsets": daemonSet,
    "apps/deployments": deployment,
    "apps/replicasets": replicaSet,
    "apps/statefulsets": statefulSet,
    "certificates.k8s.io/certificatesigningrequests": certificateSigningRequests,
    "certificates.k8s.io/clustertrustbundles": clusterTrustBundle,
    "certificates.k8s.io/podcertificaterequests": podCertificateRequest,
    "autoscaling/horizontalpodautoscalers": horizontalPodAutoscaler,
    "batch/cronjobs": cronJob,
    "batch/jobs": job,
    "coordination.k8s.io/leases": lease,
    "/configmaps": configMap,
    "/endpoints": endpoints,
    "/events": event,
    "events.k8s.io/events": strictEvent,
    "/limitranges": limitRange,
    "/namespaces": namespace,
    "/nodes": node,
    "/persistentvolumeclaims": persistentVolumeClaim,
    "/persistentvolumes": persistentVolume,
    "/pods": pod,
    "/podtemplates": podTemplate,
    "/replicationcontrollers": replicationController,
    "/resourcequotas": resourceQuota,
    "/secrets": secret,
    "/serviceaccounts": serviceAccount,
    "/services": serviceStrategy(),
    "discovery.k8s.io/endpointslices": endpointSlice,
    "flowcontrol.apiserver.k8s.io/flowschemas": flowSchema,
    "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": priorityLevelConfiguration,
    "networking.k8s.io/ipaddresses": ipAddress,
    "networking.k8s.io/servicecidrs": serviceCIDR,
    "networking.k8s.io/ingressclasses": ingressClass,
    "networking.k8s.io/ingresses": ingress,
    "networking.k8s.io/networkpolicies": networkPolicy,
    "node.k8s.io/runtimeclasses": runtimeClass,
    "policy/poddisruptionbudgets": podDisruptionBudget,
    "rbac.authorization.k8s.io/clusterrolebindings": clusterRoleBinding,
    "rbac.authorization.k8s.io/clusterroles": clusterRole,
    "rbac.authorization.k8s.io/rolebindings": roleBinding,
    "rbac.authorization.k8s.io/roles": role,
    "resource.k8s.io/deviceclasses": deviceClass,
    "resource.k8s.io/devicetaintrules": deviceTaintRule,
    "resource.k8s.io/resourceclaims": resourceClaim,
    "resource.k8s.io/resourceclaimtemplates": resourceClaimTemplate,
    "resource.k8s.io/resourceslices": resourceSlice,
    "scheduling.k8s.io/priorityclasses": priorityClass,
    "storage.k8s.io/csidrivers": csiDriver,
    "storage.k8s.io/csinodes": csiNode,
    "storage.k8s.io/csistoragecapacities": csiStorageCapacity,
    "storage.k8s.io/volumeattachments": volumeAttachment,
    "storage.k8s.io/storageclasses": storageClass,
    "storage.k8s.io/volumeattributesclasses": volumeAttributesClass,
    "storagemigration.k8s.io/storageversionmigrations": storageVersionMigration,
  };
}

/**
 * Creates the rules of the built-in kinds.
 *
 * @returns a function that finds the rules of a resource: those that follow from its traits, and its own
 */
export function builtInStrategies(): (group: string, resource: string) => Strategy {
  const strategies = createStrategies();
  return (group, resource) => {
    const key = `${group}/${resource}`;
    return strategyOf(traits[key] ?? {}, strategies[key]);
  };
}
