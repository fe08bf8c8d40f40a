import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The state while a package manager replaces the packages. */
export const installing = {
  phase: "bundle",
  message: "packages are missing in node_modules: changes take effect when they are installed",
  hint: "if no installation runs, start one: npm install",
} as const;

/** Files that npm, pnpm, yarn 1 and later versions of yarn write at the end of an installation. */
export const installations: readonly string[] = [
  "node_modules/.package-lock.json",
  "node_modules/.modules.yaml",
  "node_modules/.yarn-integrity",
  "node_modules/.yarn-state.yml",
];

/** Returns the directory whose packages a project uses: its own, or that of the workspace that contains it. */
export function installedIn(root: string): string {
  for (let directory = root; ; directory = dirname(directory)) {
    if (installations.some((file) => existsSync(join(directory, file)))) return directory;
    if (dirname(directory) === directory) return root;
  }
}

/** Packages that run in the session itself. Those of the manager are loaded again at its next start. */
const own = ["kubewright", "@kubewright/apiserver"];

/** Notices that the packages of a project are removed or replaced, as by `npm ci`. Until its end, nothing can be built. */
export class Installation {
  readonly #root: string;
  /** Directory of the installed packages. */
  readonly #home: string;
  readonly #wasComplete: boolean;
  readonly #versions = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.#home = installedIn(root);
    this.#wasComplete = this.#isComplete();
    this.updates();
  }

  /** Whether packages are missing that were installed when the session started. */
  get isRunning(): boolean {
    // Another package manager can leave no such file.
    return this.#wasComplete && !this.#isComplete() && this.#isIncomplete();
  }

  /** Returns the packages of the session whose version has changed since the last call, such as `kubewright 1.2.3`. */
  updates(): string[] {
    return own.flatMap((name) => {
      const version = this.#versionOf(name);
      const before = this.#versions.get(name);
      if (version === undefined || version === before) return [];
      this.#versions.set(name, version);
      return before === undefined ? [] : [`${name} ${version}`];
    });
  }

  #versionOf(name: string): string | undefined {
    try {
      return String(JSON.parse(readFileSync(this.#path(name), "utf8")).version);
    } catch {
      return undefined;
    }
  }

  #isComplete(): boolean {
    return installations.some((file) => existsSync(join(this.#home, file)));
  }

  #isIncomplete(): boolean {
    return this.#dependencies().some((name) => !existsSync(this.#path(name)));
  }

  #path(name: string): string {
    const [own = "", shared = ""] = [this.#root, this.#home].map((at) =>
      join(at, "node_modules", name, "package.json"),
    );
    return existsSync(own) ? own : shared;
  }

  #dependencies(): string[] {
    try {
      const { dependencies, devDependencies } = JSON.parse(readFileSync(join(this.#root, "package.json"), "utf8"));
      return Object.keys({ ...dependencies, ...devDependencies });
    } catch {
      // The bundle reports it.
      return [];
    }
  }
}
