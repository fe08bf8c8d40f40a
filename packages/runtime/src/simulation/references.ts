import { collectionsOf, withoutLogs } from "./checks/external.ts";
import type { Baseline } from "./checks/run-checks.ts";
import { both, noVariation, type Snapshot, type Varying, variation } from "./checks/snapshot.ts";
import { execute } from "./execute.ts";
import type { Prepared } from "./prepare.ts";
import { deleteChildren, type Probed } from "./probes.ts";
import type { RunResult, RunSettings, UpgradeSettings } from "./run-settings.ts";
import { noDecisions } from "./schedule/choices.ts";
import { keyOfPlan, type PlanLimits, plainPlan, stayingPlan, type UpgradePlan } from "./upgrade/upgrade-plan.ts";
import { changesDefinitions, electsLeader, newName } from "./upgrade/version.ts";

/** Other random numbers, names and times than those of the first run without faults. */
const otherNature = 1_000_003;

/** A run without faults with which schedules are compared, or the rule that it breaks. */
export type Reference =
  | {
      readonly type: "states";
      readonly expected: Baseline;
      readonly stays: RunResult;
      readonly left: ReadonlySet<string>;
    }
  | { readonly type: "broken"; readonly settings: RunSettings; readonly result: RunResult }
  | { readonly type: "impossible"; readonly reason: string };

/** The runs without faults of a simulation with upgrades. Each one runs once. */
export class References {
  readonly limits: PlanLimits;
  readonly #prepared: Prepared;
  readonly #seed: number;
  readonly #plain: Baseline;
  readonly #references = new Map<string, Promise<Reference>>();
  readonly #stays = new Map<string, Promise<RunResult>>();
  readonly #left = new Map<string, Promise<ReadonlySet<string>>>();

  /**
   * @param prepared - the parts that all runs share
   * @param seed - the seed of the numbers of the scenario
   * @param plain - the run of the new version alone
   */
  constructor(prepared: Prepared, seed: number, plain: Baseline) {
    this.#prepared = prepared;
    this.#seed = seed;
    this.#plain = plain;
    const { old, next, variations } = prepared.upgrade as NonNullable<Prepared["upgrade"]>;
    const versions = [...old, next];
    this.limits = {
      versions: old.length,
      points: Math.max(1, plain.snapshots.length - 1),
      allowed: variations,
      changesCrds: versions.some((version) => changesDefinitions(version, next) || changesDefinitions(next, version)),
      canOverlap: electsLeader(prepared) !== false,
    };
  }

  /** Returns the run with which the schedules of a plan are compared. */
  of(plan: UpgradePlan): Promise<Reference> {
    const plain = plainPlan(plan);
    return cached(this.#references, keyOfPlan(plain), () => this.#reference(plain));
  }

  /** Returns a run without faults in which broken rules don't end the upgrade. */
  survey(plan: UpgradePlan): Promise<RunResult> {
    return this.#run({ plan: plainPlan(plan), isSurvey: true });
  }

  /** Returns the settings of a run without faults that is compared with its reference. */
  settingsOf(upgrade: UpgradeSettings, expected?: Baseline): RunSettings {
    return {
      prepared: this.#prepared,
      seed: this.#seed,
      nature: 0,
      faults: [],
      decisions: noDecisions,
      upgrade,
      ...(expected ? { expected } : {}),
    };
  }

  async #reference(plan: UpgradePlan): Promise<Reference> {
    const stays = await cached(this.#stays, keyOfPlan(stayingPlan(plan)), () => this.#run({ plan: stayingPlan(plan) }));
    const problem = problemOf(stays);
    if (problem !== undefined) return { type: "impossible", reason: problem };
    const key = JSON.stringify([plan.path, plan.point]);
    const left = await cached(this.#left, key, () => this.#leftBehind(plan));
    const upgrade = { plan, stays, left, plain: this.#plain };
    const first = await execute(this.settingsOf(upgrade));
    if (first.violation) return { type: "broken", settings: this.settingsOf(upgrade), result: first };
    const failed = problemOf(first);
    if (failed !== undefined || !first.isUpgraded) {
      return { type: "impossible", reason: failed ?? "the old version doesn't settle" };
    }
    const second = await this.#run(upgrade, otherNature);
    const initial = collectionsOf(this.#prepared.newSystems());
    const byNature =
      second.snapshots.length === first.snapshots.length
        ? withoutLogs(variation(first.snapshots, second.snapshots), initial, first.snapshots)
        : noVariation;
    const varying = both(byNature, await this.#byAge(plan, first));
    const { probed, learned } = this.#plain;
    const expected: Baseline = { ...first, varying, learned, ...(probed ? { probed } : {}) };
    return { type: "states", expected, stays, left };
  }

  /**
   * Returns what differs between objects of the old version and those that the new one creates: an operator can leave the old ones
   * as they are. If somebody deletes one, or the old version hasn't created it yet, the new version creates it.
   */
  async #byAge(plan: UpgradePlan, { snapshots, labels = [] }: Baseline): Promise<Varying> {
    const pairs = labels.flatMap((label, index) => {
      const [version, number] = label.split(" ");
      const plain = version === newName ? this.#plain.snapshots[Number(number) - 1] : undefined;
      return plain ? [[snapshots[index] as Snapshot, plain] as const] : [];
    });
    const own = variation(
      pairs.map(([upgraded]) => upgraded),
      pairs.map(([, plain]) => plain),
    );
    if (!plan.variations.includes("busy")) return own;
    const settled = await this.of({ ...plan, variations: plan.variations.filter((name) => name !== "busy") });
    return settled.type === "states" ? both(own, settled.expected.varying) : own;
  }

  #run(upgrade: UpgradeSettings, nature = 0): Promise<RunResult> {
    return execute({ ...this.settingsOf(upgrade), nature });
  }

  /** Finds out which children the old version restores, and the new one neither restores nor deletes. */
  async #leftBehind(plan: UpgradePlan): Promise<ReadonlySet<string>> {
    const { old } = this.#prepared.upgrade as NonNullable<Prepared["upgrade"]>;
    const last = old[plan.path.at(-1) as number]?.name;
    const restoredBy = async (chosen: UpgradePlan, label: string): Promise<Map<string, boolean>> => {
      const restored = new Map<string, boolean>();
      const probe = async (probed: Probed): Promise<void> => {
        if (probed.label === label && restored.size === 0) await deleteChildren(probed, restored);
      };
      await execute({ ...this.settingsOf({ plan: chosen, isSurvey: true }), probe });
      return restored;
    };
    const byOld = await restoredBy(stayingPlan(plan), `${last} ${plan.point}`);
    if (![...byOld.values()].includes(true)) return new Set();
    const plain = plainPlan({ ...plan, variations: plan.variations.filter((name) => name !== "busy") });
    const byNew = await restoredBy(plain, `${newName} ${plan.point}`);
    return new Set([...byOld].filter(([id, isRestored]) => isRestored && byNew.get(id) === false).map(([id]) => id));
  }
}

function problemOf({ scenarioError }: RunResult): string | undefined {
  return scenarioError === undefined ? undefined : String(scenarioError);
}

function cached<T>(cache: Map<string, Promise<T>>, key: string, create: () => Promise<T>): Promise<T> {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}
