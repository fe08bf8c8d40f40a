import { type Status, type StatusCause, type StatusDetails, StatusReason } from "./status.ts";

/** The kind that an error speaks of: a `Kind` value, or its bare name. */
export type ErrorSubject = string | { readonly group?: string; readonly kind: string };

/**
 * What an API server answered instead of success. `message` is the server's own text.
 *
 * @example
 * try {
 *   await client.get(Game, key);
 * } catch (error) {
 *   if (!isNotFound(error)) throw error;
 * }
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: Status;
  /** HTTP status code. */
  readonly code: number;
  /** Machine-readable reason such as `NotFound`; empty where the server gave none. */
  readonly reason: string;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message || status.reason || `the server answered with status ${status.code}`, options);
    this.status = status;
    this.code = status.code ?? 0;
    this.reason = status.reason ?? "";
  }

  /** Seconds after which the server wants to be asked again, where it said so. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }

  /** A failure made on this side, with the Status a server would have sent. */
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

  /** 422: an object whose fields break rules. Admission webhooks throw it to name the fields. */
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

  /** 404: the object doesn't exist. */
  static notFound(kind: ErrorSubject, name: string): ApiError {
    const subject = subjectOf(kind);
    return ApiError.create(404, StatusReason.notFound, `${qualified(subject)} "${name}" not found`, {
      ...subject,
      name,
    });
  }

  /** 409: an object of that name is there already. */
  static alreadyExists(kind: ErrorSubject, name: string): ApiError {
    const subject = subjectOf(kind);
    const message = `${qualified(subject)} "${name}" already exists`;
    return ApiError.create(409, StatusReason.alreadyExists, message, { ...subject, name });
  }

  /** 409: the object was changed since it was read. */
  static conflict(kind: ErrorSubject, name: string, why: string): ApiError {
    const subject = subjectOf(kind);
    const message = `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`;
    return ApiError.create(409, StatusReason.conflict, message, { ...subject, name });
  }

  /** 403: refused. */
  static forbidden(kind: ErrorSubject, name: string, why: string): ApiError {
    const subject = subjectOf(kind);
    const message = `${qualified(subject)} "${name}" is forbidden: ${why}`;
    return ApiError.create(403, StatusReason.forbidden, message, { ...subject, name });
  }

  /** 400: the request makes no sense. */
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
