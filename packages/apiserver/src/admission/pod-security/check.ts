import type { Pod } from "./pod.ts";

/** A part of a level that a Pod violates. */
export interface Violation {
  /** A short reason, such as `hostPort`. */
  reason: string;
  /** The places in the Pod, and what is wrong about them. */
  detail: string;
}

/** Returns the violation of a Pod; undefined if there is none. */
export type Rule = (pod: Pod) => Violation | undefined;

/** A part of the baseline or of the restricted level. */
export interface Check {
  /** The forms of the check, from the oldest to the newest, each with the minor version of Kubernetes that introduced it. */
  rules: readonly (readonly [since: number, rule: Rule])[];
  /** For checks of the restricted level: the one of the baseline level that it includes. */
  includes?: Check;
}
