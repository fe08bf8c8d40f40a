import { readYamlDocuments, YamlReadError, type YamlValue } from "@kubewright/cel/yaml";
import { checkSize, checkValues, maxAliasedValues, maxDepth, maxTextBytes, YamlError } from "./budget.ts";

/** Options for parsing YAML or JSON. */
export interface ReadOptions {
  /**
   * Maximum length of the text, in bytes.
   *
   * @defaultValue {@link maxTextBytes}
   */
  readonly maxBytes?: number;
}

/**
 * Parses the documents of a YAML or JSON text as kubectl does, without empty ones. Integers of 64 bits beyond ±(2^53-1) are
 * `bigint`.
 *
 * @throws YamlError with a one-line message if the text isn't YAML or exceeds the limits of `budget.ts`
 */
export function readValues(text: string, options: ReadOptions = {}): unknown[] {
  checkSize(text, options.maxBytes ?? maxTextBytes);
  let documents: YamlValue[];
  // The library rejects more than 100 levels, so its stack doesn't overflow.
  try {
    documents = readYamlDocuments(text, { maxAliased: maxAliasedValues });
  } catch (error) {
    if (!(error instanceof YamlReadError)) throw error;
    throw new YamlError(
      /max ?depth/i.test(error.message) ? `its values nest deeper than ${maxDepth} levels` : error.message,
    );
  }
  checkValues(documents);
  return documents;
}
