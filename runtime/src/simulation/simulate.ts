import { appendFileSync } from "node:fs";
import { builtIn } from "./checks/settled.ts";
import { checkedFaults, type FaultName, faultNames } from "./faults/names.ts";
import { realNow } from "./globals.ts";
import type { SimulateOptions } from "./options.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { describeFinding, type Finding, type SimulationReport } from "./report/finding.ts";
import { type Baseline, isExpectedFailure, Run, type RunResult, type RunSettings } from "./run.ts";
import { noDecisions } from "./schedule/choices.ts";
import { type CommandSettings, currentTest, readSettings } from "./settings.ts";
import { shrink } from "./shrink.ts";

const defaultSeeds = 200;
/** Findings of a simulation. Further ones are mostly the same. */
const mostFindings = 1;

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
 *     await world.client.create(game("chess"));
 *     await world.settled();
 *     await world.client.delete(Game, key);
 *   },
 * });
 */
export async function simulate(options: SimulateOptions): Promise<SimulationReport> {
  const command = readSettings();
  const started = realNow();
  const prepared = prepare(options);
  const report: SimulationReport = { schedules: 0, seconds: 0, faults: emptyCounts(), findings: [] };
  try {
    await runSchedules(prepared, command, report);
  } finally {
    prepared.release();
    report.seconds = (realNow() - started) / 1000;
  }
  if (command) appendFileSync(command.report, `${JSON.stringify({ ...currentTest(), ...report })}\n`);
  const [finding] = report.findings;
  if (finding) throw new SimulationError(finding);
  return report;
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

async function runSchedules(
  prepared: Prepared,
  command: CommandSettings | undefined,
  report: SimulationReport,
): Promise<void> {
  const { options } = prepared;
  const only = command?.seed ?? options.seed;
  const first = only ?? command?.first ?? 1;
  const count = only !== undefined ? 1 : (command?.seeds ?? options.seeds ?? defaultSeeds);
  const chosen = command?.faults ? checkedFaults(command.faults) : prepared.faults;
  const faults = chosen.filter((name) => prepared.faults.includes(name));
  let baseline = await runBaseline(prepared, first, report);
  if (!baseline) return;
  for (let seed = first; seed < first + count; seed++) {
    if (seed === 0) continue;
    if (command?.until !== undefined && Date.now() >= command.until) return;
    if (baseline.usesRandom && seed !== first) baseline = (await runBaseline(prepared, seed, report)) ?? baseline;
    if (report.findings.length > 0) return;
    const settings: RunSettings = { prepared, seed, faults, expected: baseline };
    const result = await new Run(settings).execute();
    tally(report, result);
    if (result.scenarioError !== undefined && !isExpectedFailure(result.scenarioError)) {
      result.violation = { invariant: "the scenario succeeds", message: String(result.scenarioError) };
      report.findings.push(findingOf(seed, result));
    } else if (result.violation) {
      report.findings.push(findingOf(seed, await shrink(settings, result)));
    }
    if (report.findings.length >= mostFindings) return;
  }
}

/** Runs the scenario without faults. Returns undefined if that breaks a rule. */
async function runBaseline(
  prepared: Prepared,
  seed: number,
  report: SimulationReport,
): Promise<(Baseline & { usesRandom: boolean }) | undefined> {
  const result = await new Run({ prepared, seed, faults: [], decisions: noDecisions }).execute();
  tally(report, result);
  if (result.scenarioError !== undefined) throw result.scenarioError;
  if (!result.violation) return result;
  report.findings.push(findingOf(result.usesRandom ? seed : 0, result));
  return undefined;
}

function tally(report: SimulationReport, { counts }: RunResult): void {
  report.schedules++;
  for (const name of faultNames) report.faults[name] += counts[name];
}

function findingOf(seed: number, { violation, counts, timeline }: RunResult): Finding {
  return {
    ...currentTest(),
    invariant: violation?.invariant ?? builtIn.convergence,
    message: violation?.message ?? "",
    seed,
    faults: faultNames.filter((name) => counts[name] > 0),
    timeline: timeline.entries(),
  };
}

function emptyCounts(): Record<FaultName, number> {
  return Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<FaultName, number>;
}
