import type { Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isQualifiedName, notSupported } from "@kubewright/cel/validation";
import { invalidFor } from "../fields/fields.ts";
import { isWhole, nonNegativeQuantity } from "../fields/quantities.ts";

const requestsPrefix = "requests.";
const hugePagesPrefix = "hugepages-";
const containerResources = new Set(["cpu", "memory", "ephemeral-storage"]);
const counted = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];
const quotaResources = new Set([
  ...[...containerResources].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  "requests.storage",
  ...counted,
]);
const standardResources = new Set([...quotaResources, "storage"]);

/** Reports whether a resource is huge pages of some size. */
export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith(`${requestsPrefix}${hugePagesPrefix}`);
}

/** Reports whether Kubernetes itself defines a resource. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Reports whether a resource is one that devices of nodes provide. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(requestsPrefix)) return false;
  return isQualifiedName(`${requestsPrefix}${name}`).length === 0;
}

/** Reports whether containers can request less of a resource than their limit. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Reports whether a quota can limit a resource that Kubernetes itself defines. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

/** Checks the name of a resource. */
export function resourceNameErrors(name: string, path: string): FieldError[] {
  const errors = invalidFor(path, name, isQualifiedName(name));
  if (errors.length > 0 || name.includes("/") || standardResources.has(name) || isQuotaHugePages(name)) return errors;
  return [invalidValue(path, name, "must be a standard resource type or fully qualified")];
}

/** Checks the name of a resource of containers. */
export function containerResourceNameErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes("/")) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      errors.push(invalidValue(path, name, "must be a standard resource for containers"));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidValue(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** Checks the name of a resource that all containers of a Pod share. */
export function podResourceNameErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [notSupported(path, name, ["cpu", hugePagesPrefix, "memory"])];
}

/** Checks the name of a resource that a quota limits. */
export function quotaResourceNameErrors(name: string, path: string): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes("/") && !isStandardQuotaResource(name)) {
    errors.push(invalidValue(path, name, "must be a standard resource for quota"));
  }
  return errors;
}

/** Checks the quantity of a resource: it isn't negative, and whole if the resource has no fractions. */
export function resourceQuantityErrors(name: string, quantity: Json | undefined, path: string): FieldError[] {
  const errors = nonNegativeQuantity(quantity, path);
  if ((counted.includes(name) || isExtendedResource(name)) && !isWhole(quantity)) {
    errors.push(invalidValue(path, quantity, "must be an integer"));
  }
  return errors;
}
