// Extracts the data of built-in kinds from Kubernetes' Go modules, into one folder per minor version.
//
//   npx tsx scripts/api-data/extract.ts packages/apiserver/data [MINOR VERSION ...]
//
// With --release v1.38.0-beta.0, it extracts the data of this release with the modules of the newest version at that release.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { lockModules, minorOf } from "./lock-modules.ts";

/** A release of Kubernetes, and the files that lock its Go modules. */
interface Release {
  readonly version: string;
  readonly modules: string;
}

const releases: Record<string, Release> = {
  "1.37": { version: "v1.37.2", modules: "go.mod" },
  "1.36": { version: "v1.36.3", modules: "1.36.mod" },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { release: { type: "string" } } });
const [target, ...minors] = positionals;
if (target === undefined) throw new Error("usage: extract.ts OUT [MINOR VERSION ...] [--release VERSION]");
if (values.release !== undefined) {
  const minor = minorOf(values.release);
  releases[minor] = { version: values.release, modules: lockModules(values.release, releases["1.37"]?.version ?? "") };
  minors.push(minor);
}

function run(command: string, args: readonly string[], directory = "."): void {
  const cwd = join(import.meta.dirname, directory);
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

for (const minor of minors.length > 0 ? minors : Object.keys(releases)) {
  const release = releases[minor];
  if (release === undefined) throw new Error(`${minor}: must be one of ${Object.keys(releases).join(", ")}`);
  const { version, modules } = release;
  const out = join(resolve(target), minor);
  mkdirSync(out, { recursive: true });
  const extract = (program: string, directory: string): void =>
    run("go", ["run", `-modfile=${modules}`, program, "-out", out], directory);
  extract(".", ".");
  run(process.execPath, ["--import", "tsx", "resources.ts", version, modules, out]);
  run(process.execPath, ["--import", "tsx", "roles.ts", version, out]);
  run(process.execPath, ["--import", "tsx", "gates.ts", version, out]);
  extract("./columns", "kubernetes");
  extract("./internal", "kubernetes");
}
