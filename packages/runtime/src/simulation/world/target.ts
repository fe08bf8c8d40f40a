import type { KubernetesObject } from "../../api/index.ts";
import type { TransportRequest } from "../../transport/transport.ts";

/** The object or collection of a request. */
export interface Target {
  group: string;
  resource: string;
  namespace: string;
  /** Empty for a request to a collection. */
  name: string;
  subresource: string;
}

const pattern =
  /^\/(?:api\/[^/]+|apis\/(?<group>[^/]+)\/[^/]+)(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>.+))?)?$/;

/**
 * Finds out what a request is about.
 *
 * @param request - the request
 * @returns undefined if it isn't about objects, such as discovery
 */
export function targetOf({ path }: TransportRequest): Target | undefined {
  const groups = pattern.exec(path)?.groups;
  if (!groups) return undefined;
  const part = (value: string | undefined): string => (value === undefined ? "" : decodeURIComponent(value));
  return {
    group: part(groups.group),
    resource: part(groups.resource),
    namespace: part(groups.namespace),
    name: part(groups.name),
    subresource: part(groups.subresource),
  };
}

/** The resources whose writes are bookkeeping: neither faults nor checks look at them. */
export function isBookkeeping({ resource }: { resource: string }): boolean {
  return resource === "events" || resource === "leases";
}

/**
 * Whether a request patches whatever object has the name. An apply of a complete object doesn't count: it creates a missing one.
 *
 * @param request - the request
 * @param target - what the request is about
 */
export function isBlindPatch({ method, contentType = "", body }: TransportRequest, { subresource }: Target): boolean {
  if (method !== "PATCH" || contentType.includes("json-patch")) return false;
  if (contentType.includes("apply") && subresource === "") return false;
  const { uid, resourceVersion } = (body as KubernetesObject | undefined)?.metadata ?? {};
  return uid === undefined && resourceVersion === undefined;
}

/** Whether a resource or kind contains the endpoints of Services. */
export function isEndpoints(name: string): boolean {
  return /^endpoint(s|slices?)$/i.test(name);
}

/** Names the object of a request. */
export function nameOf({ resource, namespace, name }: Target): string {
  return `${resource} ${[namespace, name].filter(Boolean).join("/")}`.trim();
}
