import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { JsonPatchOperation } from "../../client/patch.ts";
import type { Status } from "../../errors/status.ts";
import type { Context } from "../../reconcile/context.ts";

/** Messages that the API server returns to the client of the request. */
export type Warnings = readonly string[];

/** Result of a validator: warnings, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: most validators have no return statement
export type ValidationResult = Warnings | undefined | void;

/**
 * Sets defaults in the object that it receives. If it throws, the request is denied.
 *
 * @example
 * class GameDefaulter implements Defaulter<Game> {
 *   default(_ctx: Context, game: Game): void {
 *     game.spec.players ??= 2;
 *   }
 * }
 */
export interface Defaulter<T extends KubernetesObject = KubernetesObject> {
  /**
   * Sets defaults. Called for all requests but deletions.
   *
   * @param ctx - logger and abort signal; `ctx.request` is the admission request
   * @param obj - the object to change
   * @throws any error to deny the request
   */
  default(ctx: Context, obj: T): Promise<void> | void;
}

/**
 * Decides whether an object may be created, updated or deleted. Returned strings are warnings. A thrown error denies
 * the request: with its message (403), with warnings if it is {@link Denied}, or with its own status if it is an
 * `ApiError`.
 *
 * @example
 * class GameValidator implements Validator<Game> {
 *   validateCreate(_ctx: Context, game: Game): ValidationResult {
 *     if ((game.spec.players ?? 2) > 8) throw new Error("spec.players: at most 8 can play");
 *   }
 *   validateUpdate(_ctx: Context, _old: Game, game: Game): ValidationResult {
 *     if ((game.spec.players ?? 2) > 6) return ["spec.players: more than 6 are slow"];
 *   }
 *   validateDelete(): ValidationResult {}
 * }
 */
export interface Validator<T extends KubernetesObject = KubernetesObject> {
  /**
   * Validates a new object.
   *
   * @param ctx - logger and abort signal; `ctx.request` is the admission request
   * @param obj - the object
   * @returns warnings, or nothing
   * @throws any error to deny the request
   */
  validateCreate(ctx: Context, obj: T): Promise<ValidationResult> | ValidationResult;
  /**
   * Validates a changed object.
   *
   * @param ctx - logger and abort signal; `ctx.request` is the admission request
   * @param oldObj - the stored object
   * @param newObj - the changed object
   * @returns warnings, or nothing
   * @throws any error to deny the request
   */
  validateUpdate(ctx: Context, oldObj: T, newObj: T): Promise<ValidationResult> | ValidationResult;
  /**
   * Validates a deletion.
   *
   * @param ctx - logger and abort signal; `ctx.request` is the admission request
   * @param obj - the stored object
   * @returns warnings, or nothing
   * @throws any error to deny the request
   */
  validateDelete(ctx: Context, obj: T): Promise<ValidationResult> | ValidationResult;
}

/**
 * The name of {@link Defaulter} before kubebuilder 4.16.
 *
 * @deprecated use `Defaulter`
 */
export type CustomDefaulter<T extends KubernetesObject = KubernetesObject> = Defaulter<T>;

/**
 * The name of {@link Validator} before kubebuilder 4.16.
 *
 * @deprecated use `Validator`
 */
export type CustomValidator<T extends KubernetesObject = KubernetesObject> = Validator<T>;

/** The response to an admission request. Created by {@link allowed}, {@link denied}, {@link errored} and {@link patched}. */
export interface AdmissionResponse {
  /** Whether the request may proceed. */
  allowed: boolean;
  /** HTTP status code, reason and message. */
  status?: Partial<Status>;
  /** Changes of the object. */
  patches?: readonly JsonPatchOperation[];
  /** Messages for the user. */
  warnings?: Warnings;
  /** Annotations for the audit log, by key. */
  auditAnnotations?: Readonly<Record<string, string>>;
}

/** Answers admission requests directly, if neither a defaulter nor a validator fits. */
export interface AdmissionHandler {
  /**
   * Answers a request.
   *
   * @param ctx - logger and abort signal; `ctx.request` is the admission request
   * @param request - the admission request
   * @returns the response
   * @throws any error to deny the request, like a {@link Validator}
   */
  handle(ctx: Context, request: AdmissionRequest): Promise<AdmissionResponse> | AdmissionResponse;
}
