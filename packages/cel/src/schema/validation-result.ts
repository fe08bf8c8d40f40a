import type { Json } from "../json/json.ts";
import { sortKeys } from "../json/values.ts";
import type { FieldError } from "../validation/field-error.ts";
import { child, invalidValue, notSupported, required, tooLong, tooMany } from "../validation/paths.ts";
import type { CorrelatedObject } from "./correlated-object.ts";
import type { Schema } from "./schema.ts";

/** A rule of a schema that a value breaks. */
export interface Violation {
  kind: "required" | "enum" | "tooLong" | "tooMany" | "type" | "other" | "composite";
  /** The path of the value; not used for `composite`, which has no path. */
  path: string;
  message: string;
  value?: Json;
  /** True for a number that was compared as a float. */
  float?: boolean;
  limit?: number;
  values?: Json[];
}

/** Checks a value and adds what it finds to a result. With a pair of values, errors of unchanged parts are left out. */
export type SchemaCheck = (
  value: Json,
  path: string,
  result: ValidationResult,
  correlation: CorrelatedObject | undefined,
) => void;

/** Returns the check of a nested schema, compiled when it is first used. */
export type CheckOf = (schema: Schema) => SchemaCheck;

/** The violations found in a value, without repetitions, and the number of checks that passed. */
export class ValidationResult {
  readonly violations: Violation[] = [];
  matches = 0;
  #messages: Set<string> | undefined;

  /** @param violation - a violation; ignored if its message was added before */
  add(violation: Violation): void {
    this.#messages ??= new Set();
    if (this.#messages.has(violation.message)) return;
    this.#messages.add(violation.message);
    this.violations.push(violation);
  }

  /** @param other - a result whose violations and matches are added */
  merge(other: ValidationResult): void {
    for (const violation of other.violations) this.add(violation);
    this.matches += other.matches;
  }

  /** @returns true without violations */
  get valid(): boolean {
    return this.violations.length === 0;
  }
}

/**
 * Converts a violation to the error of a field.
 *
 * @param violation - the violation
 * @param root - the path of the validated value; empty for an object
 * @returns the error
 */
export function fieldErrorOf(violation: Violation, root: string): FieldError {
  const { path, message, value } = violation;
  if (violation.kind === "composite") return invalidValue(root, "", message);
  const relative = path.startsWith(".") ? path.slice(1) : path;
  const field = relative === "" ? root : child(root, relative);
  switch (violation.kind) {
    case "required":
      return required(field, "");
    case "enum":
      return notSupported(
        field,
        sortKeys(value ?? null),
        (violation.values ?? []).map((allowed) => (typeof allowed === "string" ? allowed : textOf(allowed))),
      );
    case "tooLong":
      return tooLong(field, violation.limit as number);
    case "tooMany":
      return tooMany(field, value as number, violation.limit as number);
    case "type":
      return { type: "FieldValueTypeInvalid", field, value: value ?? "", detail: message };
    default:
      return {
        ...invalidValue(field, sortKeys(value ?? ""), message),
        ...(violation.float ? { float: true } : {}),
      };
  }
}

function textOf(value: Json): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(sortKeys(value));
}
