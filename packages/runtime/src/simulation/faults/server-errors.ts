import { ApiError } from "../../errors/api-error.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import type { RunWorld } from "../world/run-world.ts";
import { nameOf, type Target } from "../world/target.ts";

/** An error that lasts. */
interface Outage {
  until: number;
  resource: string;
  isRead: boolean;
  error: (request: TransportRequest) => ApiError;
}

const outageTime = 10_000;

/** Lets requests fail with errors of the server. */
export class ServerErrors {
  readonly #world: RunWorld;
  #outage: Outage | undefined;

  /** @param world - the parts of the run */
  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** Returns the error of a request, if it fails. */
  of(target: Target, request: TransportRequest, isDemanded: boolean): ApiError | undefined {
    const { choices, scheduler, timeline } = this.#world;
    const isRead = request.method === "GET";
    const outage = this.#outage;
    if (outage && scheduler.now < outage.until && outage.resource === target.resource && outage.isRead === isRead) {
      return outage.error(request);
    }
    const at = `${request.method} ${target.resource}`;
    const kind = isDemanded ? 2 : choices.fault("errors", at, isRead ? 4 : 5, isRead ? 0.5 : 1);
    if (kind === 0) return undefined;
    const error = this.#error(kind, target);
    timeline.fault("errors", `${request.method} fails: ${error(request).message}`, nameOf(target));
    // An operator that may not act for a while must continue afterwards.
    if (kind >= 3 && target.resource !== "leases") {
      this.#outage = {
        until: scheduler.now + outageTime,
        resource: target.resource,
        isRead,
        error,
      };
    }
    return error(request);
  }

  #error(kind: number, { group, resource, namespace }: Target): (request: TransportRequest) => ApiError {
    const qualified = group === "" ? resource : `${resource}.${group}`;
    switch (kind) {
      case 1:
        return () =>
          ApiError.create(429, "TooManyRequests", "the server is currently unable to handle the request", {
            retryAfterSeconds: 1,
          });
      case 2:
        return () => ApiError.create(500, "InternalError", "Internal error occurred: etcdserver: request timed out");
      case 3:
        return ({ method }) =>
          ApiError.create(
            403,
            "Forbidden",
            `${qualified} is forbidden: User "operator" cannot ${method.toLowerCase()} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`,
          );
      case 4:
        return () => ApiError.create(503, "ServiceUnavailable", "the server is currently unable to handle the request");
      default:
        return () =>
          ApiError.create(
            500,
            "InternalError",
            `Internal error occurred: failed calling webhook "${resource}.simulation": failed to call webhook: connection refused`,
          );
    }
  }
}
