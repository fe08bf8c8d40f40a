import type { CheckedVersions } from "./checks/run-checks.ts";
import type { DrivenUpgrade } from "./driver.ts";
import { builtIn, ofUpgrade, type Violation } from "./report/verdict.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import type { ObjectsById } from "./upgrade/upgrade-checks.ts";
import { UpgradeChecks } from "./upgrade/upgrade-checks.ts";
import { UpgradeRun } from "./upgrade/upgrade-run.ts";
import { newName, type Version } from "./upgrade/version.ts";
import type { OperatorProcess } from "./world/process.ts";
import type { RunWorld } from "./world/run-world.ts";

/** Broken rules after which the state before an upgrade isn't the one that the old version should reach. */
const decisive: ReadonlySet<string> = new Set([
  builtIn.convergence,
  builtIn.failures,
  builtIn.storms,
  builtIn.time,
  builtIn.finalizers,
  builtIn.orphans,
  builtIn.orphaned,
  builtIn.lost,
  builtIn.rejections,
]);
/** Broken rules with which a run can't continue. */
const unending: ReadonlySet<string> = new Set([builtIn.storms, builtIn.time]);
/** Broken rules that mean that the old version doesn't work after a rollback. */
const afterRollback: ReadonlySet<string> = new Set([
  builtIn.failures,
  builtIn.finalizers,
  builtIn.storms,
  builtIn.time,
  builtIn.rejections,
]);

/** The upgrade of one run: its versions and its checks. */
export class RunOfUpgrade {
  readonly created: OperatorProcess[] = [];
  readonly #settings: RunSettings;
  readonly #world: RunWorld;
  readonly #processes: OperatorProcess[];
  readonly #states = new Map<string, ObjectsById>();
  #run: UpgradeRun | undefined;
  #checks: UpgradeChecks | undefined;

  /**
   * @param settings - the schedule, with an upgrade
   * @param world - the run
   * @param processes - the processes that run
   */
  constructor(settings: RunSettings, world: RunWorld, processes: OperatorProcess[]) {
    this.#settings = settings;
    this.#world = world;
    this.#processes = processes;
    world.verdict.judge = (violation) => this.#judge(violation);
  }

  /** Whether two versions run at the same time. */
  get overlaps(): boolean {
    return this.#settings.upgrade?.plan.variations.includes("overlap") ?? false;
  }

  /** The versions, as the checks of the run see them. */
  get versions(): CheckedVersions {
    const upgrade = (): UpgradeRun => this.#run as UpgradeRun;
    const { plain, stays } = this.#settings.upgrade ?? {};
    return {
      get label() {
        return upgrade().label;
      },
      get isBack() {
        return upgrade().stage === "back";
      },
      get plainFailures() {
        const { stage, settles } = upgrade();
        return stage === "new" ? plain?.failures[settles - 1] : undefined;
      },
      stays,
    };
  }

  /**
   * Begins with the first version.
   *
   * @param create - creates the processes of a version
   * @returns its processes
   */
  begin(create: (version: Version) => OperatorProcess[]): OperatorProcess[] {
    const { prepared, upgrade } = this.#settings;
    const { old, next, allowed } = prepared.upgrade as NonNullable<typeof prepared.upgrade>;
    const { plan, stays, left = new Set<string>() } = upgrade as NonNullable<typeof upgrade>;
    const byVersion = new Map<string, OperatorProcess[]>();
    const processesOf = (version: Version): OperatorProcess[] => {
      const known = byVersion.get(version.name);
      if (known) return known;
      const made = create(version);
      byVersion.set(version.name, made);
      this.created.push(...made);
      for (const process of made) process.onSend = (...sent) => this.#onSend(...sent);
      return made;
    };
    const parts = { world: this.#world, plan, old, next, processes: this.#processes, create: processesOf };
    const run = new UpgradeRun(parts);
    this.#run = run;
    this.#checks = new UpgradeChecks({
      world: this.#world,
      upgrade: run,
      processes: this.#processes,
      allowed,
      reached: stays?.states?.get(`${run.last.name} ${plan.point}`),
      left,
      recordsOwners: this.#settings.owners ?? prepared.appliesObjects,
    });
    run.observe();
    return processesOf(run.current);
  }

  #onSend(process: OperatorProcess, { query = {}, contentType = "", path }: Sent): void {
    const isApply = contentType.includes("apply");
    const manager = isApply && typeof query.fieldManager === "string" ? query.fieldManager : undefined;
    this.#checks?.onSend(process, manager, path.split("/").slice(-2).join(" "));
  }

  /** The parts that the driver uses. */
  get driven(): DrivenUpgrade | undefined {
    if (!this.#run || !this.#checks) return undefined;
    const { state } = this.#world;
    const note = (label: string): void => void this.#states.set(label, new Map(state.objects));
    return { run: this.#run, checks: this.#checks, note };
  }

  /** The results of the run about the upgrade. */
  get results(): Pick<RunResult, "states" | "upgrades" | "isUpgraded"> {
    const { happened = new Set<never>(), stage } = this.#run ?? {};
    return { states: this.#states, upgrades: happened, isUpgraded: stage !== "old" };
  }

  #judge(violation: Violation): Violation | "end" | "ignore" {
    const { invariant } = violation;
    if (this.#world.usage.needs !== undefined) return "end";
    if (this.#settings.upgrade?.isSurvey) return unending.has(invariant) ? "end" : "ignore";
    const { stage, isOverlapping, last } = this.#run as UpgradeRun;
    if (stage === "new") {
      // The name of the rule is better than that of the check for one version.
      return invariant === builtIn.writers && isOverlapping ? { ...violation, invariant: ofUpgrade.fight } : violation;
    }
    if (invariant === ofUpgrade.definitions || invariant === ofUpgrade.rollback) return violation;
    if (stage === "back") {
      if (!afterRollback.has(invariant)) return "ignore";
      const message = `${last.name} doesn't work after the rollback from ${newName}: ${violation.message}`;
      return { invariant: ofUpgrade.rollback, message };
    }
    const set = this.#settings.expected ? decisive : unending;
    return set.has(invariant) ? "end" : "ignore";
  }
}

type Sent = Parameters<NonNullable<OperatorProcess["onSend"]>>[1];
