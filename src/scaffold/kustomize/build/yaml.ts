import { DEFAULT_SCHEMA, dump } from "js-yaml";
import { readValues, wholeNumber } from "../../../yaml/values.ts";
import type { Value } from "./values.ts";

const writing = DEFAULT_SCHEMA.extend({ implicit: [wholeNumber] });

/**
 * The documents of a YAML text, empty ones left out. Integers keep all of their digits: a CRD may have the bounds of an int64.
 *
 * @throws YamlError
 */
export function readDocuments(text: string): readonly Value[] {
  const documents = readValues(text, { bigIntegers: true }) as (Value | undefined)[];
  return documents.filter((each): each is Value => each !== null && each !== undefined);
}

/** A value as YAML in blocks, without a line break at its end. What older readers take for something else than text is quoted. */
export function yamlOf(value: Value): string {
  return dump(value, { lineWidth: -1, noRefs: true, quotingType: '"', schema: writing }).trimEnd();
}
