import { existsSync, statSync, unwatchFile, watchFile } from "node:fs";
import { join, relative, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { installations, installedIn } from "./installation.ts";
import { LinkedFiles } from "./linked-files.ts";

/** Time in milliseconds without a further change after which a batch is complete, and the limit of this wait. */
const quiet = 25;
const longest = 250;

/**
 * Time in milliseconds after a batch until its files are compared again: the watcher ignores changes of a file within 50 ms after
 * one, such as those of a formatter that runs on each save.
 */
const recheckTime = 60;

/** Milliseconds between two checks whether an installation of packages has ended. */
const installTime = 1000;

const ignoredNames = new Set(["node_modules", ".git", "dist", "coverage", ".kubewright", ".idea", ".vscode"]);
/** Files of editors, compilers and logs. */
const ignoredFiles =
  /^\.#|(?:\.tmp|\.swp|\.swx|\.kate-swp|~|#|___jb_tmp___|___jb_old___|\.tsbuildinfo|\.log|4913|\.kubeconfig)$/;

/** Collects the changed files of a project in batches. */
export class ProjectWatcher {
  readonly #root: string;
  readonly #onChange: (files: readonly string[], since: number) => void;
  readonly #onProblem: (message: string) => void;
  /** The changed files, and whether each is new. */
  readonly #changed = new Map<string, boolean>();
  /** Files that existed only for a moment, until the event of their removal. They aren't reported, nor that they are removed. */
  readonly #brief = new Set<string>();
  #watcher: FSWatcher | undefined;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #rechecks = new Set<NodeJS.Timeout>();
  readonly #linked = new LinkedFiles((path) => this.#add(path));
  /** The files that package managers write. */
  readonly #installations: readonly string[];

  /**
   * @param onChange - called with paths relative to the project, and the time of the first change
   * @param onProblem - called once if changes of some files can't be noticed
   */
  constructor(
    root: string,
    onChange: (files: readonly string[], since: number) => void,
    onProblem: (message: string) => void = () => undefined,
  ) {
    this.#root = root;
    this.#onChange = onChange;
    this.#onProblem = onProblem;
    const home = installedIn(root);
    this.#installations = installations.map((file) => join(home, file));
  }

  /** Watches those files of the bundle that other packages of the workspace contain. */
  follow(inputs: readonly string[]): void {
    const isLinked = (path: string) =>
      this.#relative(path).startsWith("../") && !path.split(sep).includes("node_modules");
    this.#linked.set(inputs.filter((path) => isLinked(path) && existsSync(path)));
  }

  /**
   * Starts to watch. Resolves when all further changes are detected.
   *
   * @param open - opens the watcher of the project
   */
  async start(open: typeof watch = watch): Promise<void> {
    const watcher = open(this.#root, {
      ignoreInitial: true,
      ignored: (path) => this.#isIgnored(path),
      followSymlinks: false,
    });
    this.#watcher = watcher;
    watcher.on("all", (event, path) => {
      if (event === "unlink" && this.#forgetBrief(this.#relative(path))) return;
      if (event === "add" || event === "change" || event === "unlink") this.#add(path, event === "add");
    });
    let hasFailed = false;
    watcher.on("error", (error) => {
      if (!hasFailed) this.#onProblem(watchProblem(error as NodeJS.ErrnoException));
      hasFailed = true;
    });
    for (const path of this.#installations) {
      let isMissing = false;
      watchFile(path, { interval: installTime, persistent: false }, ({ mtimeMs, ino }, before) => {
        // The state before is the last one of an existing file.
        const hasChanged = isMissing || mtimeMs !== before.mtimeMs || ino !== before.ino;
        // It is missing during an installation.
        isMissing = mtimeMs === 0;
        if (!isMissing && hasChanged) this.#add(path);
      });
    }
    await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const timer of this.#rechecks) clearTimeout(timer);
    for (const path of this.#installations) unwatchFile(path);
    this.#linked.close();
    await this.#watcher?.close();
  }

  #isIgnored(path: string): boolean {
    const names = this.#relative(path).split("/");
    return names.some((name) => ignoredNames.has(name)) || ignoredFiles.test(names.at(-1) ?? "");
  }

  /** Forgets a removed file that existed only for a moment. Returns whether it did. */
  #forgetBrief(file: string): boolean {
    if (this.#changed.get(file)) return this.#changed.delete(file);
    return this.#brief.delete(file);
  }

  #add(path: string, isNew = false): void {
    const now = performance.now();
    if (this.#changed.size === 0) this.#since = now;
    const file = this.#relative(path);
    this.#brief.delete(file);
    this.#changed.set(file, this.#changed.get(file) ?? isNew);
    clearTimeout(this.#timer);
    const left = this.#since + longest - now;
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, Math.min(quiet, left)));
  }

  #flush(): void {
    const all = [...this.#changed.keys()].sort();
    // Such as the temporary file of sed -i.
    const brief = all.filter((file) => this.#changed.get(file) && !existsSync(join(this.#root, file)));
    for (const file of brief) this.#brief.add(file);
    const files = all.filter((file) => !this.#brief.has(file));
    this.#changed.clear();
    const watched = all.filter((file) => !this.#installations.includes(join(this.#root, file)));
    const states = new Map(watched.map((file) => [file, stateOf(join(this.#root, file))]));
    const timer = setTimeout(() => {
      this.#rechecks.delete(timer);
      for (const [file, state] of states) {
        const path = join(this.#root, file);
        if (stateOf(path) !== state) this.#add(path);
      }
    }, recheckTime);
    this.#rechecks.add(timer);
    if (files.length > 0) this.#onChange(files, this.#since);
  }

  #relative(path: string): string {
    return relative(this.#root, path).split(sep).join("/");
  }
}

function watchProblem({ code, message }: NodeJS.ErrnoException): string {
  const limit = code === "ENOSPC" ? "fs.inotify.max_user_watches" : "fs.inotify.max_user_instances, or ulimit -n";
  const hint = code === "ENOSPC" || code === "EMFILE" ? `: raise ${limit}` : "";
  return `some changes won't be noticed, press r after them: ${message}${hint}`;
}

/** Identifies the content of a file. */
function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : "";
}
