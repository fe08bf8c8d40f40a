import type { LogFields } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";

/**
 * Returns the fields of a request for log lines and spans: the keys of controller-runtime for an object, or a custom request
 * as it is.
 */
export function requestFields(request: unknown, kind?: string): LogFields {
  if (!isObjectRequest(request)) return { request };
  const { namespace, name, cluster } = request;
  return {
    ...(kind ? { [kind]: { name, namespace } } : {}),
    namespace,
    name,
    ...(cluster === undefined ? {} : { cluster }),
  };
}

function isObjectRequest(request: unknown): request is Request {
  if (typeof request !== "object" || request === null) return false;
  const { namespace, name } = request as Partial<Request>;
  return typeof namespace === "string" && typeof name === "string";
}
