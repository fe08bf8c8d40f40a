import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import { ApiError } from "../errors/api-error.ts";
import { errorText } from "../log/error-text.ts";
import { type BaselineResult, findUnrestored, runBaseline, runHistory } from "./baseline.ts";
import { execute } from "./execute.ts";
import { FoundSeeds } from "./found-seeds.ts";
import { realNow } from "./globals.ts";
import { loadOldVersions, type SimulationPlace } from "./old-versions/old-versions.ts";
import type { SimulateOptions } from "./options/options.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { describeFinding, type Finding, type SimulationReport } from "./report/finding.ts";
import { positionOf } from "./report/position.ts";
import { checkedVariations } from "./report/upgrade-variation.ts";
import { builtIn } from "./report/verdict.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { checkedFaults, type FaultName, faultNames, noFaults } from "./schedule/fault-names.ts";
import { beginSimulation, type CommandSettings, continueWith, currentTest, readSettings, suffix } from "./settings.ts";
import { shrink } from "./shrink.ts";
import { emptyUpgradeReport, UpgradeSchedules, upgradeOfFinding } from "./upgrade-schedules.ts";

const defaultSeeds = 200;

/**
 * Runs an operator and its cluster in this process under many schedules: each seed is another order of events, with other
 * faults. In each, the operator must reach the state of the run without faults, and keep all invariants.
 *
 * @param options - the operator, the actions of a user, and the invariants
 * @returns what was run
 * @throws SimulationError with the shortest schedule that breaks a rule
 * @throws Error if the options are invalid, or if the scenario fails without faults
 *
 * @example
 * await simulate({
 *   crdDirectoryPaths: ["config/crd/bases"],
 *   operator: async (mgr) => new GameReconciler(mgr.client).setupWithManager(mgr),
 *   scenario: async (world) => {
 *     await world.client.create(game);
 *     await world.settled();
 *     await world.client.delete(Game, key);
 *   },
 * });
 */
export async function simulate(options: SimulateOptions): Promise<SimulationReport> {
  const command = readSettings();
  const { name, time } = command ? beginSimulation(command) : { name: "", time: Number.POSITIVE_INFINITY };
  const started = realNow();
  const report: SimulationReport = { schedules: 0, seconds: 0, faults: noFaults(), findings: [] };
  // The command calls the file again until all simulations have ended.
  if (command?.next[name] === null) return report;
  const { versions, notes, isSkipped, program } = await loadOldVersions(options, command ?? {}, placeOf(name));
  const prepared = prepare(withVariations(options, command), isSkipped ? [] : versions, program);
  if (prepared.upgrade) Object.assign(report, emptyUpgradeReport(prepared.upgrade.old));
  let next: number | null = null;
  const facts = [...notes];
  try {
    if (!isSkipped) next = await runSchedules(prepared, planOf(options, command, name, started + time), report, facts);
  } finally {
    await prepared.release();
    report.seconds = (realNow() - started) / 1000;
  }
  if (command) {
    continueWith(command, name, next);
    const unused = prepared.upgrade?.allowed.unused() ?? [];
    appendFileSync(command.report, `${JSON.stringify({ name, next, notes: facts, unused, ...report })}\n`);
  }
  const [finding] = report.findings;
  if (finding) throw new SimulationError(finding);
  return report;
}

/** Returns the place of a simulation from its name, which ends with its number in the test. */
function placeOf(name: string): SimulationPlace {
  const position = Number(/ #(\d+)$/.exec(name)?.[1] ?? 1) - 1;
  return { ...currentTest(), position, root: process.cwd() };
}

/** Returns the options with the variations of the command. */
function withVariations(options: SimulateOptions, command: CommandSettings | undefined): SimulateOptions {
  if (!command?.upgrades) return options;
  return { ...options, upgrade: { ...options.upgrade, variations: checkedVariations(command.upgrades) } };
}

/** Which schedules to run. */
interface Plan {
  first: number;
  last: number;
  /** From one seed to the next. */
  step: number;
  /** The findings of other processes. */
  found: FoundSeeds | undefined;
  /** Whether the runs without faults count as a schedule: those of one process do. */
  countsBaseline: boolean;
  /** Whether an earlier call has run, and counted, the first schedules. */
  continues: boolean;
  /** Real time at which no further schedule begins. */
  until: number;
  faults: readonly FaultName[] | undefined;
}

function planOf(options: SimulateOptions, command: CommandSettings | undefined, name: string, until: number): Plan {
  const only = command?.seed ?? options.seed;
  const { index, count } = command?.share ?? { index: 0, count: 1 };
  return {
    first: only ?? command?.next[name] ?? 1 + index,
    step: count,
    found: command && new FoundSeeds(command.found, name, command.share),
    countsBaseline: index === 0,
    continues: command?.next[name] !== undefined,
    last: only ?? command?.seeds ?? options.seeds ?? defaultSeeds,
    until,
    faults: command?.faults && checkedFaults(command.faults),
  };
}

/** Thrown for a schedule that breaks a rule. The message contains the timeline and how to replay it. */
export class SimulationError extends Error {
  /** Always `SimulationError`. */
  override readonly name: string = "SimulationError";
  /** The finding. */
  declare readonly finding: Finding;

  /**
   * Creates an error.
   *
   * @param finding - the finding
   */
  constructor(finding: Finding) {
    super(describeFinding(finding));
    // Test runners print all enumerable properties, and a timeline is long.
    Object.defineProperty(this, "finding", { value: finding });
  }
}

/** Runs schedules. Returns the seed to continue with, `null` if there is nothing left to do. */
async function runSchedules(
  prepared: Prepared,
  plan: Plan,
  report: SimulationReport,
  notes: string[],
): Promise<number | null> {
  const { first, last, step, until, found } = plan;
  const faults = prepared.faults.filter((name) => plan.faults?.includes(name) ?? true);
  const begin = async (seed: number): Promise<BaselineResult["baseline"]> => {
    const { baseline, broken } = await runBaseline(prepared, seed);
    const isCounted = plan.continues && baseline?.usesRandom === false;
    if (plan.countsBaseline && !isCounted) report.schedules++;
    if (broken) {
      const shown = broken.result.usesRandom ? seed : 0;
      found?.add(shown);
      report.findings.push(await findingOf(broken.settings, broken.result, shown, plan));
    }
    if (!hasNotes) notes.push(...notesOf(prepared, baseline));
    hasNotes = true;
    if (!baseline || !prepared.upgrade) return baseline;
    upgrades = new UpgradeSchedules(prepared, seed, baseline);
    const isFirst = plan.countsBaseline && !isCounted;
    const brokenUpgrade = await upgrades.runSimple(isFirst, report, currentTest());
    for (const note of upgrades.notes) if (!notes.includes(note)) notes.push(note);
    if (!brokenUpgrade) return baseline;
    const shown = baseline.usesRandom ? seed : 0;
    found?.add(shown);
    report.findings.push(await findingOf(brokenUpgrade.settings, brokenUpgrade.result, shown, plan));
    return undefined;
  };
  let hasNotes = false;
  let upgrades: UpgradeSchedules | undefined;
  let baseline = await begin(first);
  for (let seed = Math.max(1, first); baseline && seed <= last; seed += step) {
    if (found?.isBefore(seed)) return null;
    if (realNow() >= until) return seed;
    if (baseline.usesRandom && seed !== first) baseline = await begin(seed);
    if (!baseline) return null;
    const chosen = await upgrades?.choose(seed, faults);
    if (chosen?.type === "impossible") continue;
    if (chosen?.type === "broken") {
      report.findings.push(await findingOf(chosen.settings, chosen.result, seed, plan));
      found?.add(seed);
      return null;
    }
    const settings: RunSettings = chosen?.settings ?? { prepared, seed, faults, expected: baseline };
    const expected = settings.expected ?? baseline;
    const judged = async (runSettings: RunSettings): Promise<RunResult> => {
      const result = await execute(runSettings);
      return (await isExcused(runSettings, result)) ? { ...result, violation: undefined } : result;
    };
    let result = await execute(settings);
    if (result.counts.recreate > 0 && !expected.history && result.violation?.invariant === builtIn.convergence) {
      expected.history = await runHistory(settings, expected);
      result = await execute(settings);
    }
    tally(report, result);
    // An error of the server can be the consequence of a fault.
    if (result.scenarioError !== undefined && !(result.scenarioError instanceof ApiError)) {
      result.violation = { invariant: "the scenario succeeds", message: String(result.scenarioError) };
    }
    if (!result.violation || (await isExcused(settings, result))) continue;
    found?.add(seed);
    const shrunk = result.scenarioError === undefined ? await shrink(settings, result, judged) : result;
    const simple = (await upgrades?.simplify(settings, shrunk, judged)) ?? { settings, result: shrunk };
    report.findings.push(await findingOf(simple.settings, simple.result, seed, plan));
    return null;
  }
  return null;
}

/** Whether somebody has removed something by hand in a state in which the operator doesn't restore it. */
async function isExcused(settings: RunSettings, { violation, byHand }: RunResult): Promise<boolean> {
  const { expected } = settings;
  if (!violation || !expected || byHand.size === 0) return false;
  expected.unrestored ??= await findUnrestored(settings);
  const { unrestored } = expected;
  return [...byHand].some((one) => unrestored.has(one));
}

/**
 * Describes why a simulation may find little: reconciles fail even without faults, because an object is invalid on purpose or the
 * operator never works; the operator does nothing; or the user has no rule.
 */
function notesOf({ options }: Prepared, baseline: BaselineResult["baseline"]): string[] {
  if (!baseline) return [];
  const failures = new Map(baseline.failures.flatMap((failure) => [...failure]));
  const { file, test } = currentTest();
  const where = [file && basename(file), test].filter(Boolean).join(": ");
  const notes = [...failures].map(
    ([title, error]) => `even without faults, the reconcile of ${title} still fails: ${errorText(error)}`,
  );
  if (!baseline.isActive) {
    notes.push(
      "the operator writes nothing, so few faults matter; hint: let the scenario create objects that need its work",
    );
  }
  if (!options.invariants?.length) {
    notes.push(
      "the file contains no rule of yours; hint: add always(name, check) or eventually(name, check) to invariants",
    );
  }
  return notes.map((note) => `${where}: ${note}`);
}

function tally(report: SimulationReport, { counts, upgrades }: RunResult): void {
  report.schedules++;
  for (const name of upgrades ?? []) if (report.upgrades) report.upgrades[name]++;
  for (const name of faultNames) report.faults[name] += counts[name];
}

/** Describes a broken rule. If it is one of the user, the schedule runs again to find the event that broke it. */
async function findingOf(settings: RunSettings, result: RunResult, seed: number, { faults }: Plan): Promise<Finding> {
  const { invariant = builtIn.convergence, message = "" } = result.violation ?? {};
  const isOfUser = settings.prepared.options.invariants?.some(({ name }) => name === invariant) ?? false;
  const { decisions } = result;
  const { position } = isOfUser ? await execute({ ...settings, decisions, trace: invariant }) : result;
  const timeline = result.timeline.entries();
  return {
    ...currentTest(),
    invariant,
    message,
    seed,
    faults: faultNames.filter((name) => result.counts[name] > 0),
    ...upgradeOfFinding(settings, result),
    replay: replayOf(currentTest().file, seed, faults),
    position: position ?? positionOf(timeline, message),
    timeline,
  };
}

/** Returns how to repeat a schedule: it depends on the seed, on the faults of the command, and on the options in the file. */
function replayOf(file: string, seed: number, faults: readonly FaultName[] | undefined): string {
  if (file !== "" && !file.endsWith(suffix)) return `set seed: ${seed} in the options of simulate`;
  const flags = faults && seed > 0 ? ` --faults ${faults.join(",")}` : "";
  return `npx scaffold simulate --seed ${seed}${flags}${readSettings()?.flags ?? ""}`;
}
