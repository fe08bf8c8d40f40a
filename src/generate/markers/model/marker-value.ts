import type { JSONValue } from "../../../kubernetes/json-schema.ts";

/** The value of a marker's argument. Absent slices and pointers are null; other absent arguments have the zero value of their type. */
export type MarkerValue = JSONValue;
