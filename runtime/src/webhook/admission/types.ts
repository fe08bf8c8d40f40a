import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { JsonPatchOperation } from "../../client/patch.ts";
import type { Context } from "../../context.ts";
import type { Status } from "../../errors/status.ts";

/** Messages that the API server shows to whoever sent the request. */
export type Warnings = readonly string[];

/** What a validator gives: warnings, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a method without return statement is the usual validator
export type ValidationResult = Warnings | undefined | void;

/**
 * Fills in what the user left out. It changes the object that it is given. Throwing denies the request.
 *
 * @example
 * class GameCustomDefaulter implements CustomDefaulter<Game> {
 *   default(_ctx: Context, game: Game): void {
 *     game.spec.players ??= 2;
 *   }
 * }
 */
export interface CustomDefaulter<T extends KubernetesObject = KubernetesObject> {
  /** Called for each request but deletions; `ctx.request` is the admission request. */
  default(ctx: Context, obj: T): Promise<void> | void;
}

/**
 * Says whether an object may be created, updated or deleted. Returning strings warns; throwing denies the request: any error with
 * its message (403), {@link Denied} with warnings too, an `ApiError` with its own status.
 *
 * @example
 * class GameCustomValidator implements CustomValidator<Game> {
 *   validateCreate(_ctx: Context, game: Game): ValidationResult {
 *     if (game.spec.players > 8) throw new Error("spec.players: at most 8 can play");
 *   }
 *   validateUpdate(_ctx: Context, _old: Game, game: Game): ValidationResult {
 *     if (game.spec.players > 6) return ["spec.players: more than 6 are slow"];
 *   }
 *   validateDelete(): ValidationResult {}
 * }
 */
export interface CustomValidator<T extends KubernetesObject = KubernetesObject> {
  validateCreate(ctx: Context, obj: T): Promise<ValidationResult> | ValidationResult;
  validateUpdate(ctx: Context, oldObj: T, newObj: T): Promise<ValidationResult> | ValidationResult;
  /** `obj` is the object as it was stored. */
  validateDelete(ctx: Context, obj: T): Promise<ValidationResult> | ValidationResult;
}

/** The verdict on an admission request. Made by {@link allowed}, {@link denied}, {@link errored} and {@link patched}. */
export interface AdmissionResponse {
  allowed: boolean;
  /** Code, reason and message of the verdict. */
  status?: Partial<Status>;
  /** What is to change in the object of the request. */
  patches?: readonly JsonPatchOperation[];
  warnings?: Warnings;
  auditAnnotations?: Readonly<Record<string, string>>;
}

/** Answers admission requests by hand, where neither a defaulter nor a validator fits. */
export interface AdmissionHandler {
  /** Judges one request. What it throws denies the request, as from a {@link CustomValidator}. */
  handle(ctx: Context, request: AdmissionRequest): Promise<AdmissionResponse> | AdmissionResponse;
}
