import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../kind.ts";
import type { List, ListOptions, Reader, WholeObjects } from "./client.ts";
import type { MetadataOnly } from "./object-types.ts";

const defaultLimit = 500;

/**
 * A long list in pages of `limit` objects (500 unless said otherwise), each asked for when it is wanted: memory holds one page at a
 * time. All pages show the state of the first one; who takes longer than the server remembers it (five minutes as a rule) gets the
 * `ApiError` of a 410 and begins anew. Caches have no pages: read live, in an operator with `mgr.apiReader`.
 *
 * @example
 * for await (const { items } of listPages(mgr.apiReader, Pod, { namespace: "default" })) count += items.length;
 */
export function listPages<T extends KubernetesObject>(
  reader: Reader,
  kind: Kind<T>,
  options?: ListOptions & WholeObjects,
): AsyncGenerator<List<T>, void, undefined>;
/** As above. Without a literal `metadataOnly: false`, the items have only the type of metadata. */
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
    // The token says the version; a server refuses both at once.
    const resourceVersion = token ? undefined : options.resourceVersion;
    const page = await reader.list(kind, { ...(options as WholeObjects), limit, continue: token, resourceVersion });
    yield page;
    token = page.metadata.continue;
  } while (token);
}
