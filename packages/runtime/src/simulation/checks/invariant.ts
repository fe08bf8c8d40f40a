import type { World } from "../world/world.ts";

/** A rule that an operator must keep in each schedule. {@link always} and {@link eventually} create it. */
export interface Invariant {
  /** Name of the rule, as findings show it. */
  readonly name: string;
  /** `always`: checked after each write. `eventually`: checked when nothing is left to do. */
  readonly when: "always" | "eventually";
  /**
   * Checks the rule.
   *
   * @param world - the state of the server
   * @returns whether the rule is kept; a thrown error contains the reason why it isn't
   */
  check(world: World): unknown;
}

/**
 * Creates a rule that must hold after each write.
 *
 * @param name - the rule as a sentence
 * @param check - returns false or throws if the rule is broken
 * @returns the rule
 *
 * @example
 * always("at most one Deployment per Game", (world) => world.list(Deployment).length <= 1);
 */
export function always(name: string, check: (world: World) => unknown): Invariant {
  return { name, when: "always", check };
}

/**
 * Creates a rule that must hold when nothing is left to do.
 *
 * @param name - the rule as a sentence
 * @param check - returns false or throws if the rule is broken
 * @returns the rule
 *
 * @example
 * eventually("the Deployment has the Game's replicas", (world) => {
 *   const game = world.object(Game, key);
 *   return !game || world.object(Deployment, key)?.spec?.replicas === game.spec.replicas;
 * });
 */
export function eventually(name: string, check: (world: World) => unknown): Invariant {
  return { name, when: "eventually", check };
}
