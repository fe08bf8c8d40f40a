import type { KubernetesObject } from "../../api/index.ts";
import type { Manager } from "../../manager/manager.ts";
import type { CRD } from "../../manifests/crds.ts";
import type { Program } from "../programs/program.ts";
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
  /** The admission policies, which are deployed with the definitions. */
  readonly policies: readonly KubernetesObject[];
  /** The class of managers of its own runtime. By default, that of the project's runtime. */
  readonly manager?: typeof Manager;
  /** The program that runs in place of `operator`. */
  readonly program?: Program;
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

/**
 * Returns whether the processes of an operator elect a leader.
 *
 * @returns undefined if the simulation decides: it does so for several processes
 */
export function electsLeader({
  options,
  upgrade,
}: {
  readonly options: { readonly leaderElection?: boolean };
  readonly upgrade: { readonly old: readonly Version[]; readonly next: Version } | undefined;
}): boolean | undefined {
  if (!upgrade?.next.program) return options.leaderElection;
  return [...upgrade.old, upgrade.next].every(({ program }) => program?.electsLeader);
}
