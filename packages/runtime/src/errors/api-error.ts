import { type Status, type StatusCause, type StatusDetails, StatusReason } from "./status.ts";

/** The kind that an error is about: a `Kind`, or its name. */
export type ErrorSubject = string | { readonly group?: string; readonly kind: string };

/** Marks the errors of all copies of this module. */
const brand: unique symbol = Symbol.for("kubewright.ApiError") as never;

/**
 * A failure response of an API server. `message` is the server's text.
 *
 * @example
 * try {
 *   await client.get(Game, key);
 * } catch (error) {
 *   if (!isNotFound(error)) throw error;
 * }
 */
export class ApiError extends Error {
  /** Always `ApiError`. */
  override readonly name: string = "ApiError";
  /** The response. */
  readonly status: Status;
  /** HTTP status code. */
  readonly code: number;
  /** Machine-readable reason such as `NotFound`. Empty if the server set none. */
  readonly reason: string;

  /** @internal */
  get [brand](): true {
    return true;
  }

  /**
   * Creates an error from a response.
   *
   * @param status - the response
   * @param options - the cause
   */
  constructor(status: Status, options?: ErrorOptions) {
    super(status.message || status.reason || `the server answered with status ${status.code}`, options);
    this.status = status;
    this.code = status.code ?? 0;
    this.reason = status.reason ?? "";
  }

  /** Time in seconds after which the request should be sent again, if the server set one. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }

  /**
   * Creates an error with the status that a server would send.
   *
   * @param code - HTTP status code
   * @param reason - machine-readable reason, such as `NotFound`
   * @param message - human-readable message
   * @param details - further fields
   * @returns the error
   */
  static create(code: number, reason: string, message: string, details?: StatusDetails): ApiError {
    return new ApiError({
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      message,
      reason,
      ...(details ? { details } : {}),
      code,
    });
  }

  /**
   * Creates an error for an object with invalid fields (422). Admission webhooks throw it to report the fields.
   *
   * @param kind - the kind
   * @param name - the name of the object
   * @param causes - the invalid fields
   * @returns the error
   *
   * @example
   * throw ApiError.invalid(Game, game.metadata.name, [{ field: "spec.players", reason: "FieldValueInvalid", message: "must be even" }]);
   */
  static invalid(kind: ErrorSubject, name: string, causes: readonly StatusCause[]): ApiError {
    const subject = subjectOf(kind);
    const texts = causes.map((cause) =>
      cause.field ? `${cause.field}: ${cause.message ?? ""}` : (cause.message ?? ""),
    );
    const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
    return ApiError.create(422, StatusReason.invalid, `${qualified(subject)} "${name}" is invalid: ${text}`, {
      ...subject,
      name,
      causes: causes.map((cause) => ({ ...cause })),
    });
  }

  /**
   * Creates an error for an object that doesn't exist (404).
   *
   * @param kind - the kind
   * @param name - the name of the object
   * @returns the error
   */
  static notFound(kind: ErrorSubject, name: string): ApiError {
    const subject = subjectOf(kind);
    return ApiError.create(404, StatusReason.notFound, `${qualified(subject)} "${name}" not found`, {
      ...subject,
      name,
    });
  }

  /**
   * Creates an error for an object that already exists (409).
   *
   * @param kind - the kind
   * @param name - the name of the object
   * @returns the error
   */
  static alreadyExists(kind: ErrorSubject, name: string): ApiError {
    const subject = subjectOf(kind);
    const message = `${qualified(subject)} "${name}" already exists`;
    return ApiError.create(409, StatusReason.alreadyExists, message, { ...subject, name });
  }

  /**
   * Creates an error for an object that was changed since it was read (409).
   *
   * @param kind - the kind
   * @param name - the name of the object
   * @param why - the reason
   * @returns the error
   */
  static conflict(kind: ErrorSubject, name: string, why: string): ApiError {
    const subject = subjectOf(kind);
    const message = `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`;
    return ApiError.create(409, StatusReason.conflict, message, { ...subject, name });
  }

  /**
   * Creates an error for a request that isn't permitted (403).
   *
   * @param kind - the kind
   * @param name - the name of the object
   * @param why - the reason
   * @returns the error
   */
  static forbidden(kind: ErrorSubject, name: string, why: string): ApiError {
    const subject = subjectOf(kind);
    const message = `${qualified(subject)} "${name}" is forbidden: ${why}`;
    return ApiError.create(403, StatusReason.forbidden, message, { ...subject, name });
  }

  /**
   * Creates an error for an invalid request (400).
   *
   * @param message - the reason
   * @returns the error
   */
  static badRequest(message: string): ApiError {
    return ApiError.create(400, StatusReason.badRequest, message);
  }
}

function subjectOf(kind: ErrorSubject): { group?: string; kind: string } {
  if (typeof kind === "string") return { kind };
  return kind.group ? { group: kind.group, kind: kind.kind } : { kind: kind.kind };
}

function qualified(subject: { group?: string; kind: string }): string {
  return subject.group ? `${subject.kind}.${subject.group}` : subject.kind;
}

// Two versions of an operator in one process can have their own copies of this module. Subclasses keep the usual rule.
Object.defineProperty(ApiError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    if (this !== ApiError) return Function.prototype[Symbol.hasInstance].call(this as never, value);
    return typeof value === "object" && value !== null && brand in value;
  },
});
