import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { type CRD, readCRDs } from "../manifests/crds.ts";
import { readPolicies } from "../manifests/policies.ts";
import { replaceGlobals } from "./globals.ts";
import type { SimulateOptions } from "./options/options.ts";
import type { Program } from "./programs/program.ts";
import { ProcessEnd } from "./programs/program-process.ts";
import { checkedVariations, type UpgradeVariation, usualVariations } from "./report/upgrade-variation.ts";
import { Actor } from "./schedule/actor.ts";
import { checkedFaults, type FaultName, faultNames, shardFaults } from "./schedule/fault-names.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import { AllowedChanges } from "./upgrade/allowed-change.ts";
import { newName, type Version } from "./upgrade/version.ts";
import { convertedInProcess } from "./world/conversions.ts";
import { rememberState } from "./world/external.ts";
import { type SharedServer, startSharedServer } from "./world/shared-server.ts";
import type { External, World } from "./world/world.ts";

/** The parts that all runs of a simulation share. */
export interface Prepared {
  options: SimulateOptions;
  definitions: readonly CRD[];
  /** The kinds of the definitions, as `group/kind`. */
  custom: ReadonlySet<string>;
  /** The kinds whose states are checked as Helm and Flux compute them, as `group/kind`. */
  kstatus: ReadonlySet<string>;
  faults: readonly FaultName[];
  /** The versions of the operator, in a simulation of an upgrade. */
  upgrade: PreparedUpgrade | undefined;
  /** Whether the operator uses objects on which the controllers of workloads act. */
  usesWorkloads: boolean;
  /** Whether something reads the endpoints of Services. */
  usesEndpoints: boolean;
  /** Whether something applies objects, so that the server must record the owners of fields. */
  appliesObjects: boolean;
  /** Finalizers that others remove. */
  foreignFinalizers: ReadonlySet<string>;
  /**
   * Starts the server of all runs, or returns it.
   *
   * @param owners - whether it records the owners of fields. By default, if a run applies objects
   * @param version - the index of the old version whose definitions it has. By default, those of the present version
   */
  server(owners?: boolean, version?: number): Promise<SharedServer>;
  /** Returns the external systems in their initial states. */
  newSystems(): ExternalSystems;
  /** Reports unhandled rejections until the returned function is called. */
  observeRejections(listener: (error: unknown) => void): () => void;
}

/** The external system of the options, and those with names. */
export type ExternalSystems = Pick<World, "external" | "externals">;

/** The versions of an upgrade. */
export interface PreparedUpgrade {
  /** The old versions, oldest first. */
  readonly old: readonly Version[];
  readonly next: Version;
  readonly allowed: AllowedChanges;
  readonly variations: readonly UpgradeVariation[];
  /** The kinds that a version converts, as `group/kind`. Runs add what they learn. */
  readonly converted: Set<string>;
}

/**
 * Reads the definitions and checks the options.
 *
 * @param options - the options
 * @param old - the old versions of the operator, oldest first
 * @param program - the program of the new version, which runs in place of `operator`
 * @returns what all runs share, and a function that undoes it
 * @throws Error for invalid options
 */
export function prepare(
  options: SimulateOptions,
  old: readonly Version[] = [],
  program?: Program,
): Prepared & { release(): Promise<void> } {
  for (const name of ["operator", "scenario"] as const) {
    if (typeof options[name] !== "function") throw new Error(`simulate: ${name} must be a function`);
  }
  const { replicas = 1, leaderElection } = options;
  if (!Number.isInteger(replicas) || replicas < 1) throw new Error(`replicas ${replicas}: must be a positive integer`);
  if (replicas > 1 && leaderElection === false) {
    throw new Error(`replicas ${replicas}: several processes need leaderElection, or both write at once`);
  }
  if (options.sharding && leaderElection === false) throw new Error("sharding: needs leaderElection");
  if (options.sharding && old.length > 0) throw new Error("sharding: can't be combined with from");
  const definitions = readCRDs({
    crdDirectoryPaths: options.crdDirectoryPaths ?? [],
    crds: (options.crds ?? []) as KubernetesObject[],
    errorIfCRDPathMissing: true,
  });
  const policies = readPolicies(".", options.policyDirectoryPaths);
  const custom = new Set(
    [...old.flatMap((version) => version.definitions), ...definitions].map(
      ({ spec }) => `${spec.group}/${spec.names.kind}`,
    ),
  );
  const upgrade = upgradeOf({ options, definitions, policies, old, program });
  const kstatus = checkedKinds(options.kstatus ?? true, custom);
  const external = resettable(options.external ?? {});
  const externals = Object.entries(options.externals ?? {}).map(([name, value]) => [name, resettable(value)] as const);
  const allowed = options.faults ? checkedFaults(options.faults) : faultNames;
  const faults = options.sharding ? allowed : allowed.filter((name) => !shardFaults.has(name));
  // From here on, nothing may fail: the caller undoes the changes to the process.
  const rejections = observeProcess();
  const beforeRuns = new Scheduler(new Actor("code"), () => 0).clock(new Actor("code"));
  const restoreGlobals = replaceGlobals({ clock: beforeRuns, random: () => 0 });
  const servers = new Map<string, Promise<SharedServer>>();
  const prepared: Prepared & { release(): Promise<void> } = {
    options,
    definitions,
    custom,
    kstatus,
    faults,
    upgrade,
    usesWorkloads: true,
    usesEndpoints: true,
    appliesObjects: false,
    foreignFinalizers: new Set(
      (options.objects ?? [])
        .flatMap(({ metadata }) => metadata?.finalizers ?? [])
        .concat("kubernetes.io/pvc-protection"),
    ),
    server: (managedFields = prepared.appliesObjects, version = -1) => {
      const { usesWorkloads: workloads } = prepared;
      const key = `${workloads} ${managedFields} ${version}`;
      const own = old[version] ?? { definitions, policies };
      const started =
        servers.get(key) ??
        startSharedServer({
          definitions: upgrade ? convertedInProcess(own.definitions) : own.definitions,
          policies: own.policies,
          objects: options.objects ?? [],
          workloads,
          managedFields,
        });
      servers.set(key, started);
      return started;
    },
    newSystems: () => ({
      external: external.next(),
      externals: Object.fromEntries(externals.map(([name, { next }]) => [name, next()])),
    }),
    observeRejections: rejections.observe,
    release: async () => {
      restoreGlobals();
      rejections.release();
      for (const { reset } of [external, ...externals.map(([, one]) => one)]) reset();
      for (const started of servers.values()) await started.then(({ api }) => api.stop()).catch(() => {});
    },
  };
  return prepared;
}

/** Returns an external system that begins each run in its initial state. */
function resettable(system: External | (() => External)): { next(): External; reset(): void } {
  if (typeof system === "function") return { next: system as () => External, reset: () => {} };
  const reset = rememberState(system);
  const next = (): External => {
    reset();
    return system;
  };
  return { next, reset };
}

function upgradeOf({
  options: { operator, upgrade = {} },
  definitions,
  policies,
  old,
  program,
}: {
  options: SimulateOptions;
  definitions: readonly CRD[];
  policies: readonly KubernetesObject[];
  old: readonly Version[];
  program: Program | undefined;
}): PreparedUpgrade | undefined {
  if (old.length === 0) return undefined;
  return {
    old,
    next: { name: newName, kind: "function", operator, definitions, policies, ...(program ? { program } : {}) },
    allowed: new AllowedChanges(upgrade.allow),
    variations: checkedVariations(upgrade.variations ?? usualVariations),
    converted: new Set(
      [...old.flatMap((version) => version.definitions), ...definitions]
        .filter(({ spec }) => spec.conversion?.strategy === "Webhook")
        .map(({ spec }) => `${spec.group}/${spec.names.kind}`),
    ),
  };
}

/** Returns the kinds of the option `kstatus`, as `group/kind`. */
function checkedKinds(chosen: boolean | readonly Kind[], custom: ReadonlySet<string>): ReadonlySet<string> {
  if (typeof chosen === "boolean") return chosen ? custom : new Set();
  if (!Array.isArray(chosen)) throw new Error("kstatus: must be true, false or a list of kinds, such as [Game]");
  for (const { group, kind } of chosen as readonly Kind[]) {
    if (custom.has(`${group}/${kind}`)) continue;
    throw new Error(`kstatus: ${kind} isn't a kind of the definitions in crds and crdDirectoryPaths`);
  }
  return new Set((chosen as readonly Kind[]).map(({ group, kind }) => `${group}/${kind}`));
}

/** Takes the place of the other listeners to unhandled rejections, such as those of a test runner. */
function observeProcess(): { observe: Prepared["observeRejections"]; release(): void } {
  const others = process.listeners("unhandledRejection");
  let listener: ((error: unknown) => void) | undefined;
  const onRejection = (error: unknown): void => {
    if (!(error instanceof ProcessEnd)) listener?.(error);
  };
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", onRejection);
  return {
    observe: (next) => {
      listener = next;
      return () => {
        listener = undefined;
      };
    },
    release: () => {
      process.off("unhandledRejection", onRejection);
      for (const other of others) process.on("unhandledRejection", other);
    },
  };
}
