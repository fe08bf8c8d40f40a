import type { KubernetesObject, ListMeta } from "../api/index.ts";
import { TransportError } from "../errors/transport-error.ts";
import { isJsonObject } from "../json/object.ts";
import { stringifyJson } from "../json/stringify.ts";
import { redact } from "../log/redact.ts";
import { mayHoldSecrets } from "../log/redact-text.ts";
import type { List, Stored } from "./client.ts";
import type { Resource } from "./resource.ts";

/** Returns the object of a 2xx response with its apiVersion and kind. Throws a `TransportError` for anything else. */
export function storedObject<T extends KubernetesObject>(body: unknown, resource: Resource, what: string): Stored<T> {
  if (!isJsonObject(body) || !isJsonObject(body.metadata)) throw notWhat(what, `a ${resource.kind}`, body);
  if (body.kind === "Status") throw notWhat(what, `a ${resource.kind}`, body);
  body.apiVersion ??= resource.apiVersion;
  body.kind ??= resource.kind;
  return body as unknown as Stored<T>;
}

/**
 * Returns the list of a 2xx response. Sets the apiVersion and kind of its items, which servers omit. Throws a
 * `TransportError` if the response isn't a list. Returning an empty list instead could make the caller delete everything.
 */
export function listOf<T extends KubernetesObject>(body: unknown, resource: Resource, what: string): List<T> {
  if (
    !isJsonObject(body) ||
    typeof body.kind !== "string" ||
    !body.kind.endsWith("List") ||
    !isJsonObject(body.metadata)
  ) {
    throw notWhat(what, `a list of ${resource.kind}`, body);
  }
  // Go serializes a nil slice as null.
  const items = body.items ?? [];
  if (!Array.isArray(items)) throw notWhat(what, `a list of ${resource.kind}`, body);
  const partial = body.kind === "PartialObjectMetadataList";
  const apiVersion = partial ? (body.apiVersion as string) : resource.apiVersion;
  const kind = partial ? "PartialObjectMetadata" : resource.kind;
  return {
    items: items.map((item: unknown) => {
      if (!isJsonObject(item) || !isJsonObject(item.metadata)) throw notWhat(what, `a list of ${resource.kind}`, item);
      // These fields come first, as in a single object.
      return item.apiVersion !== undefined && item.kind !== undefined
        ? (item as unknown as Stored<T>)
        : ({ apiVersion, kind, ...item } as unknown as Stored<T>);
    }),
    metadata: body.metadata as ListMeta,
  };
}

/** Returns an object with its metadata only. */
export function metadataOf<T extends KubernetesObject>({ apiVersion, kind, metadata }: T): T {
  return { apiVersion, kind, metadata } as T;
}

/** Returns the `Accept` header of a read of whole objects or metadata. */
export function acceptFor(
  metadataOnly: boolean | undefined,
  form: "PartialObjectMetadata" | "PartialObjectMetadataList",
): string | undefined {
  return metadataOnly ? `application/json;as=${form};g=meta.k8s.io;v=v1` : undefined;
}

/** Returns the JSON object of a subresource's response. */
export function anyObject<R>(body: unknown, what: string): R {
  if (!isJsonObject(body)) throw notWhat(what, "an object", body);
  return body as R;
}

/** Returns the beginning of a response's JSON text for messages. */
export function excerpt(body: unknown): string {
  const text = body === undefined ? "nothing" : stringifyJson(redact(body) ?? null);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function notWhat(what: string, wanted: string, body: unknown): TransportError {
  return new TransportError(
    "EBADANSWER",
    `${what}: the server answered with success, but not with ${wanted}${mayHoldSecrets(what) ? "" : `: ${excerpt(body)}`}`,
  );
}
