/** The severity of a diagnostic. If there are errors, nothing is written. */
export type Severity = "error" | "warning";

/** The definition of a diagnostic. Its sentences are shown in the reference. */
export interface DiagnosticDefinition {
  /** The default severity. */
  readonly severity: Severity;
  /**
   * Whether PROJECT may lower the severity. It may not if the document would be wrong or missing, or if controller-gen reports the
   * same error.
   */
  readonly adjustable: boolean;
  /** Whether it is off by default, except for kinds in the list `kstatus` of PROJECT. */
  readonly onlyForKstatus?: true;
  readonly cause: string;
  readonly fix: string;
}

/** Causes and fixes by id, for the reference. */
export type Sentences<Id extends string = string> = Readonly<Record<Id, readonly [cause: string, fix: string]>>;

/** Creates the definitions of diagnostics with the same severity, from causes and fixes by id. */
export function entries<Id extends string>(
  kind: Pick<DiagnosticDefinition, "severity" | "adjustable" | "onlyForKstatus">,
  sentences: Sentences<Id>,
): Readonly<Record<Id, DiagnosticDefinition>> {
  const made = Object.entries<Sentences[string]>(sentences).map(([id, [cause, fix]]) => [id, { ...kind, cause, fix }]);
  return Object.freeze(Object.fromEntries(made)) as Readonly<Record<Id, DiagnosticDefinition>>;
}

/** A warning that PROJECT may change to any level. */
export const warning = { severity: "warning", adjustable: true } as const;
/** A warning that is off by default, except for kinds in the list `kstatus` of PROJECT. */
export const warningForKstatus = { severity: "warning", adjustable: true, onlyForKstatus: true } as const;
/** An error that controller-gen doesn't report. */
export const ownError = { severity: "error", adjustable: true } as const;
/** An error that prevents a wrong document. */
export const fixedError = { severity: "error", adjustable: false } as const;
