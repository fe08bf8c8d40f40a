import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import type { Invariant } from "../checks/invariant.ts";
import type { UpgradeVariation } from "../report/upgrade-variation.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import type { AllowedChange } from "../upgrade/allowed-change.ts";
import type { External, World } from "../world/world.ts";

/** An old version of an operator. */
export interface OldVersion {
  /**
   * The name, with which the names of its processes begin.
   *
   * @defaultValue `old`
   */
  name?: string;
  /**
   * Sets the controllers up, as in {@link SimulateOptions.operator}.
   *
   * @param mgr - the manager of the process
   * @param world - the world
   */
  operator(mgr: Manager, world: World): void | Promise<void>;
  /**
   * Files and directories with CustomResourceDefinitions, relative to the working directory.
   *
   * @defaultValue those of the new version, unless `crds` is set
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * CustomResourceDefinitions.
   *
   * @defaultValue those of the new version, unless `crdDirectoryPaths` is set
   */
  crds?: readonly object[];
}

/** Settings of upgrades. */
export interface UpgradeOptions {
  /**
   * The intended changes.
   *
   * @defaultValue none
   */
  allow?: readonly AllowedChange[];
  /**
   * The ways in which upgrades happen.
   *
   * @defaultValue all except `crds-kept`
   */
  variations?: readonly UpgradeVariation[];
}

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /**
   * Sets the controllers of the operator up, as its `main.ts` does. Called for each start of a process.
   *
   * @param mgr - the manager of the process; the simulation starts it
   * @param world - the world, for example for its external system
   */
  operator(mgr: Manager, world: World): void | Promise<void>;
  /**
   * The actions of the user.
   *
   * @param world - the world
   */
  scenario(world: World): void | Promise<void>;
  /**
   * Rules of the operator, in addition to the built-in checks.
   *
   * @defaultValue none
   */
  invariants?: readonly Invariant[];
  /**
   * Files and directories with CustomResourceDefinitions, relative to the working directory.
   *
   * @defaultValue none
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * CustomResourceDefinitions.
   *
   * @defaultValue none
   */
  crds?: readonly object[];
  /**
   * Files and directories with admission policies and their bindings, relative to the working directory. The API server enforces them
   * once the objects of the start exist.
   *
   * @defaultValue `config/policy`, if it exists
   */
  policyDirectoryPaths?: readonly string[];
  /**
   * Objects that exist at the start.
   *
   * @defaultValue none
   */
  objects?: readonly KubernetesObject[];
  /**
   * Number of processes of the operator.
   *
   * @defaultValue 1
   */
  replicas?: number;
  /**
   * Whether the processes elect a leader.
   *
   * @defaultValue true if there is more than one process
   */
  leaderElection?: boolean;
  /**
   * Whether the processes share the objects, and how, as in the option of the manager. It can't be combined with `from`.
   *
   * @defaultValue false
   */
  sharding?: ManagerOptions["sharding"];
  /**
   * Whether to check the states that Helm, Flux and kubectl compute from objects, or the kinds to check. Exclude kinds whose objects
   * aren't ready for a long time by design, such as while a Job runs.
   *
   * @defaultValue all kinds with a definition
   */
  kstatus?: boolean | readonly Kind[];
  /**
   * The faults that may happen.
   *
   * @defaultValue all
   */
  faults?: readonly FaultName[];
  /**
   * The functions of an external system. Calls are recorded in the timeline, and a process can end before and after each.
   * Its own properties, such as maps, get their initial values in each schedule. A function creates a new system for each.
   *
   * @defaultValue none
   */
  external?: External | (() => External);
  /**
   * Systems that take the place of those that the operator declares with `external(name, …)`, by name. The rules of the option
   * `external` apply to each. A declared system that isn't listed is called for real.
   *
   * @defaultValue none
   */
  externals?: Readonly<Record<string, External | (() => External)>>;
  /**
   * The old versions of the operator, oldest first. One of them settles the world, and the operator takes over. A text is a revision of
   * the repository or the directory of a project, as in `scaffold simulate --from`.
   *
   * @defaultValue none
   */
  from?: string | OldVersion | readonly (string | OldVersion)[];
  /**
   * Settings of upgrades.
   *
   * @defaultValue all variations except `crds-kept`, and no allowed changes
   */
  upgrade?: UpgradeOptions;
  /**
   * Number of steps after which a schedule that doesn't settle is a finding. Each hour of virtual time allows as many again.
   *
   * @defaultValue 20000
   */
  maxSteps?: number;
  /**
   * Number of schedules. `scaffold simulate` sets another one.
   *
   * @defaultValue 200
   */
  seeds?: number;
  /**
   * Runs only the schedule of this seed.
   *
   * @defaultValue all seeds from 1
   */
  seed?: number;
}
