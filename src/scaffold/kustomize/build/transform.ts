// The transformations of a kustomization, one function per key.
import { imageParts } from "../../../kubernetes/image.ts";
import {
  changeAt,
  type Fields,
  fieldsOf,
  isFields,
  isList,
  textOf,
  type Value,
  withField,
} from "../../../yaml/plain-values.ts";
import { changed, nameOf, type Resource, withMetadata } from "./resource.ts";

/** Cluster-scoped kinds, which get no namespace. */
const clusterScoped = new Set([
  "APIService",
  "CertificateSigningRequest",
  "ClusterRole",
  "ClusterRoleBinding",
  "ClusterTrustBundle",
  "CSIDriver",
  "CSINode",
  "CustomResourceDefinition",
  "DeviceClass",
  "FlowSchema",
  "IngressClass",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "PriorityLevelConfiguration",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "VolumeAttachment",
]);

/** Kinds whose names contain other names, so that a prefix would make them invalid. */
const unprefixed = new Set(["CustomResourceDefinition", "APIService", "Namespace"]);

export function setNamespace(resource: Resource, namespace: string): Resource {
  const { object } = resource;
  const kind = textOf(object.kind);
  if (kind === "Namespace" && object.apiVersion === "v1")
    return changed(resource, withMetadata(object, "name", namespace));
  const here = clusterScoped.has(kind) ? object : withMetadata(object, "namespace", namespace);
  const set = () => namespace;
  if (kind === "CustomResourceDefinition") {
    const path = ["spec", "conversion", "webhook", "clientConfig", "service", "namespace"];
    return changed(resource, changeAt(here, path, set) as Fields);
  }
  if (kind === "APIService") return changed(resource, changeAt(here, ["spec", "service", "namespace"], set) as Fields);
  if (kind === "RoleBinding" || kind === "ClusterRoleBinding") {
    // The service accounts of the build get their namespace when references are updated.
    const subjects = (value: Value | undefined) =>
      isList(value)
        ? value.map((each) =>
            isFields(each) && each.name === "default" ? withField(each, "namespace", namespace) : each,
          )
        : value;
    return changed(resource, changeAt(here, ["subjects"], subjects) as Fields);
  }
  return changed(resource, here);
}

export function setName(resource: Resource, prefix: string, suffix: string): Resource {
  const { object } = resource;
  if (unprefixed.has(textOf(object.kind))) return resource;
  return changed(resource, withMetadata(object, "name", `${prefix}${nameOf(object)}${suffix}`));
}

const templates: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["spec", "template"],
  DaemonSet: ["spec", "template"],
  ReplicaSet: ["spec", "template"],
  StatefulSet: ["spec", "template"],
  Job: ["spec", "template"],
  CronJob: ["spec", "jobTemplate", "spec", "template"],
};

const selectors: Readonly<Record<string, readonly string[]>> = {
  Service: ["spec", "selector"],
  NetworkPolicy: ["spec", "podSelector", "matchLabels"],
  PodDisruptionBudget: ["spec", "selector", "matchLabels"],
  Deployment: ["spec", "selector", "matchLabels"],
  DaemonSet: ["spec", "selector", "matchLabels"],
  ReplicaSet: ["spec", "selector", "matchLabels"],
  StatefulSet: ["spec", "selector", "matchLabels"],
};

/** Adds labels to an object, and optionally to its template and selector. */
export function addLabels(
  resource: Resource,
  labels: Fields,
  where: { template: boolean; selector: boolean },
): Resource {
  const add = (value: Value | undefined): Value => ({ ...fieldsOf(value), ...labels });
  const kind = textOf(resource.object.kind);
  const template = where.template ? templates[kind] : undefined;
  const selector = where.selector ? selectors[kind] : undefined;
  let object = changeAt(resource.object, ["metadata", "labels"], add, true);
  if (template !== undefined) object = changeAt(object, [...template, "metadata", "labels"], add, true);
  if (selector !== undefined) object = changeAt(object, selector, add, true);
  return changed(resource, object as Fields);
}

export function addAnnotations(resource: Resource, annotations: Fields): Resource {
  const add = (value: Value | undefined): Value => ({ ...fieldsOf(value), ...annotations });
  const template = templates[textOf(resource.object.kind)];
  const object = changeAt(resource.object, ["metadata", "annotations"], add, true);
  return changed(
    resource,
    (template === undefined ? object : changeAt(object, [...template, "metadata", "annotations"], add, true)) as Fields,
  );
}

/** Applies an entry of `images` to a resource. */
export function setImage(resource: Resource, image: Fields): Resource {
  const template = templates[textOf(resource.object.kind)] ?? (resource.object.kind === "Pod" ? [] : undefined);
  if (template === undefined) return resource;
  const object = ["containers", "initContainers"].reduce<Value>(
    (now, list) =>
      changeAt(now, [...template, "spec", list, "image"], (value) => withImage(textOf(value), image)) ?? now,
    resource.object,
  );
  return changed(resource, object as Fields);
}

function withImage(current: string, { name, newName, newTag, digest }: Fields): string {
  const now = imageParts(current);
  if (now.name !== name) return current;
  const to = textOf(newName) || now.name;
  if (textOf(digest) !== "") return `${to}@${textOf(digest)}`;
  if (newTag !== undefined) return `${to}:${String(newTag)}`;
  return `${to}${now.tag === "" ? "" : `:${now.tag}`}${now.digest === "" ? "" : `@${now.digest}`}`;
}

export function setReplicas(resource: Resource, { name, count }: Fields): Resource {
  if (!resource.names.includes(textOf(name)) || count === undefined) return resource;
  return changed(resource, changeAt(resource.object, ["spec", "replicas"], () => count, true) as Fields);
}
