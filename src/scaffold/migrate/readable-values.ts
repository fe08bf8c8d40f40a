import { readValues } from "../../yaml/values.ts";

/** Returns the values of the documents in a YAML text of the Go project; none if it can't be read, such as a template. */
export function readableValues(text: string): unknown[] {
  try {
    return readValues(text);
  } catch {
    return [];
  }
}
