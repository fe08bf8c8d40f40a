// Runs the commands of the documentation in a shell, as a reader would.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "../lib/run.mjs";
import { linkPackages } from "../test-support/packages.ts";
import { checkout, scaffold, scaffoldBin } from "../test-support/scaffold.ts";
import { target, which } from "../test-support/tools.ts";

/** The result of a command line. */
export interface End {
  readonly code: number;
  /** Its output on both streams. */
  readonly output: string;
  /** Whether a file was created, changed or removed. */
  readonly changed: boolean;
}

/** A directory, and the working directory in it. */
export interface Place {
  readonly top: string;
  readonly cwd: string;
}

/** Makes `npx kubewright` run this checkout. All projects share the packages that were installed for the first one. */
const prelude = `npx() {
  case $1 in
  kubewright | kubewright@latest)
    shift
    node "$SCAFFOLD" "$@" --fetch-deps=false && cp -R "$PACKAGES/." . ;;
  *) command npx "$@" ;;
  esac
}
`;

/** Additional programs on PATH. */
const programs: Readonly<Record<string, string>> = {
  // For readers who have the project's programs on PATH.
  scaffold: 'exec node "$SCAFFOLD" "$@"',
  // There is no cluster and no registry, but the rest of a make target can run.
  helm: `case "$1" in
  upgrade | push) echo helm "$@" ;;
  package) mkdir -p dist/charts && echo helm "$@" ;;
  *) exit 1 ;;
esac`,
};

/** Runs lines in a shell, in projects that earlier lines have created. */
export class Reader {
  readonly #scratch: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #made = new Map<string, Promise<Place>>();
  #places = 0;

  private constructor(scratch: string, env: Readonly<Record<string, string>>) {
    this.#scratch = scratch;
    this.#env = env;
  }

  /** Installs the packages that projects need. */
  static async start(): Promise<Reader> {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-reader-")));
    const first = join(scratch, "first");
    const packages = join(scratch, "packages");
    const bin = join(scratch, "bin");
    for (const directory of [first, packages, bin]) mkdirSync(directory);
    await scaffold(first, "init", "--domain", "example.com", "--fetch-deps=false");
    await linkPackages(first);
    for (const name of ["node_modules", "package-lock.json"])
      cpSync(join(first, name), join(packages, name), { verbatimSymlinks: true });
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const who = Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "Reader"],
        [`GIT_${role}_EMAIL`, "reader@example.com"],
      ]),
    );
    return new Reader(scratch, {
      ...who,
      SCAFFOLD: scaffoldBin,
      PACKAGES: packages,
      CHECKOUT: checkout,
      KUBECONFIG: join(scratch, "no-cluster"),
      PATH: [bin, process.env.PATH].join(delimiter),
      // Hide npm's notices about this machine, which aren't part of the output.
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
    });
  }

  end(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /**
   * Returns a new copy of the directory in which all of these lines were run.
   *
   * @throws Error if a line fails
   */
  async after(lines: readonly string[]): Promise<Place> {
    return this.#copy(await this.#keep(lines));
  }

  /** Runs a line. Returns its result and the new working directory. */
  async type({ top, cwd }: Place, line: string): Promise<{ end: End; place: Place }> {
    const before = stateOf(top);
    const script = `${prelude}{ ${asHere(line)}\n} && pwd -P >"$HERE"`;
    const here = `${top}.here`;
    const { code, stdout, stderr } = await run("sh", ["-c", script], { cwd, env: { ...this.#env, HERE: here } });
    const end = { code, output: stdout + stderr, changed: stateOf(top) !== before };
    return { end, place: { top, cwd: code === 0 ? readFileSync(here, "utf8").trim() : cwd } };
  }

  /** Runs each prefix of a series of lines only once. */
  #keep(lines: readonly string[]): Promise<Place> {
    const key = lines.join("\n");
    const made = this.#made.get(key) ?? this.#make(lines);
    this.#made.set(key, made);
    return made;
  }

  async #make(lines: readonly string[]): Promise<Place> {
    const last = lines.at(-1);
    if (last === undefined) {
      const top = this.#newTop();
      mkdirSync(join(top, "mygame"), { recursive: true });
      return { top, cwd: join(top, "mygame") };
    }
    const { end, place } = await this.type(this.#copy(await this.#keep(lines.slice(0, -1))), last);
    if (end.code !== 0) throw new Error(`${last} ended with ${end.code}\n${end.output}`);
    return place;
  }

  #copy({ top, cwd }: Place): Place {
    const copy = this.#newTop();
    cpSync(top, copy, { recursive: true, verbatimSymlinks: true });
    return { top: copy, cwd: join(copy, cwd.slice(top.length)) };
  }

  #newTop(): string {
    return join(this.#scratch, String(this.#places++));
  }
}

/** Whether the working directory is a project. */
export function inProject({ cwd }: Place): boolean {
  return existsSync(join(cwd, "PROJECT"));
}

/** Returns a line for this machine: without make, the equivalent npm script. */
function asHere(line: string): string {
  if (which("make")) return line;
  return line.replace(/^make ([\w-]+)((?: [A-Z]+=\S+)*)/, (_, name: string, variables: string) =>
    `${variables} ${target(name).join(" ")}`.trim(),
  );
}

/** Returns the state of all files below a directory, except for those of npm and git. */
function stateOf(directory: string): string {
  const entries = readdirSync(directory, { withFileTypes: true }).filter(
    ({ name }) => name !== "node_modules" && name !== ".git",
  );
  return entries
    .map((entry) => {
      const path = join(directory, entry.name);
      return `${path}\n${entry.isDirectory() ? stateOf(path) : readFileSync(path, "latin1")}`;
    })
    .join("\n");
}
