import { join } from "node:path";
import { storedReleases } from "../store.ts";
import { withLock } from "./lock.ts";
import { isWanted, releaseLine, type Wanted } from "./matching.ts";
import { removeRelease } from "./place.ts";
import type { UseOptions } from "./use.ts";

/** Removes the matching installed releases. Returns one line per release. */
export async function cleanup(options: Wanted & Pick<UseOptions, "store" | "progress" | "signal">): Promise<string[]> {
  const { store, progress, signal } = options;
  const matching = () => storedReleases(store).filter((release) => isWanted(options, release));
  if (matching().length === 0) return [];
  const waiting = () => progress.note("waiting for another setup-envtest to finish ...");
  return withLock(join(store, ".lock"), waiting, signal, async () =>
    matching().map((release) => {
      removeRelease(release.directory);
      return releaseLine("removed", release);
    }),
  );
}
