import { isObject, type Json } from "@kubewright/cel/json";
import type { ApiObject } from "../model/resource.ts";

type Read = (object: ApiObject) => string;

function at(path: string, absent = ""): Read {
  const parts = path.split(".");
  return (object) => {
    let value: Json | undefined = object;
    for (const part of parts) value = isObject(value) ? value[part] : undefined;
    return value === undefined || value === null ? absent : String(value);
  };
}

function same(...paths: string[]): Record<string, Read> {
  return Object.fromEntries(paths.map((path) => [path, at(path)]));
}

const firstAddress: Read = ({ status }) => {
  const addresses = (isObject(status) ? status.podIPs : undefined) as { ip?: string }[] | undefined;
  return addresses?.[0]?.ip ?? "";
};

const references = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

const eventFields: Record<string, Read> = {
  ...same("type", "reason", "reportingComponent"),
  ...same(...references.map((name) => `involvedObject.${name}`)),
  source: (event) => at("source.component")(event) || at("reportingComponent")(event),
};

/** The fields that lists of built-in kinds can be selected by, apart from name and namespace, by group and resource. */
const fields: Readonly<Record<string, Record<string, Read>>> = {
  "/events": eventFields,
  "/namespaces": same("status.phase"),
  "/nodes": { "spec.unschedulable": at("spec.unschedulable", "false") },
  "/pods": {
    ...same("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase"),
    ...same("status.podIP", "status.nominatedNodeName"),
    "spec.hostNetwork": at("spec.hostNetwork", "false"),
    "status.podIP": firstAddress,
    "status.podIPs": firstAddress,
    "spec.host": at("spec.nodeName"),
  },
  "/replicationcontrollers": { "status.replicas": at("status.replicas", "0") },
  "/secrets": same("type"),
  "/services": same("spec.clusterIP", "spec.type"),
  "batch/jobs": { "status.successful": at("status.succeeded", "0") },
  "certificates.k8s.io/certificatesigningrequests": same("spec.signerName"),
  "certificates.k8s.io/clustertrustbundles": same("spec.signerName"),
  "certificates.k8s.io/podcertificaterequests": same("spec.signerName", "spec.podName", "spec.nodeName"),
  "events.k8s.io/events": same(
    ...["type", "reason", "reportingController"],
    ...references.map((name) => `regarding.${name}`),
  ),
  "resource.k8s.io/resourceslices": same("spec.nodeName", "spec.driver", "spec.pool.name"),
};

/**
 * Finds the fields that a list can be selected by.
 *
 * @param group - the group
 * @param resource - the resource
 * @returns functions that read the fields as text, by field
 */
export function selectableFields(group: string, resource: string): Readonly<Record<string, Read>> {
  return fields[`${group}/${resource}`] ?? {};
}
