import { allLimits, type Limit, type LimitKeyword, type Limits } from "../../kubernetes/limits.ts";

/** Returns one sentence per limit that is stricter than before. */
export function narrowedLimits(before: Limits, after: Limits): string[] {
  return allLimits.flatMap(([keyword, limit]) => narrowed(keyword, limit, before, after) ?? []);
}

function narrowed(keyword: LimitKeyword, limit: Limit, before: Limits, after: Limits): string | undefined {
  const [old, now] = [before[keyword], after[keyword]];
  if (typeof now === "boolean") {
    if (!now || old === true) return undefined;
    const { excludes } = limit;
    if (excludes === undefined) return `${keyword} is new`;
    const bound = after[excludes];
    // If the bound itself changed, another message reports it.
    return bound !== undefined && bound === before[excludes] ? `${excludes} ${bound} is now exclusive` : undefined;
  }
  if (now === undefined || typeof old === "boolean" || !isStricter(limit, old, now)) return undefined;
  return old === undefined ? `${keyword} ${now} is new` : `${keyword} was ${old} and is ${now}`;
}

type Value = number | bigint;

function isStricter({ bound, unit, isStricter: rule }: Limit, old: Value | undefined, now: Value): boolean {
  if (rule) return rule(old === undefined ? undefined : Number(old), Number(now));
  if (bound === "most") return old === undefined || now < old;
  // A size is at least 0 without a limit.
  return now > (old ?? (unit === undefined ? Number.NEGATIVE_INFINITY : 0));
}
