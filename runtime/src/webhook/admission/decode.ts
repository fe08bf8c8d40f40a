import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../kind.ts";

/** A request whose object isn't what the handler is for. */
export class DecodeError extends Error {
  override readonly name: string = "DecodeError";
}

/**
 * The object of a request as one of a kind, itself and no copy. Servers may leave `apiVersion` and `kind` out; they are filled in then.
 * Throws a `DecodeError` where there is none, or one of another kind.
 */
export function decodeObject<T extends KubernetesObject>(
  kind: Kind<T>,
  request: AdmissionRequest,
  field: "object" | "oldObject",
): T {
  const object = request[field] as Partial<KubernetesObject> | null | undefined;
  if (object === undefined || object === null) throw new DecodeError("there is no content to decode");
  if (typeof object !== "object" || Array.isArray(object)) throw new DecodeError(`${field} is no object`);
  const apiVersion = object.apiVersion || kind.apiVersion;
  const name = object.kind || kind.kind;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) {
    throw new DecodeError(`unable to decode ${apiVersion} ${name} into ${kind.apiVersion} ${kind.kind}`);
  }
  if (object.apiVersion && object.kind) return object as T;
  return { ...object, apiVersion, kind: name } as T;
}
