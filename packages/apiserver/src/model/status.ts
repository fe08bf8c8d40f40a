import { goQuote, type Json, type JsonObject } from "@kubewright/cel/json";
import { errorBody, type FieldError, fieldErrorMessage } from "@kubewright/cel/validation";

/** A cause in the details of a Status. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The details of a Status. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** A response of the API that isn't the requested object: an error with its HTTP status code, reason and details. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The token with which a list continues at the present revision after its own token has expired. */
  readonly continue: string | undefined;

  /**
   * @param code - the HTTP status code
   * @param reason - the machine-readable reason, for example `NotFound`; empty for none
   * @param message - the message
   * @param details - the details
   * @param continueToken - where a list can continue
   */
  constructor(code: number, reason: string, message: string, details?: StatusDetails, continueToken?: string) {
    super(message);
    this.name = "StatusError";
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continue = continueToken;
  }

  /** Returns the `v1` Status of this error. */
  status(): JsonObject {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continue === undefined ? {} : { continue: this.continue },
      status: "Failure",
      message: this.message,
      ...(this.reason === "" ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details as unknown as Json }),
      code: this.code,
    };
  }
}

/** A resource of a group, as the messages of errors print it. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** Returns `deployments.apps`, or `pods` for the core group. */
export function groupResourceText({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

function detailsOf(of: GroupResource, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(of.group === "" ? {} : { group: of.group }),
    ...(of.resource === "" ? {} : { kind: of.resource }),
  };
}

/** Returns the error for an object that doesn't exist. */
export function notFound(of: GroupResource, name: string): StatusError {
  return new StatusError(404, "NotFound", `${groupResourceText(of)} ${goQuote(name)} not found`, detailsOf(of, name));
}

/** Returns the error for a create of an object that exists. */
export function alreadyExists(of: GroupResource, name: string): StatusError {
  return new StatusError(
    409,
    "AlreadyExists",
    `${groupResourceText(of)} ${goQuote(name)} already exists`,
    detailsOf(of, name),
  );
}

/** Returns the error for a write that is based on an outdated state. */
export function conflict(of: GroupResource, name: string, problem: string): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResourceText(of)} ${goQuote(name)}: ${problem}`;
  return new StatusError(409, "Conflict", message, detailsOf(of, name));
}

/** Returns the error for a request that the user has no permission for. */
export function forbidden(of: GroupResource, name: string, problem: string): StatusError {
  const named = name === "" ? groupResourceText(of) : `${groupResourceText(of)} ${goQuote(name)}`;
  // Paths that aren't resources have no name of their own.
  const message = of.resource === "" ? "forbidden" : `${named} is forbidden`;
  return new StatusError(403, "Forbidden", `${message}: ${problem}`, detailsOf(of, name));
}

/** Returns the error for a request that the server can't understand. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

/** Returns the error for a verb that the resource doesn't have. */
export function methodNotSupported(of: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${groupResourceText(of)}"`;
  return new StatusError(405, "MethodNotAllowed", message, detailsOf(of, ""));
}

/**
 * Joins errors of fields to the error for an invalid object.
 *
 * @param of - group and kind of the object
 * @param name - its name
 * @param errors - at least one error
 * @returns the error, with one cause per error of a field
 */
export function invalid(of: { group: string; kind: string }, name: string, errors: readonly FieldError[]): StatusError {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  const problem = messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`;
  const kind = of.group === "" ? of.kind : `${of.kind}.${of.group}`;
  return new StatusError(422, "Invalid", `${kind} ${goQuote(name)} is invalid: ${problem}`, {
    ...(name === "" ? {} : { name }),
    ...(of.group === "" ? {} : { group: of.group }),
    kind: of.kind,
    causes: errors.map((error) => ({ reason: error.type, message: errorBody(error), field: error.field || "<nil>" })),
  });
}

/** Returns the error for a failure of the server itself. */
export function internalError(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}
