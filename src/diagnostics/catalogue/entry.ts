/** Errors end the work. */
export type Severity = "error" | "warning";

/** What is known of one diagnostic. The sentences are the ones that the reference shows. */
export interface CatalogueEntry {
  /** What it is unless somebody says otherwise. */
  readonly severity: Severity;
  /**
   * Whether PROJECT may turn it down. What stays an error is what would otherwise end in a wrong or missing document, or what
   * controller-gen refuses, too.
   */
  readonly adjustable: boolean;
  readonly cause: string;
  readonly cure: string;
}

type Sentences = readonly [cause: string, cure: string];

/** Entries of one kind: id → cause and cure. */
export function entries<Id extends string>(
  kind: { readonly severity: Severity; readonly adjustable: boolean },
  sentences: Readonly<Record<Id, Sentences>>,
): Readonly<Record<Id, CatalogueEntry>> {
  const made = Object.entries<Sentences>(sentences).map(([id, [cause, cure]]) => [id, { ...kind, cause, cure }]);
  return Object.freeze(Object.fromEntries(made)) as Readonly<Record<Id, CatalogueEntry>>;
}

/** A warning, to be turned to anything. */
export const warning = { severity: "warning", adjustable: true } as const;
/** An error of ours that controller-gen doesn't have. */
export const ownError = { severity: "error", adjustable: true } as const;
/** An error without which what is written would be wrong. */
export const fixedError = { severity: "error", adjustable: false } as const;
