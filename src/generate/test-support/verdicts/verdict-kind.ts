/** A kind, and objects that the API server has to accept or refuse for what its markers and types say. */
export interface VerdictKind {
  readonly name: string;
  /** The TypeScript that declares `<name>Spec`, and what else it needs. */
  readonly types: string;
  /** Specs that are accepted. */
  readonly good: readonly object[];
  /** Specs that are refused, and what the refusal says. */
  readonly bad: readonly (readonly [spec: object, says: RegExp])[];
  /** Specs, and what the API server makes of them: defaults filled in, unknown fields gone. */
  readonly becomes?: readonly (readonly [spec: object, kept: object])[];
  /** An accepted spec, changes of it that are refused, and what the refusal says. */
  readonly updates?: readonly (readonly [before: object, after: object, says: RegExp | undefined])[];
}
