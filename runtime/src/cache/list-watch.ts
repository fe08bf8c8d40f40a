import type { KubernetesObject } from "../api/index.ts";
import { acceptFor } from "../client/answers.ts";
import { collectionPath } from "../client/resource.ts";
import { TransportError } from "../errors/index.ts";
import type { Kind } from "../kind.ts";
import type { Transport, TransportStream } from "../transport/transport.ts";

/** What of a kind is watched: selectors are applied by the server. */
export interface WatchScope {
  /** One namespace; all of them, or a cluster-scoped kind, without. */
  namespace?: string;
  labels?: string;
  fields?: string;
}

export interface ListPage {
  items: KubernetesObject[];
  resourceVersion: string;
  /** Where the next page begins. */
  continue?: string;
}

export interface WatchRequest {
  resourceVersion?: string;
  timeoutSeconds: number;
  /** Begins with all objects there are, ended by an annotated bookmark. */
  sendInitialEvents?: boolean;
  signal: AbortSignal;
}

export interface ListRequest {
  resourceVersion?: string;
  limit?: number;
  continue?: string;
  signal: AbortSignal;
}

/** The two requests that informers live on. */
export interface ListWatch {
  list(request: ListRequest): Promise<ListPage>;
  watch(request: WatchRequest): Promise<TransportStream>;
}

export interface ListWatchOptions {
  transport: Transport;
  /** Resource name and scope; asked for again with each request, because a definition may be installed later. */
  mapping: () => Promise<{ plural: string; namespaced: boolean }>;
  kind: Kind;
  scope: WatchScope;
  /** Only `metadata` of each object. */
  metadataOnly?: boolean;
}

// No answer for so long means that nobody is there. An open watch is looked after by the transport, by its bookmarks.
const timeout = 70_000;
/** The reflector tries again itself, sooner than servers ask for while they start: `Retry-After` counts in whole seconds. */
const maxRetries = 0;

/** Lists and watches one kind in one scope. Objects carry `apiVersion` and `kind`, which items of lists come without. */
export function createListWatch(options: ListWatchOptions): ListWatch {
  const { transport, kind, scope, metadataOnly } = options;

  async function path(): Promise<string> {
    return collectionPath({ ...kind, ...(await options.mapping()) }, scope.namespace);
  }

  const selectors = { labelSelector: scope.labels, fieldSelector: scope.fields };

  return {
    async list(request) {
      const { body } = await transport.request({
        method: "GET",
        path: await path(),
        query: {
          ...selectors,
          resourceVersion: request.continue ? undefined : request.resourceVersion,
          limit: request.limit,
          continue: request.continue,
        },
        accept: acceptFor(metadataOnly, "PartialObjectMetadataList"),
        signal: request.signal,
        timeout,
        maxRetries,
      });
      return page(body, kind);
    },

    async watch(request) {
      return transport.stream({
        method: "GET",
        path: await path(),
        query: {
          ...selectors,
          watch: true,
          allowWatchBookmarks: true,
          timeoutSeconds: request.timeoutSeconds,
          resourceVersion: request.resourceVersion,
          sendInitialEvents: request.sendInitialEvents,
          resourceVersionMatch: request.sendInitialEvents ? "NotOlderThan" : undefined,
        },
        accept: acceptFor(metadataOnly, "PartialObjectMetadata"),
        signal: request.signal,
        timeout,
        maxRetries,
      });
    },
  };
}

// A proxy's `{}` with status 200 must never pass for "there are no objects".
function page(body: unknown, kind: Kind): ListPage {
  const list = body as { kind?: unknown; metadata?: { resourceVersion?: unknown; continue?: string }; items?: unknown };
  const resourceVersion = list?.metadata?.resourceVersion;
  const isList = typeof list?.kind === "string" && list.kind.endsWith("List");
  const items = list?.items === null ? [] : list?.items;
  if (!isList || typeof resourceVersion !== "string" || resourceVersion === "" || !Array.isArray(items)) {
    throw new TransportError("EBADANSWER", `the response to the list of ${kind.kind} isn't a list`);
  }
  for (const item of items as KubernetesObject[]) {
    item.apiVersion = kind.apiVersion;
    item.kind = kind.kind;
  }
  return { items: items as KubernetesObject[], resourceVersion, continue: list.metadata?.continue || undefined };
}
