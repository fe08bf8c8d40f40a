import type { Baseline } from "./checks/run-checks.ts";
import { execute } from "./execute.ts";
import type { Prepared } from "./prepare.ts";
import { References } from "./references.ts";
import type { Finding, SimulationReport } from "./report/finding.ts";
import type { UpgradeChange } from "./report/upgrade-change.ts";
import { noUpgrades } from "./report/upgrade-variation.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import type { FaultName } from "./schedule/fault-names.ts";
import { SeededRandom } from "./schedule/random.ts";
import { upgradeChanges } from "./upgrade/upgrade-changes.ts";
import { drawPlan, simplePlans, simplerPlans, type UpgradePlan } from "./upgrade/upgrade-plan.ts";
import { newName, type Version } from "./upgrade/version.ts";

/** A run that breaks a rule, and its settings. */
interface Broken {
  readonly settings: RunSettings;
  readonly result: RunResult;
}

/** The schedule of a seed. */
export type Chosen =
  | { readonly type: "schedule"; readonly settings: RunSettings }
  | ({ readonly type: "broken" } & Broken)
  | { readonly type: "impossible" };

/** Stream of the random numbers that choose how a seed upgrades. */
const stream = 6;

/** Returns the parts of a report about upgrades before any has happened. */
export function emptyUpgradeReport(
  old: readonly Version[],
): Required<Pick<SimulationReport, "from" | "upgrades" | "changes">> {
  const from = old.map(({ name, kind, commit }) => ({ name, kind, ...(commit === undefined ? {} : { commit }) }));
  return { from, upgrades: noUpgrades(), changes: [] };
}

/** Describes how the operator was upgraded in the schedule of a finding. */
export function upgradeOfFinding(
  { prepared, upgrade }: RunSettings,
  { upgrades }: RunResult,
): Pick<Finding, "upgrade"> {
  if (!upgrade || !prepared.upgrade) return {};
  const { path, variations, point } = upgrade.plan;
  const { old } = prepared.upgrade;
  return {
    upgrade: {
      from: path.map((index) => (old[index] as Version).name),
      variations: variations.filter((name) => upgrades?.has(name)),
      point,
    },
  };
}

/** The schedules of a simulation with upgrades, for the scenario of one seed. */
export class UpgradeSchedules {
  /** Facts for users that break no rule. */
  readonly notes: string[] = [];
  readonly #prepared: Prepared;
  readonly #references: References;

  /**
   * @param prepared - the parts that all runs share
   * @param seed - the seed of the numbers of the scenario
   * @param plain - the run without faults of the new version alone
   */
  constructor(prepared: Prepared, seed: number, plain: Baseline) {
    this.#prepared = prepared;
    this.#references = new References(prepared, seed, plain);
  }

  /**
   * Runs the simplest upgrades without faults.
   *
   * @param isCounted - whether they count as schedules
   * @param report - receives the numbers and the changes
   * @param test - the test that runs
   * @returns the first run that breaks a rule
   */
  async runSimple(
    isCounted: boolean,
    report: SimulationReport,
    test: { file: string; test: string },
  ): Promise<Broken | undefined> {
    let broken: Broken | undefined;
    const surveyed = new Set<string>();
    for (const plan of simplePlans(this.#references.limits)) {
      const key = JSON.stringify([plan.path, plan.point]);
      if (!surveyed.has(key)) {
        surveyed.add(key);
        await this.#survey(plan, report, test);
      }
      if (broken) continue;
      const result = await this.#simple(plan);
      if (!result) continue;
      if (isCounted) {
        report.schedules++;
        for (const name of result.result.upgrades ?? []) if (report.upgrades) report.upgrades[name]++;
      }
      if (result.result.violation) broken = result;
    }
    return broken;
  }

  async #simple(plan: UpgradePlan): Promise<Broken | undefined> {
    const reference = await this.#references.of(plan);
    if (reference.type === "impossible") {
      const { path, point } = plan;
      const last = this.#prepared.upgrade?.old[path.at(-1) as number]?.name;
      const note = `the upgrade from ${last} at point ${point} can't be simulated: ${reference.reason}`;
      if (!this.notes.includes(note)) this.notes.push(note);
      return undefined;
    }
    if (reference.type === "broken") return this.#withPlan(reference, plan);
    const { stays, left, expected } = reference;
    const settings = this.#references.settingsOf({ plan, stays, left }, expected);
    return { settings, result: await execute(settings) };
  }

  /** Returns the run of a plan instead of that of its reference, if it breaks the same rule. */
  async #withPlan(reference: Broken, plan: UpgradePlan): Promise<Broken> {
    const { upgrade } = reference.settings;
    const settings = { ...reference.settings, upgrade: { ...upgrade, plan } };
    const result = await execute(settings);
    const isSame = result.violation?.invariant === reference.result.violation?.invariant;
    return isSame ? { settings, result } : { settings: reference.settings, result: reference.result };
  }

  /** Notes what an upgrade changes. */
  async #survey(plan: UpgradePlan, report: SimulationReport, test: { file: string; test: string }): Promise<void> {
    const { custom, upgrade } = this.#prepared;
    const { states } = await this.#references.survey(plan);
    const from = upgrade?.old[plan.path.at(-1) as number]?.name ?? "";
    const [before, after] = [states?.get(`${from} ${plan.point}`), states?.get(`${newName} ${plan.point}`)];
    if (!before || !after || !upgrade) return;
    const changes = upgradeChanges(before, after, { ...test, from, custom, allowed: upgrade.allowed });
    const keyOf = (change: UpgradeChange): string => JSON.stringify(change);
    const known = new Set(report.changes?.map(keyOf));
    report.changes?.push(...changes.filter((change) => !known.has(keyOf(change))));
  }

  /**
   * Chooses how a seed upgrades.
   *
   * @param seed - the seed
   * @param faults - the faults that may happen
   */
  async choose(seed: number, faults: readonly FaultName[]): Promise<Chosen> {
    const plan = drawPlan(new SeededRandom(seed, stream), this.#references.limits);
    const reference = await this.#references.of(plan);
    if (reference.type === "broken") return { type: "broken", ...(await this.#withPlan(reference, plan)) };
    if (reference.type === "impossible") return { type: "impossible" };
    const { stays, left, expected } = reference;
    const settings = { prepared: this.#prepared, seed, faults, expected, upgrade: { plan, stays, left } };
    return { type: "schedule", settings };
  }

  /**
   * Searches for a simpler upgrade that breaks the same rule.
   *
   * @param settings - the schedule
   * @param failed - its result
   * @param run - runs a schedule
   */
  async simplify(
    settings: RunSettings,
    failed: RunResult,
    run: (settings: RunSettings) => Promise<RunResult>,
  ): Promise<Broken> {
    let best: Broken = { settings, result: failed };
    for (let isShorter = true; isShorter; ) {
      isShorter = false;
      const { plan } = best.settings.upgrade as NonNullable<RunSettings["upgrade"]>;
      for (const simpler of simplerPlans(plan)) {
        const reference = await this.#references.of(simpler);
        if (reference.type !== "states") continue;
        const { stays, left, expected } = reference;
        const next = { ...settings, expected, upgrade: { plan: simpler, stays, left } };
        const result = await run({ ...next, decisions: best.result.decisions });
        if (result.violation?.invariant !== failed.violation?.invariant) continue;
        best = { settings: next, result };
        isShorter = true;
        break;
      }
    }
    return best;
  }
}
