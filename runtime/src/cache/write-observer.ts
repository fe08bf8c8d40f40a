import type { KubernetesObject } from "../api/index.ts";
import { isStatus } from "../errors/status.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";

/** Receives every write that the server has confirmed. */
export interface WriteObserver {
  /** An object as the server stored it. */
  wrote(answer: KubernetesObject): void;
  /** An object that is gone for good. */
  deleted(deletion: ObservedDeletion): void;
}

export interface ObservedDeletion {
  group: string;
  plural: string;
  namespace: string;
  name: string;
  uid: string;
  /** The last state that is gone: a later one shows that the object still exists. Unset if the server has confirmed the end. */
  lastVersion?: string;
}

/** Returns a transport that reports confirmed writes to an observer, whatever client sends them. */
export function observeWrites(transport: Transport, observer: WriteObserver): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    async request(request) {
      const response = await transport.request(request);
      if (request.method !== "GET" && !isDryRun(request)) report(observer, request, response.body);
      return response;
    },
  };
}

/** Deletions have the option in their body. */
function isDryRun({ method, query, body }: TransportRequest): boolean {
  if (query?.dryRun) return true;
  return method === "DELETE" && (body as { dryRun?: unknown } | undefined)?.dryRun !== undefined;
}

function report(observer: WriteObserver, request: TransportRequest, body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  const resource = resourceOf(request.path);
  if (request.method === "DELETE" && resource && resource.name === "") {
    reportCollection(observer, resource, request.body, body);
    return;
  }
  const object = body as KubernetesObject;
  if (!isGone(request.method, object)) {
    if (object.metadata?.resourceVersion && object.metadata.name) observer.wrote(object);
    return;
  }
  const uid = isStatus(body) ? body.details?.uid : object.metadata?.uid;
  if (resource?.name && uid) observer.deleted({ ...resource, uid });
}

/**
 * Reports the objects that a deletion of a collection removed. The response lists them as they were before: those that something
 * holds up stay. Whether the rest is gone isn't in the response, so a later state counts as proof that an object still exists.
 */
function reportCollection(observer: WriteObserver, resource: Resource, options: unknown, answer: object): void {
  const { items } = answer as { items?: unknown };
  const { propagationPolicy } = (options ?? {}) as { propagationPolicy?: string };
  // These policies set a finalizer. Pods get time to shut down.
  const isImmediate = propagationPolicy === undefined || propagationPolicy === "Background";
  if (!Array.isArray(items) || !isImmediate || (resource.group === "" && resource.plural === "pods")) return;
  for (const { metadata } of items as KubernetesObject[]) {
    if (!metadata?.uid || !metadata.name || metadata.finalizers?.length) continue;
    const { uid, name, namespace = "", resourceVersion: lastVersion } = metadata;
    observer.deleted({ ...resource, namespace, name, uid, lastVersion });
  }
}

/**
 * Whether the response to a write means that its object is gone: a deletion that isn't held up, or the write that removed the last
 * thing that held one up.
 */
function isGone(method: string, object: KubernetesObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata ?? {};
  if (!deletionTimestamp) return method === "DELETE";
  return !finalizers?.length && Number(deletionGracePeriodSeconds ?? 0) === 0 && !isHeldBySpec(object);
}

/** Namespaces have finalizers in their spec: they stay until their content is deleted. */
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

/** Returns the resource that a request's path names; `undefined` if it isn't the path of a resource. */
function resourceOf(path: string): Resource | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/.exec(path);
  if (!match) return undefined;
  const group = match[1] ?? "";
  const [first = "", second = "", third, fourth = ""] = (match[2] ?? "").split("/").map(decodeURIComponent);
  // `namespaces/x` and `namespaces/x/finalize` are the namespace itself.
  const isInNamespace = first === "namespaces" && third !== undefined && !["finalize", "status"].includes(third);
  if (isInNamespace) return { group, namespace: second, plural: third, name: fourth };
  return { group, namespace: "", plural: first, name: second };
}
