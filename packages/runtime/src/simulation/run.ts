import { errorText } from "../log/error-text.ts";
import { Manager } from "../manager/manager.ts";
import { connectProcess } from "../session/simulated-process.ts";
import { Learned, nothingProbed } from "./checks/learned.ts";
import { RunChecks } from "./checks/run-checks.ts";
import { noVariation } from "./checks/snapshot.ts";
import { Driver } from "./driver.ts";
import { AmbientFaults } from "./faults/ambient.ts";
import { FaultInjector } from "./faults/injector.ts";
import { realImmediate, useSources } from "./globals.ts";
import type { ExternalSystems } from "./prepare.ts";
import { builtIn } from "./report/verdict.ts";
import { RunOfUpgrade } from "./run-of-upgrade.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { Actor } from "./schedule/actor.ts";
import { drained } from "./schedule/scheduler.ts";
import { createBase, createClient, startWorld } from "./start-world.ts";
import { electsLeader, type Version } from "./upgrade/version.ts";
import { createWorld } from "./world/create-world.ts";
import { type Callers, observeExternal, replacedSystems } from "./world/external.ts";
import { type OperatorCode, OperatorProcess } from "./world/process.ts";
import { recordWrites } from "./world/record-writes.ts";
import { Replicas } from "./world/replicas.ts";
import type { RunWorld } from "./world/run-world.ts";
import { ScenarioWait } from "./world/scenario-wait.ts";
import { userClient } from "./world/user-client.ts";
import type { World } from "./world/world.ts";

/** A run whose operator has started. */
interface StartedRun {
  readonly checks: RunChecks;
  readonly driver: Driver;
  readonly processes: readonly OperatorProcess[];
  /** The processes that share the objects. */
  readonly replicas: Replicas | undefined;
  readonly upgrade: RunOfUpgrade | undefined;
  /** The world of the scenario. */
  readonly scenarioWorld: World;
  /** Ends the observation of the external system. */
  readonly releaseExternal: () => void;
}

/**
 * Runs one schedule.
 *
 * @param settings - the schedule
 * @returns the result. If it lacks a part of the server, `needs` contains the part
 */
export async function runSchedule(settings: RunSettings): Promise<RunResult> {
  const { prepared } = settings;
  const base = createBase(settings);
  const { scheduler, choices, timeline, verdict } = base;
  const stopRejections = prepared.observeRejections((error) =>
    verdict.violated({ invariant: builtIn.rejections, message: `unhandled rejection: ${errorText(error)}` }),
  );
  useSources({ clock: scheduler.clock(new Actor("code")), random: () => choices.operator.next() });
  let stopRecording = (): void => {};
  let world: RunWorld;
  let run: StartedRun;
  let scenarioError: unknown;
  try {
    world = await startWorld(settings, base);
    const processes: OperatorProcess[] = [];
    if (world.conversions) world.conversions.processes = processes;
    stopRecording = recordWrites(world, processes);
    run = startRun(settings, world, processes);
    scenarioError = await play(settings, world, run);
    for (const kind of world.conversions?.kinds ?? []) prepared.upgrade?.converted.add(kind);
    for (const process of new Set([...processes, ...(run.replicas?.stopped ?? []), ...(run.upgrade?.created ?? [])]))
      await process.dispose();
    await drained();
  } finally {
    stopRecording();
    await realImmediate();
    stopRejections();
  }
  return {
    ...run.checks.results,
    violation: verdict.violation,
    scenarioError,
    varying: noVariation,
    resources: world.usage.resources,
    counts: timeline.faults,
    decisions: { order: choices.order, faults: choices.faults },
    timeline,
    steps: scheduler.steps,
    usesRandom: world.usage.usesRandom,
    needs: world.usage.needs,
    ...(run.upgrade?.results ?? {}),
  };
}

/**
 * Starts the operator.
 *
 * @param settings - the schedule
 * @param world - the parts of the run
 * @param processes - receives the processes
 */
function startRun(settings: RunSettings, world: RunWorld, processes: OperatorProcess[]): StartedRun {
  const { prepared, expected, trace } = settings;
  const { options, foreignFinalizers } = prepared;
  const { server, scheduler, choices, timeline, usage, actors, custom } = world;
  const systems = prepared.newSystems();
  const learned = expected?.learned ?? new Learned(custom);
  const ambient = new AmbientFaults(world, { processes, learned, probed: expected?.probed ?? nothingProbed });
  // A process that starts again can miss the write.
  const onSend = (): void => void ambient.happen("user");
  const client = userClient(createClient({ server, actor: actors.user, scheduler, usage, onSend }));
  const wait = new ScenarioWait();
  const fault: World["fault"] = async (name, faultOptions) => {
    if (expected) ambient.demand(name, faultOptions);
  };
  const scenarioParts = { ...systems, world, client, processes, wait, fault };
  const scenarioWorld = createWorld(scenarioParts, false);
  const shared = createWorld(scenarioParts, true);
  const { invariants = [], replicas = 1, sharding = false } = options;
  const { kstatus } = prepared;
  const upgrade = settings.upgrade && new RunOfUpgrade(settings, world, processes);
  const versions = upgrade?.versions;
  const parts = {
    world,
    processes,
    shared,
    invariants,
    foreignFinalizers,
    learned,
    kstatus,
    expected,
    trace,
    sharding,
  };
  const checks = new RunChecks({ ...parts, ...(versions ? { upgrade: versions } : {}) });
  const releaseExternal = observeSystems(systems, { world, processes }, () => checks.isChecking);
  const mayElect = electsLeader(prepared);
  const extra = replicas === 1 && !sharding && mayElect !== false && choices.fault("replicas", "start", 1, 100) > 0;
  if (extra) timeline.fault("replicas", "two processes run, with a lease");
  const leaderElection = mayElect ?? (replicas > 1 || extra || sharding !== false || (upgrade?.overlaps ?? false));
  const codeOf = (version: Partial<Version>): OperatorCode => {
    const { operator = options.operator, manager = Manager, program } = version;
    return {
      leaderElection,
      sharding,
      manager,
      ...(version.name === undefined ? {} : { version: version.name }),
      ...(program === undefined ? {} : { program }),
      external: replacedSystems(systems.externals),
      operator: async (mgr) => {
        await operator(mgr, scenarioWorld);
      },
      newFaults: (process, isStaleStart) => new FaultInjector(world, isStaleStart, process),
    };
  };
  const create = (name: string, version: Partial<Version>): OperatorProcess[] => {
    const code = codeOf(version);
    const numbers = Array.from({ length: extra ? 2 : replicas }, (_, index) => index + 1);
    return numbers.map((number) => new OperatorProcess(`${name}-${number}`, world, code));
  };
  const program = prepared.upgrade?.next.program;
  const started = upgrade
    ? upgrade.begin((version) => create(version.name, version))
    : create("operator", program ? { program } : {});
  processes.push(...started);
  const { shards } = checks;
  for (const process of started) {
    shards?.observe(process);
    process.start();
  }
  const code = codeOf(program ? { program } : {});
  const sharing =
    shards &&
    new Replicas(world, processes, (number) => shards.observe(new OperatorProcess(`operator-${number}`, world, code)));
  ambient.replicas = sharing;
  const driven = upgrade?.driven;
  const run = { world, processes, leaderElection, ambient, checks, wait, settings };
  const driver = new Driver({ ...run, ...(driven ? { upgrade: driven } : {}) });
  return { checks, driver, processes, replicas: sharing, upgrade, scenarioWorld, releaseExternal };
}

/** Lets the calls of all external systems be steps of the schedule. Returns a function that undoes it. */
function observeSystems(
  { external, externals }: ExternalSystems,
  callers: Callers,
  isChecking: () => boolean,
): () => void {
  const releases = [
    observeExternal(external, callers, isChecking),
    ...Object.entries(externals).map(([name, value]) => observeExternal(value, callers, isChecking, `${name}.`)),
  ];
  // Functions of operators run in this process. Each program has one of its own.
  connectProcess(process, { external: replacedSystems(externals) });
  return () => {
    connectProcess(process, undefined);
    for (const release of releases) release();
  };
}

/**
 * Plays the scenario until its last state is settled, or a rule is broken.
 *
 * @returns the error of the scenario, if it failed
 */
async function play(
  { prepared }: RunSettings,
  { verdict }: RunWorld,
  { driver, scenarioWorld, releaseExternal }: StartedRun,
): Promise<unknown> {
  let outcome: { error: unknown } | undefined;
  try {
    void Promise.resolve()
      .then(() => prepared.options.scenario(scenarioWorld))
      .then(
        () => (outcome = { error: undefined }),
        (error: unknown) => (outcome = { error }),
      );
    await driver.drive(() => outcome !== undefined);
    const error = verdict.isOver ? undefined : outcome?.error;
    if (!verdict.isOver && error === undefined) await driver.settled(true);
    return error;
  } finally {
    releaseExternal();
  }
}
