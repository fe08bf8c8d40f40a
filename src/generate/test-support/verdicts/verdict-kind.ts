/** A kind, with objects that the API server must accept or reject because of its markers and types. */
export interface VerdictKind {
  readonly name: string;
  /** The TypeScript code that declares `<name>Spec`, and the types that it requires. */
  readonly types: string;
  /** Specs that are accepted. */
  readonly good: readonly object[];
  /** Specs that are rejected, and the error message. */
  readonly bad: readonly (readonly [spec: object, message: RegExp])[];
  /** Specs, and the result of the API server: with defaults, without unknown fields. */
  readonly becomes?: readonly (readonly [spec: object, kept: object])[];
  /** An accepted spec, its update, and the error message if the update is rejected. */
  readonly updates?: readonly (readonly [before: object, after: object, message: RegExp | undefined])[];
}
