import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { Kind } from "../../api/kind.ts";
import type { LogFields, Logger } from "../../log/logger.ts";

/** Returns a function that adds the kind, the object and the requesting user to log lines about a kind's webhooks. */
export function requestLogger(kind: Kind): (base: Logger, request: AdmissionRequest) => Logger {
  const webhook = { webhookGroup: kind.group, webhookKind: kind.kind };
  return (base, request) => base.with({ ...webhook, [kind.kind]: reference(request), ...requestFields(request) });
}

/** Adds the object and the requesting user to log lines of handlers without a builder. */
export function defaultRequestLogger(base: Logger, request: AdmissionRequest): Logger {
  return base.with({ object: reference(request), ...requestFields(request) });
}

function reference({ name = "", namespace = "" }: AdmissionRequest): LogFields {
  return namespace === "" ? { name } : { name, namespace };
}

function requestFields(request: AdmissionRequest): LogFields {
  const { name = "", namespace = "", resource, userInfo, uid } = request;
  return { namespace, name, resource, user: userInfo?.username, requestID: uid };
}
