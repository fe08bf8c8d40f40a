import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Finished, must, run } from "../lib/run.mjs";

/** The Helm version for rendering charts, which is built from its Go module. */
const version = "helm.sh/helm/v3/cmd/helm@v3.22.0";

/** Builds Helm in a directory. Go caches the result, so only the first build takes minutes. */
export async function buildHelm(directory: string): Promise<Helm> {
  mkdirSync(directory, { recursive: true });
  await must("go", ["install", version], { cwd: directory, env: { GOBIN: directory } });
  return new Helm(join(directory, "helm"), directory);
}

export class Helm {
  readonly #path: string;
  readonly #home: string;

  constructor(path: string, home: string) {
    this.#path = path;
    this.#home = home;
  }

  /** Runs Helm without failing the test. */
  attempt(cwd: string, ...args: string[]): Promise<Finished> {
    return run(this.#path, args, {
      cwd,
      env: { HELM_CACHE_HOME: this.#home, HELM_CONFIG_HOME: this.#home, HELM_DATA_HOME: this.#home },
    });
  }

  async run(cwd: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(cwd, ...args);
    if (code !== 0) throw new Error(`helm ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }
}
