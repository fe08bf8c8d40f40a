/** Files whose changes can change manifests or the bundle: also those that package managers write after an installation. */
const codeFile = /(?:\.[cm]?[jt]sx?|\.json)$|^(?:PROJECT|Makefile)$|(?:^|\/)node_modules\//;
const sourceFile = /\.[cm]?[jt]sx?$/;
/** Files that programs read at their start only, and those that change with the packages that bundles don't contain. */
const startFile = /^\.env(?:\.[^/]+)?$|(?:^|\/)node_modules\//;

/** Whether a change of a file can change manifests or the bundle. */
export function isCode(file: string): boolean {
  return codeFile.test(file);
}

/** Whether programs read a file at their start only. */
export function isReadAtStart(file: string): boolean {
  return startFile.test(file);
}

/** Whether a change of a file can change which files others import, as of package.json. */
export function isSettings(file: string): boolean {
  return startFile.test(file) || (codeFile.test(file) && !sourceFile.test(file));
}

/** Requests of a person, besides the work for changed files. */
export interface Demands {
  readonly restart: boolean;
  readonly generate: boolean;
  readonly samples: boolean;
}

/** The next work of a session. */
export interface Work {
  /** Changed files, relative to the project. */
  readonly files: readonly string[];
  readonly demands: Demands;
  /** The time of the first change or demand, by `performance.now()`. */
  readonly since: number;
}

const none: Demands = { restart: false, generate: false, samples: false };

/** Collects the work that the session hasn't begun. */
export class PendingWork {
  readonly #files = new Set<string>();
  #demands = none;
  #since = 0;
  #wake: () => void = () => {};

  get isEmpty(): boolean {
    return this.#files.size === 0 && !Object.values(this.#demands).includes(true);
  }

  /** Whether files have changed since the work was taken. */
  get hasFiles(): boolean {
    return this.#files.size > 0;
  }

  /** Adds work, and ends the wait for it. */
  add({
    files = [],
    demands = {},
    since,
  }: {
    files?: readonly string[];
    demands?: Partial<Demands>;
    since: number;
  }): void {
    if (this.#files.size === 0) this.#since = since;
    for (const file of files) this.#files.add(file);
    this.#demands = { ...this.#demands, ...demands };
    this.#wake();
  }

  /** Returns the work, which then isn't pending any longer. */
  take(): Work {
    const work = { files: [...this.#files].sort(), demands: this.#demands, since: this.#since };
    this.#files.clear();
    this.#demands = none;
    return work;
  }

  /** Makes work pending again, together with what was added meanwhile. */
  putBack({ files, demands, since }: Work): void {
    for (const file of files) this.#files.add(file);
    const requested = Object.entries(demands).filter(([, isRequested]) => isRequested);
    this.#demands = { ...this.#demands, ...Object.fromEntries(requested) };
    this.#since = since;
  }

  /** Resolves when work is added, or when {@link wake} is called. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }
}
