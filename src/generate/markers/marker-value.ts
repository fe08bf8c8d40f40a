/**
 * The value of a marker's argument. Integers beyond 2^53 are bigints, so that no digits are lost. Absent slices and pointers
 * are null; other absent arguments have the zero value of their type.
 */
export type MarkerValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly MarkerValue[]
  | { readonly [key: string]: MarkerValue };
