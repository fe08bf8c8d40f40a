import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "../../scripts/lib/run.mjs";
import { which } from "../../scripts/test-support/tools.ts";
import { hasGo } from "./go.ts";

/** The modules of conformance/crd-parity, and the version of controller-gen that they are compared with. */
export interface ParityModules {
  readonly controllerGen: string;
  readonly modules: readonly {
    readonly name: string;
    readonly module: string;
    readonly paths: readonly string[];
    /** Options of the generator `crd`. */
    readonly crd?: string;
  }[];
}

export function parityModules(): ParityModules {
  return JSON.parse(readFileSync(join(root, "conformance/crd-parity/modules.json"), "utf8")) as ParityModules;
}

/** Returns the reference generator: CONTROLLER_GEN, or the one on PATH; `undefined` without both. */
export function findControllerGen(): string | undefined {
  return process.env.CONTROLLER_GEN || which("controller-gen");
}

/** Installs the reference generator at the pinned version, and returns its path; `undefined` if Go isn't installed. */
export async function installControllerGen(): Promise<string | undefined> {
  const { controllerGen: version } = parityModules();
  const bin = join(root, "node_modules/.cache/kubewright-bench", `controller-gen-${version}`);
  const path = join(bin, "controller-gen");
  if (existsSync(path)) return path;
  if (!hasGo()) return undefined;
  process.stderr.write(`Installing controller-gen ${version} …\n`);
  mkdirSync(bin, { recursive: true });
  await must("go", ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${version}`], { env: { GOBIN: bin } });
  return path;
}
