import type { UpgradeVariation } from "../report/upgrade-variation.ts";
import type { SeededRandom } from "../schedule/random.ts";

/** How one schedule upgrades. */
export interface UpgradePlan {
  /** The old versions that run one after another, as indexes in the order of the options. */
  readonly path: readonly number[];
  /** The number of the call of `world.settled()` at which the upgrade happens, from 1. */
  readonly point: number;
  readonly variations: readonly UpgradeVariation[];
  /** Virtual time in milliseconds for which both versions run. */
  readonly overlapFor: number;
  /** Number of steps that the old version works before a busy upgrade. */
  readonly busyAfter: number;
  /** Number of the write of the new version after which it ends. */
  readonly interruptAfter: number;
  /** Whether the old version continues after the interruption, and the upgrade is repeated. */
  readonly repeats: boolean;
  /** Number of the write of the new version after which the old one takes over again; 0 when the new one has settled. */
  readonly rollbackAfter: number;
  /** Virtual time in milliseconds after which the CRDs change. */
  readonly crdsAfter: number;
  /** Whether the last old version stays. */
  readonly stays: boolean;
}

/** Which plans are possible. */
export interface PlanLimits {
  /** Number of old versions. */
  readonly versions: number;
  /** Number of calls of `world.settled()`. */
  readonly points: number;
  readonly allowed: readonly UpgradeVariation[];
  /** Whether the CRDs of the versions differ. */
  readonly changesCrds: boolean;
  /** Whether two versions can run at once. */
  readonly canOverlap: boolean;
}

const overlapTimes = [1000, 5000, 20_000, 60_000] as const;
const crdTimes = [500, 5000, 60_000] as const;
/** How likely each additional variation is. */
const likelihood = 0.3;

const first: Omit<UpgradePlan, "path" | "point" | "variations"> = {
  overlapFor: overlapTimes[2],
  busyAfter: 6,
  interruptAfter: 1,
  repeats: false,
  rollbackAfter: 0,
  crdsAfter: crdTimes[1],
  stays: false,
};

function can({ allowed, changesCrds, canOverlap, versions }: PlanLimits, name: UpgradeVariation): boolean {
  if (!allowed.includes(name)) return false;
  if (name.startsWith("crds-") && !changesCrds) return false;
  if (name === "crds-back") return allowed.includes("rollback");
  if (name === "skip") return versions > 1;
  return name !== "overlap" || canOverlap;
}

/** Returns the variation of a group that happens by default. Without one in the options, it happens, but has no name. */
function usual(limits: PlanLimits, ...names: UpgradeVariation[]): UpgradeVariation[] {
  return names.filter((name) => can(limits, name)).slice(0, 1);
}

const takeovers = ["replace", "overlap"] as const;
const crdChanges = ["crds-first", "crds-last", "crds-kept"] as const;

/**
 * Returns the plans that run without faults: each old version is upgraded at each point in the simplest way, then each variation
 * happens alone.
 *
 * @param limits - which plans are possible
 */
export function simplePlans(limits: PlanLimits): UpgradePlan[] {
  const takeover = usual(limits, ...takeovers);
  const crds = usual(limits, ...crdChanges);
  const paths = pathsOf(limits);
  const points = Array.from({ length: limits.points }, (_, index) => index + 1);
  const plans: UpgradePlan[] = [];
  for (const path of paths) {
    for (const point of points) {
      const skips: UpgradeVariation[] = path.length < limits.versions ? ["skip"] : [];
      const add = (names: readonly UpgradeVariation[], more: Partial<UpgradePlan> = {}): void => {
        plans.push({ ...first, path, point, variations: [...names, ...skips], ...more });
      };
      add([...takeover, ...crds]);
      for (const name of takeovers) if (can(limits, name) && !takeover.includes(name)) add([name, ...crds]);
      for (const name of crdChanges) if (can(limits, name) && !crds.includes(name)) add([...takeover, name]);
      if (can(limits, "rollback")) add([...takeover, ...crds, "rollback"]);
      if (can(limits, "crds-back")) add([...takeover, ...crds, "rollback", "crds-back"]);
      if (can(limits, "interrupt")) {
        for (const repeats of [false, true]) add([...takeover, ...crds, "interrupt"], { repeats });
      }
      if (can(limits, "busy")) add([...takeover, ...crds, "busy"]);
    }
  }
  return plans;
}

/** Returns the chains of old versions: all of them, and with `skip` each one alone. */
function pathsOf(limits: PlanLimits): number[][] {
  const all = Array.from({ length: limits.versions }, (_, index) => index);
  return can(limits, "skip") ? [all, ...all.map((index) => [index])] : [all];
}

/**
 * Chooses how a schedule upgrades.
 *
 * @param random - the random numbers of the seed
 * @param limits - which plans are possible
 */
export function drawPlan(random: SeededRandom, limits: PlanLimits): UpgradePlan {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const takes = (name: UpgradeVariation, probability = likelihood): boolean =>
    random.next() < probability && can(limits, name);
  const oneOf = (names: readonly UpgradeVariation[]): UpgradeVariation[] => {
    const possible = names.filter((name) => can(limits, name));
    const chosen = random.below(Math.max(1, possible.length));
    return possible.slice(chosen, chosen + 1);
  };
  const all = Array.from({ length: limits.versions }, (_, index) => index);
  const isSkipping = takes("skip", 0.5);
  const kept = all.filter(() => random.next() < 0.5);
  const single = pick(all);
  const path = !isSkipping ? all : kept.length === 0 || kept.length === all.length ? [single] : kept;
  const variations: UpgradeVariation[] = [...oneOf(takeovers), ...oneOf(crdChanges)];
  for (const name of ["busy", "interrupt", "rollback"] as const) if (takes(name)) variations.push(name);
  const isBack = takes("crds-back", 0.5);
  if (isBack && variations.includes("rollback") && !variations.includes("crds-kept")) variations.push("crds-back");
  if (isSkipping) variations.push("skip");
  return {
    ...first,
    path,
    point: 1 + random.below(Math.max(1, limits.points)),
    variations,
    overlapFor: pick(overlapTimes),
    busyAfter: 1 + random.below(30),
    interruptAfter: 1 + random.below(4),
    repeats: random.next() < 0.5,
    rollbackAfter: random.next() < 0.5 ? 0 : 1 + random.below(4),
    crdsAfter: pick(crdTimes),
  };
}

/**
 * Returns the plan of the run without faults with which a schedule is compared. Neither a second process, an interruption nor a
 * rollback changes what the new version must reach.
 */
export function plainPlan({ path, point, variations, crdsAfter }: UpgradePlan): UpgradePlan {
  const plain = variations.filter((name) => name === "busy" || name.startsWith("crds-") || name === "skip");
  return { ...first, path, point, variations: plain.filter((name) => name !== "crds-back"), crdsAfter };
}

/** Returns the plan without the last upgrade: the old version stays. */
export function stayingPlan({ path, point }: UpgradePlan): UpgradePlan {
  return { ...first, path, point, variations: [], stays: true };
}

/** Identifies a plan. */
export function keyOfPlan(plan: UpgradePlan): string {
  return JSON.stringify(plan);
}

/** Returns the plans that are simpler than one by a variation, which a finding may not need. */
export function simplerPlans(plan: UpgradePlan): UpgradePlan[] {
  const without = (...names: UpgradeVariation[]): UpgradePlan => ({
    ...plan,
    variations: plan.variations.filter((name) => !names.includes(name)),
  });
  const has = (name: UpgradeVariation): boolean => plan.variations.includes(name);
  return [
    ...(has("rollback") ? [without("rollback", "crds-back")] : []),
    ...(has("crds-back") ? [without("crds-back")] : []),
    ...(has("interrupt") ? [without("interrupt")] : []),
    ...(has("busy") ? [without("busy")] : []),
  ];
}
