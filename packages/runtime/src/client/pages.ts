import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { List, ListOptions, Reader, WholeObjects } from "./client.ts";
import type { MetadataOnly } from "./object-types.ts";

const defaultLimit = 500;

/**
 * Lists objects in pages, each of which is requested when the loop reaches it, so that memory holds one page at a time.
 * All pages show the state of the first one. Caches have no pages: pass a live reader, such as `mgr.apiReader`.
 *
 * @param reader - reads the pages from the API server
 * @param kind - the kind
 * @param options - see {@link ListOptions}; `limit` is the size of a page, 500 by default
 * @returns the pages
 * @throws ApiError if the server refuses the read; `isGone` if the loop takes longer than the server keeps that state,
 * usually five minutes: start again
 *
 * @example
 * for await (const { items } of listPages(mgr.apiReader, Pod, { namespace: "default" })) console.log(items.length);
 */
export function listPages<T extends KubernetesObject>(
  reader: Reader,
  kind: Kind<T>,
  options?: ListOptions & WholeObjects,
): AsyncGenerator<List<T>, void, undefined>;
/**
 * Lists objects, or only their metadata, in pages. Without a literal `metadataOnly: false`, the type of the items has
 * only metadata.
 *
 * @param reader - reads the pages from the API server
 * @param kind - the kind
 * @param options - see {@link ListOptions}; `limit` is the size of a page, 500 by default
 * @returns the pages
 * @throws ApiError if the server refuses the read; `isGone` if the loop takes longer than the server keeps that state
 */
export function listPages<T extends KubernetesObject>(
  reader: Reader,
  kind: Kind<T>,
  options?: ListOptions,
): AsyncGenerator<List<MetadataOnly<T>>, void, undefined>;
export async function* listPages<T extends KubernetesObject>(
  reader: Reader,
  kind: Kind<T>,
  options: ListOptions = {},
): AsyncGenerator<List<T>, void, undefined> {
  const limit = options.limit ?? defaultLimit;
  let token = options.continue;
  do {
    // The token contains the version. A server refuses a request with both.
    const resourceVersion = token ? undefined : options.resourceVersion;
    const page = await reader.list(kind, { ...(options as WholeObjects), limit, continue: token, resourceVersion });
    yield page;
    token = page.metadata.continue;
  } while (token);
}
