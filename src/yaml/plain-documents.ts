import { DEFAULT_SCHEMA, dump } from "js-yaml";
import type { Value } from "./plain-values.ts";
import { readValues, wholeNumber } from "./values.ts";

const writing = DEFAULT_SCHEMA.extend({ implicit: [wholeNumber] });

/**
 * Parses the documents of a YAML text, without empty ones. Integers keep all digits, because a CRD may have the bounds of an
 * int64.
 *
 * @throws YamlError
 */
export function readDocuments(text: string): readonly Value[] {
  const documents = readValues(text, { bigIntegers: true }) as (Value | undefined)[];
  return documents.filter((each): each is Value => each !== null && each !== undefined);
}

/**
 * Formats a value as block YAML, without a line break at the end. Quotes strings that older parsers interpret as other
 * types.
 */
export function yamlOf(value: Value): string {
  return dump(value, { lineWidth: -1, noRefs: true, quotingType: '"', schema: writing }).trimEnd();
}
