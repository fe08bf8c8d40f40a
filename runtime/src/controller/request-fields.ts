import type { LogFields } from "../log/logger.ts";
import type { Request } from "../request.ts";

/** What log lines and spans say of a request: the object by controller-runtime's keys, or a request of one's own as it is. */
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
