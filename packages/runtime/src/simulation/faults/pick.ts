import type { KubernetesObject } from "../../api/index.ts";
import { titleOf } from "../world/state.ts";

/** Returns the candidate of a variant. Undefined without candidates. */
export function pick<T>(candidates: readonly T[], variant: number): T | undefined {
  return candidates[(variant - 1) % Math.max(1, candidates.length)];
}

/** Names an object as findings and timelines show it. */
export function title({ kind = "", metadata }: KubernetesObject): string {
  return titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
}
