import { isWanted, releaseLine } from "./matching.ts";
import { Problem } from "./problem.ts";
import { readIndex } from "./release-index.ts";
import { storedReleases } from "./store.ts";
import type { UseOptions } from "./use.ts";

/**
 * Returns one line per installed release and, unless only those are requested, per other release of the index. `*` matches
 * all systems and processors.
 */
export async function list(
  options: Pick<UseOptions, "store" | "os" | "arch" | "selector" | "installedOnly" | "index" | "progress" | "signal">,
): Promise<string[]> {
  const { selector } = options;
  const asked = (release: { version: string; os: string; arch: string }): boolean => isWanted(options, release);
  const lines = storedReleases(options.store)
    .filter(asked)
    .map((release) => releaseLine("installed", release));
  if (options.installedOnly || selector.onDisk) return lines;
  try {
    const archives = await readIndex(options.index, options.signal);
    return [...lines, ...archives.filter(asked).map((archive) => releaseLine("available", archive))];
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    options.progress.note(`setup-envtest: only installed releases are listed: ${error.message}`);
    return lines;
  }
}
