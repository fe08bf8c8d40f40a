import { DEFAULT_SCHEMA, dump, Type } from "js-yaml";
import { isPlainOfOtherType } from "./scalars.ts";

/** Prints all digits of integers, and quotes texts that Kubernetes would read as values of other types. */
const wholeNumber = new Type("tag:yaml.org,2002:int", {
  kind: "scalar",
  resolve: (text: unknown) => typeof text === "string" && isPlainOfOtherType(text),
  predicate: (value: unknown) => typeof value === "bigint" || (Number.isInteger(value) && !Object.is(value, -0)),
  represent: (value: object) => String(value),
});
const schema = DEFAULT_SCHEMA.extend({ implicit: [wholeNumber] });

/**
 * Formats a value as block YAML that Kubernetes reads as the same value. Fields without a value are left out.
 *
 * @param value - a value of JSON
 * @param quotes - what is around texts if they need quotes
 * @returns the YAML, with a line break at the end
 */
export function printYaml(value: unknown, quotes: '"' | "'" = "'"): string {
  return dump(value, { lineWidth: -1, noRefs: true, quotingType: quotes, schema, skipInvalid: true });
}
