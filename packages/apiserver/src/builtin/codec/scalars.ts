import type { Json } from "@kubewright/cel/json";

/** Returns the name of the type of a value in messages of Go's JSON decoder. */
export function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Returns a number as Go prints it. */
export function numberText(value: number): string {
  return Math.abs(value) >= 1e21 ? value.toExponential() : String(value);
}

/** Reports whether an integer fits into a Go type. */
export function inRange(form: string, value: number): boolean {
  if (form === "int32") return value >= -(2 ** 31) && value < 2 ** 31;
  return Math.abs(value) < 2 ** 63;
}

/** Returns the index of the first wrong byte; undefined if the text is base64. */
export function base64Problem(text: string): number | undefined {
  const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.index;
  const padding = text.indexOf("=");
  if (wrong !== undefined && (padding < 0 || wrong < padding)) return wrong;
  const digits = padding < 0 ? text.length : padding;
  const pad = text.length - digits;
  if (digits % 4 === 0) return pad === 0 ? undefined : digits;
  if (digits % 4 === 1) return padding < 0 ? digits - 1 : digits;
  const wanted = 4 - (digits % 4);
  if (pad === wanted && text.slice(digits) === "=".repeat(pad)) return undefined;
  return pad === 0 ? digits - (digits % 4) : digits + Math.min(pad, wanted);
}
