import { copyTexts, escapeAsGo, goJson, type Json, type JsonObject, setKey, writtenText } from "@kubewright/cel/json";
import { errorBody, type FieldError, fieldErrorMessage } from "@kubewright/cel/validation";
import { StatusError } from "../model/status.ts";

/** The treatment of unknown and repeated fields in a request, its parameter `fieldValidation`. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** A patched object that isn't decoded yet. */
export interface Patched {
  value: Json;
  /**
   * Repeated and unknown fields of the patch, unless field validation ignores them. They precede those that decoding the
   * object finds. See {@link strictMessage}.
   */
  strict: string[];
  /** Whether the value is converted without JSON, which affects messages. */
  converted?: true;
  /**
   * Returns the text in which errors print the object or the patch, for {@link undecodablePatch}.
   *
   * @param custom - whether it is a custom resource, whose keys are sorted
   */
  shown(custom: boolean): string;
}

/**
 * Returns the error for a patched object that can't be decoded, for example because of a number in place of a text.
 *
 * @param patched - the patched object
 * @param message - why decoding failed, or {@link strictMessage}
 * @param custom - whether it is a custom resource
 * @returns the error with status 422
 */
export function undecodablePatch(patched: Patched, message: string, custom: boolean): StatusError {
  const value = patched.shown(custom);
  const error: FieldError = { type: "FieldValueInvalid", field: "patch", value, detail: message };
  return new StatusError(422, "Invalid", ` "" is invalid: ${fieldErrorMessage(error)}`, {
    causes: [{ reason: error.type, message: errorBody(error), field: error.field }],
  });
}

/**
 * Joins unknown and repeated fields to the message for strict field validation.
 *
 * @param errors - at least one of them
 * @returns the message
 */
export function strictMessage(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(", ")}`;
}

/** Returns the error for a well-formed patch that can't be applied. kube-apiserver keeps its reasons to itself. */
export function unprocessablePatch(cause: Error): StatusError {
  const error = new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
  error.cause = cause;
  return error;
}

/**
 * Formats a patched object as kube-apiserver does: objects that the patch visited have sorted keys, others keep theirs.
 *
 * @param value - the object
 * @param visited - the visited objects
 * @param custom - whether it is a custom resource, all of whose keys are sorted
 * @param given - the objects of the patch, which keep their keys in custom resources too
 * @returns the JSON
 */
export function patchedText(
  value: Json,
  visited: ReadonlySet<object>,
  custom: boolean,
  given: ReadonlySet<object> = new Set(),
): string {
  const isSorted = custom
    ? (object: object) => visited.has(object) || !given.has(object)
    : (object: object) => visited.has(object);
  return textOf({ value }, "value", value, isSorted);
}

function textOf(container: object, at: string | number, value: Json, isSorted: (object: object) => boolean): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => textOf(value, index, item, isSorted)).join(",")}]`;
  }
  if (typeof value !== "object" || value === null) return scalarText(container, at, value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (isSorted(value)) keys.sort();
  return `{${keys.map((key) => `${goJson(key)}:${textOf(value, key, value[key] as Json, isSorted)}`).join(",")}}`;
}

/** Formats a text, number or other scalar as the patch wrote it. */
function scalarText(container: object, at: string | number, value: Json): string {
  const written = writtenText(container, at, value);
  return written === undefined ? goJson(value) : escapeAsGo(written);
}

/**
 * Copies a value, so that the copy can be changed.
 *
 * @param value - the value
 * @returns the copy
 */
export function copyOf<Value extends Json>(value: Value): Value {
  const root: Json[] = [];
  // A stack of our own, because values may be nested deeply.
  const pending: { source: Json; put: (copy: Json) => void }[] = [{ source: value, put: (copy) => root.push(copy) }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { source, put } = next;
    if (Array.isArray(source)) {
      const copy: Json[] = new Array(source.length);
      copyTexts(source, copy);
      put(copy);
      for (const [index, item] of source.entries()) {
        if (typeof item !== "object" || item === null) copy[index] = item;
        else pending.push({ source: item, put: (part) => (copy[index] = part) });
      }
    } else if (typeof source === "object" && source !== null) {
      const copy: JsonObject = {};
      copyTexts(source, copy);
      put(copy);
      for (const key of Object.keys(source)) {
        const part = source[key];
        if (part === undefined) continue;
        // The null keeps the place of the key until its object is copied.
        setKey(copy, key, typeof part === "object" ? null : part);
        if (typeof part === "object" && part !== null)
          pending.push({ source: part, put: (done) => setKey(copy, key, done) });
      }
    } else put(source);
  }
  return root[0] as Value;
}
