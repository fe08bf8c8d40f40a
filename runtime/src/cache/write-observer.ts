import type { KubernetesObject } from "../api/index.ts";
import { isStatus } from "../errors/status.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";

/** Learns of every write that the server has confirmed. */
export interface WriteObserver {
  /** An object as the server stored it. */
  wrote(answer: KubernetesObject): void;
  /** An object that is gone for good. */
  deleted(resource: { group: string; plural: string; namespace: string; name: string; uid: string }): void;
}

/** A transport whose confirmed writes are told to an observer, whatever client they come through. */
export function observeWrites(transport: Transport, observer: WriteObserver): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    async request(request) {
      const response = await transport.request(request);
      if (request.method !== "GET" && !isDryRun(request)) tell(observer, request, response.body);
      return response;
    },
  };
}

/** Deletions say it in their body. */
function isDryRun({ method, query, body }: TransportRequest): boolean {
  if (query?.dryRun) return true;
  return method === "DELETE" && (body as { dryRun?: unknown } | undefined)?.dryRun !== undefined;
}

function tell(observer: WriteObserver, request: TransportRequest, body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  const object = body as KubernetesObject;
  const isGone = request.method === "DELETE" ? !isLingering(object) : wasLastFinalizer(object);
  if (!isGone) {
    if (object.metadata?.resourceVersion && object.metadata.name) observer.wrote(object);
    return;
  }
  const resource = resourceOf(request.path);
  const uid = isStatus(body) ? body.details?.uid : object.metadata?.uid;
  if (resource && uid) observer.deleted({ ...resource, uid });
}

/** Marked for deletion, and still there: it has finalizers, or time to shut down. */
function isLingering(object: KubernetesObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata ?? {};
  if (!deletionTimestamp) return false;
  return (finalizers?.length ?? 0) > 0 || Number(deletionGracePeriodSeconds ?? 0) > 0;
}

/** A write that took away what held up a deletion is answered with the object, which is gone. */
function wasLastFinalizer(object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined && !isLingering(object);
}

/** Names the object of a request's path; `undefined` for collections. */
function resourceOf(path: string): { group: string; plural: string; namespace: string; name: string } | undefined {
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/.exec(path);
  if (!match) return undefined;
  const group = match[1] ?? "";
  const parts = (match[2] ?? "").split("/").map(decodeURIComponent);
  if (parts[0] === "namespaces" && parts.length >= 4) {
    return { group, namespace: parts[1]!, plural: parts[2]!, name: parts[3]! };
  }
  // `namespaces/x/pods` is a collection, `namespaces/x` and `namespaces/x/finalize` are the namespace itself.
  const isCollection = parts.length < 2 || (parts[0] === "namespaces" && parts.length === 3 && parts[2] !== "finalize");
  return isCollection ? undefined : { group, namespace: "", plural: parts[0]!, name: parts[1]! };
}
