import { jsonLiteral, stringLiteral } from "../../../text/typescript.ts";

/** Returns a string for use in a marker, quoted if necessary. */
export function word(text: string): string {
  return /^[A-Za-z][A-Za-z0-9-]*$/.test(text) ? text : stringLiteral(text);
}

/** Returns a string in backticks, which avoid escape sequences, or quoted if necessary. */
export function rawLiteral(text: string): string {
  return /[`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? stringLiteral(text) : `\`${text}\``;
}

/** Returns values separated by semicolons; undefined if one isn't a scalar. */
export function scalars(values: readonly unknown[]): string | undefined {
  const isScalar = (value: unknown) => ["string", "boolean", "number", "bigint"].includes(typeof value);
  return values.every(isScalar) ? values.map(jsonLiteral).join(";") : undefined;
}

/** Returns named arguments, without those that are undefined or empty. */
export function quotedArguments(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return `:${given.map(([name, value]) => `${name}=${stringLiteral(String(value))}`).join(",")}`;
}
