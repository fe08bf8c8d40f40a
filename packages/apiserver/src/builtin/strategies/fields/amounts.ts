import type { Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, regexError } from "@kubewright/cel/validation";
import { nonNegative } from "./fields.ts";

/** Checks a number or a percentage. */
export function amountErrors(amount: Json | undefined, path: string): FieldError[] {
  if (typeof amount !== "string") return nonNegative(amount, path);
  if (/^[0-9]+%$/.test(amount)) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [invalidValue(path, amount, regexError(message, "[0-9]+%", "1%", "93%"))];
}

function percentOf(amount: Json | undefined): number | undefined {
  return typeof amount === "string" && /^[0-9]+%$/.test(amount) ? Number(amount.slice(0, -1)) : undefined;
}

/** Checks that a percentage isn't greater than 100. */
export function atMost100(amount: Json | undefined, path: string): FieldError[] {
  if ((percentOf(amount) ?? 0) <= 100) return [];
  return [invalidValue(path, amount as string, "must not be greater than 100%")];
}

/** Returns the number, or the number before the percent sign. A text without the sign is read as a number, like in Go. */
export function amountOf(amount: Json | undefined): number {
  if (typeof amount === "string") return percentOf(amount) ?? (/^[+-]?[0-9]+$/.test(amount) ? Number(amount) : 0);
  return typeof amount === "number" ? amount : 0;
}
