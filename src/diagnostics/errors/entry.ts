/** The description, in the reference, of an error that ends a command. */
export interface ErrorEntry {
  readonly cause: string;
  readonly fix: string;
}

/** Creates the descriptions of errors, from causes and fixes by id. */
export function errors<Id extends string>(
  sentences: Readonly<Record<Id, readonly [cause: string, fix: string]>>,
): Readonly<Record<Id, ErrorEntry>> {
  const made = Object.entries<readonly [string, string]>(sentences).map(([id, [cause, fix]]) => [id, { cause, fix }]);
  return Object.freeze(Object.fromEntries(made)) as Readonly<Record<Id, ErrorEntry>>;
}
