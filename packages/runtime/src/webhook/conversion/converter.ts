import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";

/**
 * Converts the objects of one version to the hub's version and back. Required fields can be missing, and the whole spec:
 * server-side apply also converts parts of objects.
 */
export interface SpokeConverter<
  H extends KubernetesObject = KubernetesObject,
  S extends KubernetesObject = KubernetesObject,
> {
  /** The kind, in the version of the spoke. */
  kind: Kind<S>;
  /**
   * Converts an object to the hub's version, `metadata` included. The server sets `apiVersion` and `kind`.
   *
   * @param obj - an object of this version
   * @returns the object in the hub's version
   * @throws any error to reject the conversion
   */
  toHub(obj: S): H | Promise<H>;
  /**
   * Converts an object of the hub's version to this version, `metadata` included. The server sets `apiVersion` and
   * `kind`.
   *
   * @param hub - an object of the hub's version
   * @returns the object in this version
   * @throws any error to reject the conversion
   */
  fromHub(hub: H): S | Promise<S>;
}

/**
 * Converts the objects of a kind between its versions. Each spoke converts to and from the hub; conversions between two
 * spokes pass through the hub.
 *
 * @example
 * const gameConverter: Converter<GameV2> = {
 *   hub: GameV2,
 *   spokes: [
 *     {
 *       kind: GameV1,
 *       toHub: (game: GameV1) => ({ ...game, apiVersion: "example.com/v2", spec: { title: game.spec?.name } }),
 *       fromHub: (game) => ({ ...game, apiVersion: "example.com/v1", spec: { name: game.spec?.title } }),
 *     },
 *   ],
 * };
 */
export interface Converter<
  H extends KubernetesObject = KubernetesObject,
  S extends readonly KubernetesObject[] = readonly KubernetesObject[],
> {
  /** The kind, in the version of the hub. */
  hub: Kind<H>;
  /** The other versions. */
  spokes: { [Index in keyof S]: SpokeConverter<H, S[Index]> };
}
