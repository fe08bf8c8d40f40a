import { CORE_SCHEMA, loadAll, Type } from "js-yaml";
import { checkSize, checkValues, maxDepth, maxTextBytes, YamlError } from "./budget.ts";

const decimal = /^[-+]?\d+$/;

/** Maximum number of digits of an integer: Kubernetes uses at most 64 bits, and parsing time isn't linear in the length. */
const maxDigits = 40;

/** Preserves all digits of integers, because a CRD may have the bounds of an int64. */
export const wholeNumber = new Type("tag:yaml.org,2002:int", {
  kind: "scalar",
  resolve: (text: unknown) =>
    typeof text === "string" && text.length <= maxDigits && /^[-+]?(\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(text),
  construct: (text: string) => {
    const value = decimal.test(text)
      ? BigInt(text)
      : BigInt(text.replace(/^[-+]/, "")) * (text.startsWith("-") ? -1n : 1n);
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  },
  predicate: (value: unknown) => typeof value === "bigint" || (Number.isInteger(value) && !Object.is(value, -0)),
  represent: (value: object) => String(value),
});

/** The library recognizes this tag by name, and merges its keys. */
const merge = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text: unknown) => text === "<<" });

/** The JSON-compatible values that Kubernetes supports, and the merge keys of its YAML parser. */
const plain = CORE_SCHEMA.extend({ implicit: [merge] });
const exact = plain.extend({ implicit: [wholeNumber] });

/** Options for parsing YAML or JSON. */
export interface ReadOptions {
  /** Whether to return integers beyond ±(2^53-1) as `bigint` instead of rounding them. */
  readonly bigIntegers?: boolean;
  /**
   * Maximum length of the text, in bytes.
   *
   * @defaultValue {@link maxTextBytes}
   */
  readonly maxBytes?: number;
}

/**
 * Parses the documents of a YAML or JSON text as plain data. Aliases result in shared values.
 *
 * @throws YamlError with a one-line message if the text isn't YAML or exceeds the limits of `budget.ts`
 */
export function readValues(text: string, options: ReadOptions = {}): unknown[] {
  checkSize(text, options.maxBytes ?? maxTextBytes);
  let documents: unknown[];
  // The library rejects more than 100 levels, so its stack doesn't overflow.
  try {
    documents = loadAll(text, undefined, { schema: options.bigIntegers ? exact : plain });
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new YamlError(/maxDepth/.test(reason) ? `its values nest deeper than ${maxDepth} levels` : reason);
  }
  checkValues(documents);
  return documents;
}
