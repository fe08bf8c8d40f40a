/**
 * Compares API versions by their priority, as API servers do: `v2` before `v1` before `v2beta1` before `v1alpha2`, then other
 * names in the order of the alphabet.
 *
 * @returns a negative number if `a` has the higher priority
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  if (!first || !second) return first ? -1 : second ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const index = first.findIndex((part, at) => part !== second[at]);
  return index < 0 ? 0 : (second[index] ?? 0) - (first[index] ?? 0);
}

const stages = ["alpha", "beta", ""];

/** Stage, major and minor version, each the higher the newer. */
function rankOf(version: string): readonly number[] | undefined {
  const [, major, stage = "", minor = "0"] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [stages.indexOf(stage), Number(major), Number(minor)];
}
