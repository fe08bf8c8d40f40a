// Somebody who types what the documentation shows, into a shell.
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
import { linkPackages } from "../../e2e/lib/packages.ts";
import { run } from "../../e2e/lib/process.ts";
import { checkout, scaffold, scaffoldBin } from "../../e2e/lib/scaffold.ts";
import { target, which } from "../../e2e/lib/tools.ts";

/** Result of a command line. */
export interface End {
  readonly code: number;
  /** Its output, of both streams. */
  readonly said: string;
  /** Whether a file is there that wasn't, or the other way round, or one reads otherwise. */
  readonly changed: boolean;
}

/** A directory and where in it somebody stands. */
export interface Place {
  readonly top: string;
  readonly cwd: string;
}

/** `npx kubewright` is this checkout's, whose projects share the packages that were installed for the first one. */
const prelude = `npx() {
  case $1 in
  kubewright | kubewright@latest)
    shift
    node "$SCAFFOLD" "$@" --fetch-deps=false && cp -R "$PACKAGES/." . ;;
  *) command npx "$@" ;;
  esac
}
`;

/** Programs that are on PATH for it. */
const programs: Readonly<Record<string, string>> = {
  // As it is typed by those who have the project's programs on PATH.
  scaffold: 'exec node "$SCAFFOLD" "$@"',
  // There is no cluster for it; the rest of a target can be run all the same.
  helm: '[ "$1 $2" = "upgrade --install" ] && echo helm "$@"',
};

/** Has a shell run what is typed, in projects that come of what was typed before. */
export class Reader {
  readonly #scratch: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #made = new Map<string, Promise<Place>>();
  #places = 0;

  private constructor(scratch: string, env: Readonly<Record<string, string>>) {
    this.#scratch = scratch;
    this.#env = env;
  }

  /** Installs what projects need. */
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
      // Remarks of npm about this machine aren't output of the line.
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
    });
  }

  end(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** A directory of its own in which all of that was typed; throws where a line of it fails. */
  async after(lines: readonly string[]): Promise<Place> {
    return this.#copy(await this.#keep(lines));
  }

  /** Types a line. Gives where one stands then, too. */
  async type({ top, cwd }: Place, line: string): Promise<{ end: End; place: Place }> {
    const before = stateOf(top);
    const script = `${prelude}{ ${asHere(line)}\n} && pwd -P >"$HERE"`;
    const here = `${top}.here`;
    const { code, stdout, stderr } = await run("sh", ["-c", script], { cwd, env: { ...this.#env, HERE: here } });
    const end = { code, said: stdout + stderr, changed: stateOf(top) !== before };
    return { end, place: { top, cwd: code === 0 ? readFileSync(here, "utf8").trim() : cwd } };
  }

  /** Each beginning of a series of lines is typed once. */
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
    if (end.code !== 0) throw new Error(`${last} ended with ${end.code}\n${end.said}`);
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

/** Whether somebody stands in a project. */
export function inProject({ cwd }: Place): boolean {
  return existsSync(join(cwd, "PROJECT"));
}

/** A line as it is typed on this machine: without make, the npm script does the same. */
function asHere(line: string): string {
  if (which("make")) return line;
  return line.replace(/^make ([\w-]+)((?: [A-Z]+=\S+)*)/, (_, name: string, variables: string) =>
    `${variables} ${target(name).join(" ")}`.trim(),
  );
}

/** Everything below a directory but what npm and git keep for themselves. */
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
