/**
 * What a marker's argument comes to. Whole numbers beyond 2^53 are bigints, so that nothing is rounded on its way to
 * a document; absent slices and pointers are null, other absent arguments the zero value of their type.
 */
export type MarkerValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly MarkerValue[]
  | { readonly [key: string]: MarkerValue };
