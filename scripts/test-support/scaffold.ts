import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Finished, must, run } from "../lib/run.mjs";

/** The built command line of this checkout. */
export const scaffoldBin = fileURLToPath(new URL("../../bin/scaffold.js", import.meta.url));

/** The root of this checkout. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** The program of the embedded API server, as built. */
export const apiserverProgram = join(checkout, "packages/apiserver/bin/kubewright-apiserver.js");

/** The arguments of `scaffold generate` in `make manifests`. */
export const manifestsOptions: readonly string[] =
  "rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases".split(" ");

/** Runs `scaffold …` in a directory. Fails the test unless it exits with 0. */
export function scaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return must(process.execPath, [scaffoldBin, ...args], { cwd });
}

/** Runs `scaffold …` in a directory and returns the result. */
export function attemptScaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return run(process.execPath, [scaffoldBin, ...args], { cwd });
}
