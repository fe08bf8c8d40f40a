import type { AdmissionAttributes } from "../../model/admission.ts";

/** The kinds of requests that admission sees. */
export type Operation = AdmissionAttributes["operation"];

/** The rounds of mutating admission for one request: a change by a webhook or policy causes a second one. */
export interface Rounds {
  /** True in the second round. */
  readonly again: boolean;
  /** Causes a second round. */
  requestAnother(): void;
  /** Returns what a plugin remembers between the rounds, created by `create` when it is first used. */
  memory<T>(plugin: object, create: () => T): T;
}

/** A step of admission. */
export interface AdmissionPlugin {
  /** The name for `--disable-admission-plugins`. */
  readonly name: string;
  /** The operations that it is called for. */
  readonly operations: ReadonlySet<Operation>;
  /**
   * Changes or refuses a request. May replace `attributes.object` or change its content.
   *
   * @throws StatusError to refuse the request
   */
  admit?(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> | void;
  /**
   * Refuses a request.
   *
   * @throws StatusError to refuse the request
   */
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}
