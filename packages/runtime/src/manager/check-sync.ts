import type { InformerCache } from "../cache/cache.ts";

/** @throws Error that names the kinds of caches that aren't filled */
export function checkSync(caches: Iterable<InformerCache>): void {
  const waiting = [...caches].filter(({ hasSynced }) => !hasSynced);
  if (waiting.length === 0) return;
  const kinds = waiting.flatMap((cache) => cache.unsynced());
  throw new Error(`not in sync: ${kinds.join(", ") || "not started"}`);
}
