import { basename } from "node:path";
import { watch as chokidar, type FSWatcher } from "chokidar";
import { isSourceName } from "../source/paths.ts";
import { covers, type Places } from "./places.ts";

/** Tells of changes until it is closed. */
export interface Watcher {
  readonly places: Places;
  close(): Promise<void>;
}

/** chokidar tells nothing of a file for 50 ms after it told of a change: what happens then is found by looking once more. */
const lookAgain = 60;

export interface WatcherEvents {
  onChange(path: string): void;
  /** The system watches no more, such as when there are too many directories. */
  onProblem(error: unknown): void;
}

/** Watches some places. Resolves when every change from now on is seen. */
export async function openWatcher(places: Places, events: WatcherEvents): Promise<Watcher> {
  const { trees, directories } = places;
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
    places,
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
  // Saves that are a rename are what the bell waits for; waiting for them here takes longer.
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
