import type { KubernetesObject } from "../api/index.ts";
import { isStatus } from "../errors/status.ts";
import { isDryRun } from "../transport/dry-run.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";

/** Receives every write that the server has confirmed. */
export interface WriteObserver {
  /** Called with an object as the server stored it. */
  wrote(answer: KubernetesObject): void;
  /** Called after an object was removed permanently. */
  deleted(deletion: ObservedDeletion): void;
  /** Returns whether reads of a resource depend on writes of this process. */
  watches(resource: { group: string; plural: string }): boolean;
}

export interface ObservedDeletion {
  group: string;
  plural: string;
  namespace: string;
  name: string;
  uid: string;
}

/** Returns a transport that reports confirmed writes of all its clients to an observer. */
export function observeWrites(transport: Transport, observer: WriteObserver): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    async request(request) {
      const response = await transport.request(request);
      if (request.method === "GET" || isDryRun(request)) return response;
      const resource = resourceOf(request.path);
      if (request.method === "DELETE" && resource?.name === "") {
        if (observer.watches(resource)) await reportCollection(transport, observer, request, resource, response.body);
      } else report(observer, request, resource, response.body);
      return response;
    },
  };
}

function report(
  observer: WriteObserver,
  request: TransportRequest,
  resource: Resource | undefined,
  body: unknown,
): void {
  if (typeof body !== "object" || body === null) return;
  const object = body as KubernetesObject;
  if (!isGone(request.method, object)) {
    if (object.metadata?.resourceVersion && object.metadata.name) observer.wrote(object);
    return;
  }
  const uid = isStatus(body) ? body.details?.uid : object.metadata?.uid;
  if (resource?.name && uid) observer.deleted({ ...resource, uid });
}

/**
 * Reports the objects of a deleted collection. The response contains their state before the deletion. One list then shows
 * which objects were removed, and which are only marked for deletion. If that list fails, the watch reports them slightly
 * later.
 */
async function reportCollection(
  transport: Transport,
  observer: WriteObserver,
  { path, query, signal }: TransportRequest,
  resource: Resource,
  before: unknown,
): Promise<void> {
  const selected = itemsOf(before);
  if (selected.length === 0) return;
  let after: KubernetesObject[];
  try {
    after = itemsOf((await transport.request({ method: "GET", path, query, signal })).body);
  } catch {
    return;
  }
  for (const object of after) observer.wrote(object);
  const left = new Set(after.map(({ metadata }) => metadata?.uid));
  for (const { metadata: { uid, name, namespace = "" } = {} } of selected) {
    if (uid && name && !left.has(uid)) observer.deleted({ ...resource, namespace, name, uid });
  }
}

/** Returns the items of a list, with their kind derived from the list's kind. */
function itemsOf(list: unknown): KubernetesObject[] {
  const { apiVersion = "", kind = "", items } = (list ?? {}) as { apiVersion?: string; kind?: string; items?: unknown };
  if (!Array.isArray(items)) return [];
  return (items as KubernetesObject[]).map((item) => ({ ...item, apiVersion, kind: kind.replace(/List$/, "") }));
}

/** Checks whether a write removed its object: a deletion without finalizers, or a write that removed the last one. */
function isGone(method: string, object: KubernetesObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata ?? {};
  if (!deletionTimestamp) return method === "DELETE";
  return !finalizers?.length && Number(deletionGracePeriodSeconds ?? 0) === 0 && !isHeldBySpec(object);
}

/** Checks for finalizers in the spec. Namespaces have them, and exist until their content is deleted. */
function isHeldBySpec(object: KubernetesObject): boolean {
  if (object.apiVersion !== "v1" || object.kind !== "Namespace") return false;
  const { spec } = object as { spec?: { finalizers?: readonly string[] } };
  return (spec?.finalizers?.length ?? 0) > 0;
}

interface Resource {
  group: string;
  plural: string;
  namespace: string;
  /** Empty for a collection. */
  name: string;
}

/** Returns the resource of a request's path, or `undefined` if the path has no resource. */
function resourceOf(path: string): Resource | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/.exec(path);
  if (!match) return undefined;
  const group = match[1] ?? "";
  const [first = "", second = "", third, fourth = ""] = (match[2] ?? "").split("/").map(decodeURIComponent);
  // `namespaces/x` and `namespaces/x/finalize` refer to the namespace itself.
  const isInNamespace = first === "namespaces" && third !== undefined && !["finalize", "status"].includes(third);
  if (isInNamespace) return { group, namespace: second, plural: third, name: fourth };
  return { group, namespace: "", plural: first, name: second };
}
