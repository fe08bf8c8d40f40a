import type { ReconcileWrite } from "../session/records.ts";
import type { TransportRequest } from "../transport/transport.ts";

/** The resource of a request's path. */
export interface RequestInfo {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  /** Empty for a collection. */
  readonly name: string;
  readonly subresource: string;
}

/** Returns the resource of a request, or `undefined` if its path has none. */
export function requestInfo(path: string): RequestInfo | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(.+)$/.exec(path);
  if (!match) return undefined;
  const [group = "", version = ""] = [match[1], match[2]];
  const parts = (match[3] ?? "").split("/").map(decodeURIComponent);
  const isInNamespace =
    parts[0] === "namespaces" && parts[2] !== undefined && !["finalize", "status"].includes(parts[2]);
  const [namespace = "", plural = "", name = "", subresource = ""] = isInNamespace ? parts.slice(1) : ["", ...parts];
  return { group, version, namespace, plural, name, subresource };
}

/** Returns the group and version of a resource, such as `apps/v1`. */
export function apiVersionOf({ group, version }: Pick<RequestInfo, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the verb of a write. */
export function writeVerb({ method, contentType = "" }: TransportRequest): ReconcileWrite["verb"] {
  if (method === "POST") return "create";
  if (method === "PUT") return "update";
  if (method === "DELETE") return "delete";
  return contentType.startsWith("application/apply-patch") ? "apply" : "patch";
}
