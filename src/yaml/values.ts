import { CORE_SCHEMA, loadAll, Type } from "js-yaml";
import { checkSize, checkValues, maxDepth, maxTextBytes, YamlError } from "./budget.ts";

const decimal = /^[-+]?\d+$/;

/** The most digits of an integer: Kubernetes has nothing beyond 64 bits, and long numbers cost more than their length. */
const maxDigits = 40;

/** Integers keep all of their digits: a CRD may have the bounds of an int64. */
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

/** What the library does with the keys of this tag is its own: it merges. */
const merge = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text: unknown) => text === "<<" });

/** The values of JSON, as Kubernetes reads them, with the merge keys that its YAML reader has. */
const plain = CORE_SCHEMA.extend({ implicit: [merge] });
const exact = plain.extend({ implicit: [wholeNumber] });

/** How a text of YAML or JSON is read. */
export interface ReadOptions {
  /** Integers beyond ±(2^53-1) come as `bigint`, so that nothing is rounded. */
  readonly bigIntegers?: boolean;
  /**
   * The longest text, in bytes.
   *
   * @defaultValue {@link maxTextBytes}
   */
  readonly maxBytes?: number;
}

/**
 * The documents of a YAML or JSON text as plain data. Aliases give shared values.
 *
 * @throws YamlError with one line, for what isn't YAML and for what costs more than the limits of `budget.ts`
 */
export function readValues(text: string, options: ReadOptions = {}): unknown[] {
  checkSize(text, options.maxBytes ?? maxTextBytes);
  let documents: unknown[];
  // The library refuses more than 100 levels by itself, before its own stack overflows.
  try {
    documents = loadAll(text, undefined, { schema: options.bigIntegers ? exact : plain });
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new YamlError(/maxDepth/.test(reason) ? `its values nest deeper than ${maxDepth} levels` : reason);
  }
  checkValues(documents);
  return documents;
}
