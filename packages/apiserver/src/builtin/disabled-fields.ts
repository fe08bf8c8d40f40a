import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { KubernetesVersion } from "../data/versions.ts";

/** Removes fields from an object, in place. */
type Drop = (object: JsonObject) => void;

function at(object: JsonObject, path: string): JsonObject {
  let value: Json | undefined = object;
  for (const key of path.split(".")) value = isObject(value) ? value[key] : undefined;
  return isObject(value) ? value : {};
}

/** Removes the sources of certificates from the volumes of a Pod. */
function dropCertificates(path: string): Drop {
  return (object) => {
    const { volumes } = at(object, path);
    for (const volume of Array.isArray(volumes) ? volumes : []) {
      const { sources } = isObject(volume) ? at(volume, "projected") : {};
      for (const source of Array.isArray(sources) ? sources.filter(isObject) : []) {
        delete source.clusterTrustBundle;
        delete source.podCertificate;
      }
    }
  };
}

const dropOfTemplate = dropCertificates("spec.template.spec");

/** The fields of features that only newer versions have on by default, by kind. */
const disabled: Readonly<Partial<Record<KubernetesVersion, Readonly<Record<string, Drop>>>>> = {
  "1.36": {
    "/v1/Pod": dropCertificates("spec"),
    "/v1/PodTemplate": dropCertificates("template.spec"),
    "/v1/ReplicationController": dropOfTemplate,
    "apps/v1/DaemonSet": dropOfTemplate,
    "apps/v1/Deployment": dropOfTemplate,
    "apps/v1/ReplicaSet": dropOfTemplate,
    "apps/v1/StatefulSet": (object) => {
      dropOfTemplate(object);
      delete at(object, "spec.updateStrategy.rollingUpdate").maxUnavailable;
    },
    "batch/v1/CronJob": dropCertificates("spec.jobTemplate.spec.template.spec"),
    "batch/v1/Job": dropOfTemplate,
    "storage.k8s.io/v1/CSIDriver": (object) => {
      delete at(object, "spec").preventPodSchedulingIfMissing;
    },
  },
};

/**
 * Finds the fields of a kind that a version of Kubernetes has, but drops, because their features are off.
 *
 * @param kubernetes - the version of Kubernetes
 * @param kind - group, version and kind, such as `apps/v1/Deployment`
 * @returns a function that removes them; undefined if there are none
 */
export function disabledFields(kubernetes: KubernetesVersion, kind: string): Drop | undefined {
  return disabled[kubernetes]?.[kind];
}
