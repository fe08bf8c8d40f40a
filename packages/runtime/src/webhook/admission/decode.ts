import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";

/** Reports a request whose object isn't of the handler's kind. */
export class DecodeError extends Error {
  override readonly name: string = "DecodeError";
}

/**
 * Returns the object of a request with the type of a kind, without a copy. It sets `apiVersion` and `kind`, which
 * servers may omit. Throws a `DecodeError` without an object, or if it has another kind.
 */
export function decodeObject<T extends KubernetesObject>(
  kind: Kind<T>,
  request: AdmissionRequest,
  field: "object" | "oldObject",
): T {
  const object = request[field] as Partial<KubernetesObject> | null | undefined;
  if (object === undefined || object === null) throw new DecodeError("there is no content to decode");
  if (typeof object !== "object" || Array.isArray(object)) throw new DecodeError(`${field} isn't an object`);
  const apiVersion = object.apiVersion || kind.apiVersion;
  const name = object.kind || kind.kind;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) {
    throw new DecodeError(`unable to decode ${apiVersion} ${name} into ${kind.apiVersion} ${kind.kind}`);
  }
  if (object.apiVersion && object.kind) return object as T;
  return { ...object, apiVersion, kind: name } as T;
}
