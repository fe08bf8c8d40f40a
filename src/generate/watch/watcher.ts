import { basename } from "node:path";
import { watch as chokidar, type FSWatcher } from "chokidar";
import { isSourceName } from "../source/paths.ts";
import { covers, type WatchedPaths } from "./watched-paths.ts";

/** Reports changes until it is closed. */
export interface Watcher {
  readonly watched: WatchedPaths;
  close(): Promise<void>;
}

/** chokidar ignores a file for 50 ms after a change. Reporting the change again after this time, in ms, covers that period. */
const lookAgain = 60;

export interface WatcherEvents {
  onChange(path: string): void;
  /** The system stopped watching, for example because there are too many directories. */
  onProblem(error: unknown): void;
}

/** Watches directories. Resolves when all further changes are detected. */
export async function openWatcher(watched: WatchedPaths, events: WatcherEvents): Promise<Watcher> {
  const { trees, directories } = watched;
  const watchers = [
    start(
      trees,
      { followSymlinks: false, ignored: (path, stats) => !wanted(trees, path, stats?.isFile() === true) },
      events,
    ),
    start(directories, { depth: 0 }, events),
  ];
  await Promise.all(watchers.map(({ ready }) => ready));
  return {
    watched,
    close: async () => {
      await Promise.all(watchers.map(({ watcher }) => watcher.close()));
    },
  };
}

function wanted(trees: readonly string[], path: string, isFile: boolean): boolean {
  return isFile ? isSourceName(basename(path)) : trees.some((tree) => covers(tree, path));
}

function start(
  paths: readonly string[],
  options: Parameters<typeof chokidar>[1],
  { onChange, onProblem }: WatcherEvents,
): { watcher: FSWatcher; ready: Promise<void> } {
  // The debouncer handles saves by renaming; chokidar's `atomic` option would add a delay.
  const watcher = chokidar([...paths], { ...options, ignoreInitial: true, atomic: false });
  let later: NodeJS.Timeout | undefined;
  watcher.on("all", (_event, path) => {
    onChange(path);
    clearTimeout(later);
    if (!watcher.closed) later = setTimeout(() => onChange(path), lookAgain);
  });
  watcher.on("error", onProblem);
  const ready = paths.length === 0 ? Promise.resolve() : new Promise<void>((resolve) => watcher.once("ready", resolve));
  return { watcher, ready };
}
