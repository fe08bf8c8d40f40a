import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../scripts/lib/run.mjs";
import { goFiles } from "./emit/go.ts";
import type { Case, Options } from "./model.ts";
import { headerName, optionText } from "./options.ts";

const referenceVersion = "v0.23.0";

/** The result of one case. */
export interface Verdict {
  /** By name, without the tools' names and versions. */
  files: Map<string, string>;
  /** Lines of errors. */
  errors: string[];
}

/** Removes the generator's name and version from a text. */
export function withoutToolVersion(text: string): string {
  return text.replace(/^( {4}controller-gen\.kubebuilder\.io\/version:).*$/m, "$1 x");
}

/** Returns the path of the reference: `$CONTROLLER_GEN`, or the result of `go install` in `directory`. */
export function controllerGen(directory: string): string {
  if (process.env.CONTROLLER_GEN) return process.env.CONTROLLER_GEN;
  const env = { ...process.env, GOBIN: directory };
  const module = `sigs.k8s.io/controller-tools/cmd/controller-gen@${referenceVersion}`;
  execFileSync("go", ["install", module], { env, stdio: ["ignore", "ignore", "inherit"] });
  return join(directory, "controller-gen");
}

/** Runs the reference once over all cases, in a separate Go module. */
export async function runReference(
  tool: string,
  directory: string,
  cases: readonly Case[],
  options: Options,
): Promise<Map<string, Verdict>> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const name of ["go.mod", "go.sum"]) cpSync(join(import.meta.dirname, "module", name), join(directory, name));
  if (options.header !== undefined) writeFileSync(join(directory, headerName), options.header);
  for (const api of cases) {
    for (const [path, text] of goFiles(api)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
  }
  const verdicts = new Map(cases.map((api) => [api.id, { files: new Map(), errors: [] } as Verdict]));
  // The lines that the tool prints include all information of the exit code.
  const { output } = await run(tool, [optionText(options), "paths=./...", "output:crd:dir=out"], { cwd: directory });
  for (const line of output.split("\n")) {
    const id = /(?:^|\/)(c\d+)\/[a-z]/.exec(line)?.[1];
    if (id !== undefined) verdicts.get(id)?.errors.push(line);
    else if (/panic|^Error: (?!not all generators ran)/.test(line)) throw new Error(`${tool}: ${output.slice(-4000)}`);
  }
  const out = join(directory, "out");
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    const id = name.slice(0, name.indexOf("."));
    verdicts.get(id)?.files.set(name, withoutToolVersion(readFileSync(join(out, name), "utf8")));
  }
  return verdicts;
}
