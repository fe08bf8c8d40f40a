import type { Manager } from "../../manager/manager.ts";
import type { CRD } from "../../manifests/crds.ts";
import type { World } from "../world/world.ts";

/** A version of the operator. */
export interface Version {
  /** The name, with which those of its actors begin. */
  readonly name: string;
  readonly kind: VersionKind;
  /** The commit of a revision. */
  readonly commit?: string;
  readonly operator: (mgr: Manager, world: World) => void | Promise<void>;
  readonly definitions: readonly CRD[];
}

/** The source of a version. */
export type VersionKind = "revision" | "project" | "bundle" | "function";

/** The name of the present version. */
export const newName = "new";

/** Whether two versions have different definitions. */
export function changesDefinitions(before: Version, after: Version): boolean {
  return after.definitions.some((definition) => {
    const old = before.definitions.find(({ metadata }) => metadata?.name === definition.metadata?.name);
    return JSON.stringify(old?.spec) !== JSON.stringify(definition.spec);
  });
}
