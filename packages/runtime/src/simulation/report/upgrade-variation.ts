/** The name of a way in which an upgrade happens. */
export type UpgradeVariation =
  | "replace"
  | "overlap"
  | "busy"
  | "interrupt"
  | "rollback"
  | "skip"
  | "crds-first"
  | "crds-last"
  | "crds-back"
  | "crds-kept";

/** The ways in which upgrades happen. */
export const upgradeVariations: readonly UpgradeVariation[] = [
  "replace",
  "overlap",
  "busy",
  "interrupt",
  "rollback",
  "skip",
  "crds-first",
  "crds-last",
  "crds-back",
  "crds-kept",
];

/** The variations that happen without the option: `crds-kept` depends on how users install the operator. */
export const usualVariations: readonly UpgradeVariation[] = upgradeVariations.filter((name) => name !== "crds-kept");

/**
 * Checks the names of variations.
 *
 * @param names - the names
 * @returns the names
 * @throws Error for an unknown one, and for an empty list
 */
export function checkedVariations(names: readonly string[]): UpgradeVariation[] {
  if (names.length === 0) throw new Error("upgrade.variations: must contain at least one variation");
  for (const name of names) {
    if ((upgradeVariations as readonly string[]).includes(name)) continue;
    throw new Error(`variation ${JSON.stringify(name)}: must be one of ${upgradeVariations.join(", ")}`);
  }
  return [...new Set(names as UpgradeVariation[])];
}

/** Counts of variations before any has happened. */
export function noUpgrades(): Record<UpgradeVariation, number> {
  return Object.fromEntries(upgradeVariations.map((name) => [name, 0])) as Record<UpgradeVariation, number>;
}
