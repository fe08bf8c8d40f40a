import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../kind.ts";

/** One version of a kind, and how its objects become objects of the hub and come from there. */
export interface SpokeConverter<
  H extends KubernetesObject = KubernetesObject,
  S extends KubernetesObject = KubernetesObject,
> {
  kind: Kind<S>;
  /** Gives the object in the hub's version, `metadata` included. `apiVersion` and `kind` are set for it. */
  toHub(obj: S): H | Promise<H>;
  /** Gives the hub's object in this version, `metadata` included. `apiVersion` and `kind` are set for it. */
  fromHub(hub: H): S | Promise<S>;
}

/**
 * Converts the objects of a kind between its versions: each spoke knows the way to the hub and back, and two spokes meet there.
 *
 * @example
 * const gameConverter: Converter<GameV2> = {
 *   hub: GameV2,
 *   spokes: [
 *     {
 *       kind: GameV1,
 *       toHub: (game: GameV1) => ({ ...game, apiVersion: "example.com/v2", spec: { title: game.spec.name } }),
 *       fromHub: (game) => ({ ...game, apiVersion: "example.com/v1", spec: { name: game.spec.title } }),
 *     },
 *   ],
 * };
 */
export interface Converter<
  H extends KubernetesObject = KubernetesObject,
  S extends readonly KubernetesObject[] = readonly KubernetesObject[],
> {
  hub: Kind<H>;
  spokes: { [Index in keyof S]: SpokeConverter<H, S[Index]> };
}
