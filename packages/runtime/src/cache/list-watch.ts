import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { acceptFor } from "../client/answers.ts";
import { collectionPath } from "../client/resource.ts";
import { TransportError } from "../errors/transport-error.ts";
import type { Transport, TransportStream } from "../transport/transport.ts";

/** The scope of a watch. The server applies the selectors. */
export interface WatchScope {
  /** The namespace. Unset for all namespaces or a cluster-scoped kind. */
  namespace?: string;
  labels?: string;
  fields?: string;
}

export interface ListPage {
  items: KubernetesObject[];
  resourceVersion: string;
  /** Token of the next page. */
  continue?: string;
  /** The selector of shards by which the server has filtered. */
  shardSelector?: string;
}

export interface WatchRequest {
  resourceVersion?: string;
  timeoutSeconds: number;
  /** Starts with all existing objects, followed by an annotated bookmark. */
  sendInitialEvents?: boolean;
  /** Only the objects of some shards, if the server supports it. */
  shardSelector?: string;
  signal: AbortSignal;
}

export interface ListRequest {
  resourceVersion?: string;
  limit?: number;
  continue?: string;
  /** Only the objects of some shards, if the server supports it. */
  shardSelector?: string;
  signal: AbortSignal;
}

/** The list and watch requests of informers. */
export interface ListWatch {
  list(request: ListRequest): Promise<ListPage>;
  watch(request: WatchRequest): Promise<TransportStream>;
}

export interface ListWatchOptions {
  transport: Transport;
  /** Returns the resource name and scope. Called for each request, because the CRD can be installed later. */
  mapping: () => Promise<{ plural: string; namespaced: boolean }>;
  kind: Kind;
  scope: WatchScope;
  /** Requests only the `metadata` of each object. */
  metadataOnly?: boolean;
}

// Time in milliseconds after which a list without a response fails. The transport monitors open watches by their bookmarks.
const timeout = 70_000;
/** The reflector retries, earlier than starting servers request: `Retry-After` contains integer seconds. */
const maxRetries = 0;

/**
 * Creates the list and watch requests of one kind in one scope. Sets `apiVersion` and `kind` of each object, which items of
 * lists lack.
 */
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
          shardSelector: request.shardSelector,
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
          shardSelector: request.shardSelector,
        },
        accept: acceptFor(metadataOnly, "PartialObjectMetadata"),
        signal: request.signal,
        timeout,
        maxRetries,
      });
    },
  };
}

/** Number of objects in a page of a list. */
export const pageSize = 500;

/** Lists all objects in pages. */
export async function* listPages(
  listWatch: ListWatch,
  request: Omit<ListRequest, "limit" | "continue">,
): AsyncGenerator<ListPage, void> {
  let page: ListPage | undefined;
  do {
    page = await listWatch.list({ ...request, limit: pageSize, continue: page?.continue });
    yield page;
  } while (page.continue);
}

interface ListMeta {
  resourceVersion?: unknown;
  continue?: string;
  shardInfo?: { selector?: string };
}

// Rejects invalid responses: a proxy's `{}` with status 200 must not be interpreted as an empty list.
function page(body: unknown, kind: Kind): ListPage {
  const list = body as { kind?: unknown; metadata?: ListMeta; items?: unknown };
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
  const { continue: next, shardInfo } = list.metadata ?? {};
  return {
    items: items as KubernetesObject[],
    resourceVersion,
    continue: next || undefined,
    shardSelector: shardInfo?.selector,
  };
}
