import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type Amounts, amountsOf, ofContainers, sum } from "../../builtin/defaults/pod-resources.ts";
import { qualityOfService } from "../../builtin/strategies/core/pod/quality-of-service.ts";
import { isExtendedResource, isHugePages, isNativeResource } from "../../builtin/strategies/core/resource-names.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { ApiObject } from "../../model/resource.ts";
import { matchesLabels } from "../../request/label-selector.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import { compareAmounts, roundAmount } from "../../validation/amounts.ts";

/** A requirement of a quota on objects. */
export interface Scope {
  scopeName: string;
  operator: string;
  values?: string[];
}

/** How the objects of a resource count for quotas. */
export interface Evaluator {
  /** Reports whether a request can change the usage. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Reports whether a quota for a name concerns the objects. */
  counts(name: string): boolean;
  /** Reports whether an object is in a scope. */
  isIn(scope: Scope, object: ApiObject): boolean;
  /** Returns what an object must specify if a quota limits these names, and doesn't; undefined if nothing is missing. */
  missing(names: readonly string[], object: ApiObject): string | undefined;
  /** Returns what an object uses. */
  usage(object: ApiObject): Amounts;
}

const fieldsOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const objectsOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isWrite = ({ operation, subresource }: AdmissionAttributes): boolean =>
  subresource === "" && (operation === "CREATE" || operation === "UPDATE");

const withoutScopes = { isIn: () => false, missing: () => undefined };

/** The names under which quotas also count objects of some core resources. */
const aliases = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** Returns how the objects of a resource are counted. */
export function evaluatorOf(group: string, resource: string): Evaluator {
  const special = evaluators[`${group}/${resource}`];
  if (special !== undefined) return special;
  const names = [group === "" ? `count/${resource}` : `count/${resource}.${group}`];
  if (group === "" && aliases.has(resource)) names.push(resource);
  return {
    ...withoutScopes,
    handles: ({ operation, subresource }) => subresource === "" && operation === "CREATE",
    counts: (name) => names.includes(name),
    usage: () => Object.fromEntries(names.map((name) => [name, "1"])),
  };
}

const computeNames = new Set([
  "count/pods",
  "pods",
  ...ofEach("cpu"),
  ...ofEach("memory"),
  ...ofEach("ephemeral-storage"),
]);
/** The resources that each container must specify. */
const required = new Set([...ofEach("cpu"), ...ofEach("memory")]);

function ofEach(name: string): string[] {
  return [name, `requests.${name}`, `limits.${name}`];
}

const pods: Evaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    if (operation === "UPDATE") {
      return object !== undefined && oldObject !== undefined && hasDeadline(object) !== hasDeadline(oldObject);
    }
    return operation === "CREATE";
  },
  counts: (name) =>
    computeNames.has(name) ||
    /^(requests\.)?hugepages-/.test(name) ||
    (name.startsWith("requests.") &&
      (!isNativeResource(name) || name.startsWith("requests.deviceclass.resource.kubernetes.io/"))),
  isIn: isPodIn,
  missing(names, { spec }) {
    const pod = fieldsOf(spec);
    if (Object.keys(podLevel(pod, "requests")).length + Object.keys(podLevel(pod, "limits")).length > 0)
      return undefined;
    const wanted = names.filter((name) => required.has(name)).sort();
    const containers = [...objectsOf(pod.containers), ...objectsOf(pod.initContainers)];
    const problems = wanted.flatMap((name) => {
      const without = containers.filter((container) => {
        const used = computeUsage(amountsOf(container, "requests"), amountsOf(container, "limits"));
        return used[name] === undefined;
      });
      const lacking = [...new Set(without.map((one) => String(one.name)))].sort();
      return lacking.length === 0 ? [] : [`${name} for: ${lacking.join(",")}`];
    });
    return problems.length === 0 ? undefined : `must specify ${problems.join("; ")}`;
  },
  usage({ spec, status }) {
    const { phase } = fieldsOf(status);
    if (phase === "Failed" || phase === "Succeeded") return { "count/pods": "1" };
    const pod = fieldsOf(spec);
    return { "count/pods": "1", ...computeUsage(ofPod(pod, "requests"), ofPod(pod, "limits")) };
  },
};

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const result: Amounts = { pods: "1" };
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const [request, limit] = [requests[name], limits[name]];
    if (request !== undefined) Object.assign(result, { [name]: request, [`requests.${name}`]: request });
    if (limit !== undefined) result[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (isHugePages(name)) result[name] = request;
    if (isHugePages(name) || isExtendedResource(name)) result[`requests.${name}`] = request;
  }
  return result;
}

/** The resources that a Pod as a whole has. */
function podLevel(spec: JsonObject, key: string): Amounts {
  const own = Object.entries(amountsOf(spec, key));
  return Object.fromEntries(own.filter(([name]) => name === "cpu" || name === "memory" || isHugePages(name)));
}

function ofPod(spec: JsonObject, key: string): Amounts {
  const amounts = { ...ofContainers(spec, key), ...podLevel(spec, key) };
  const overhead = Object.entries(fieldsOf(spec.overhead) as Amounts);
  return sum(
    amounts,
    Object.fromEntries(overhead.filter(([name]) => key === "requests" || amounts[name] !== undefined)),
  );
}

function hasDeadline({ spec }: ApiObject): boolean {
  const { activeDeadlineSeconds } = fieldsOf(spec);
  return typeof activeDeadlineSeconds === "number" && activeDeadlineSeconds >= 0;
}

function isPodIn(scope: Scope, pod: ApiObject): boolean {
  const spec = fieldsOf(pod.spec);
  switch (scope.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return qualityOfService(spec) === "BestEffort";
    case "NotBestEffort":
      return qualityOfService(spec) !== "BestEffort";
    case "PriorityClass":
      return matchesOne(scope, spec.priorityClassName ? [String(spec.priorityClassName)] : []);
    case "CrossNamespacePodAffinity":
      return ["podAffinity", "podAntiAffinity"].some((key) =>
        isAcrossNamespaces(fieldsOf(fieldsOf(spec.affinity)[key])),
      );
    default:
      return false;
  }
}

function isAcrossNamespaces(affinity: JsonObject): boolean {
  const preferred = objectsOf(affinity.preferredDuringSchedulingIgnoredDuringExecution);
  const terms = [
    ...objectsOf(affinity.requiredDuringSchedulingIgnoredDuringExecution),
    ...preferred.map(({ podAffinityTerm }) => fieldsOf(podAffinityTerm)),
  ];
  return terms.some(
    ({ namespaces, namespaceSelector }) =>
      (Array.isArray(namespaces) && namespaces.length > 0) || isObject(namespaceSelector),
  );
}

/** Reports whether a scope selects one of the names, or an object without one. */
function matchesOne({ scopeName, operator, values = [] }: Scope, names: readonly string[]): boolean {
  const selector = selectorOfObject({ matchExpressions: [{ key: scopeName, operator, values }] });
  if (names.length === 0) return matchesLabels(selector, {});
  return names.some((name) => matchesLabels(selector, { [scopeName]: name }));
}

const serviceNames = new Set(["count/services", "services", "services.nodeports", "services.loadbalancers"]);

const services: Evaluator = {
  ...withoutScopes,
  handles: isWrite,
  counts: (name) => serviceNames.has(name),
  usage({ spec }) {
    const { type, ports, allocateLoadBalancerNodePorts } = fieldsOf(spec);
    const isBalanced = type === "LoadBalancer";
    const all = objectsOf(ports);
    const own = allocateLoadBalancerNodePorts === false && isBalanced ? all.filter(({ nodePort }) => nodePort) : all;
    const nodePorts = isBalanced || type === "NodePort" ? own.length : 0;
    return {
      "count/services": "1",
      services: "1",
      "services.loadbalancers": isBalanced ? "1" : "0",
      "services.nodeports": String(nodePorts),
    };
  },
};

const classSuffix = ".storageclass.storage.k8s.io/";
const claimNames = ["persistentvolumeclaims", "requests.storage"];

const claims: Evaluator = {
  handles: (attributes) =>
    isWrite(attributes) || (attributes.subresource === "status" && attributes.operation === "UPDATE"),
  counts: (name) =>
    name === "count/persistentvolumeclaims" ||
    claimNames.includes(name) ||
    claimNames.some((claimName) => name.endsWith(`${classSuffix}${claimName}`)),
  isIn: (scope, claim) => scope.scopeName === "VolumeAttributesClass" && matchesOne(scope, attributesClasses(claim)),
  missing: () => undefined,
  usage({ metadata, spec: given, status }) {
    const spec = fieldsOf(given);
    const storageClass =
      metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec.storageClassName ?? "";
    const own: Amounts = { persistentvolumeclaims: "1" };
    const asked = amountsOf(spec, "requests").storage;
    if (asked !== undefined) {
      const allocated = (fieldsOf(fieldsOf(status).allocatedResources) as Amounts).storage;
      const isGreater = allocated !== undefined && compareAmounts(allocated, asked) > 0;
      own["requests.storage"] = roundAmount(isGreater ? allocated : asked, 0);
    }
    const ofClass = Object.entries(own).map(([name, amount]) => [`${storageClass}${classSuffix}${name}`, amount]);
    return { "count/persistentvolumeclaims": "1", ...own, ...(storageClass === "" ? {} : Object.fromEntries(ofClass)) };
  },
};

function attributesClasses({ spec, status }: ApiObject): string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = fieldsOf(status);
  const names = [
    fieldsOf(spec).volumeAttributesClassName,
    currentVolumeAttributesClassName,
    fieldsOf(modifyVolumeStatus).targetVolumeAttributesClassName,
  ];
  return names.filter((name): name is string => typeof name === "string" && name !== "");
}

const deviceSuffix = ".deviceclass.resource.k8s.io/devices";
/** The most devices of one request, which counts for requests of all devices. */
const mostDevices = 32;

const resourceClaims: Evaluator = {
  ...withoutScopes,
  handles: isWrite,
  counts: (name) => name === "count/resourceclaims.resource.k8s.io" || name.endsWith(deviceSuffix),
  usage({ spec }) {
    let used: Amounts = { "count/resourceclaims.resource.k8s.io": "1" };
    for (const request of objectsOf(fieldsOf(fieldsOf(spec).devices).requests)) {
      const alternatives = objectsOf(request.firstAvailable);
      const most: Record<string, number> = {};
      for (const alternative of alternatives.length > 0 ? alternatives : objectsOf([request.exactly ?? null])) {
        const name = `${String(alternative.deviceClassName)}${deviceSuffix}`;
        const count = alternative.allocationMode === "All" ? mostDevices : Number(alternative.count ?? 0);
        most[name] = Math.max(most[name] ?? 0, count);
      }
      used = sum(used, Object.fromEntries(Object.entries(most).map(([name, count]) => [name, String(count)])));
    }
    return used;
  },
};

const evaluators: Record<string, Evaluator> = {
  "/pods": pods,
  "/services": services,
  "/persistentvolumeclaims": claims,
  "resource.k8s.io/resourceclaims": resourceClaims,
};
