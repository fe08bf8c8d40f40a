import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Finished, must, run } from "../lib/run.mjs";

/** Returns the path of kubectl on PATH, or next to the test servers. */
export function kubectlPath(): string {
  const name = process.platform === "win32" ? "kubectl.exe" : "kubectl";
  const places = [...(process.env.PATH ?? "").split(delimiter), process.env.KUBEBUILDER_ASSETS ?? ""];
  const directory = places.filter((place) => place !== "").find((place) => existsSync(join(place, name)));
  if (!directory)
    throw new Error("no kubectl on PATH or in KUBEBUILDER_ASSETS: these tests speak to the cluster as users do");
  return join(directory, name);
}

/** Runs kubectl against one cluster. Calls fail the test unless they exit with 0; `attempt` returns the failure instead. */
export class Kubectl {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly #cwd: string;

  constructor(kubeconfig: string, cwd: string = process.cwd()) {
    this.kubeconfig = kubeconfig;
    this.#cwd = cwd;
  }

  async run(...args: string[]): Promise<string> {
    return (await must(kubectlPath(), args, this.#options())).stdout;
  }

  attempt(...args: string[]): Promise<Finished> {
    return run(kubectlPath(), args, this.#options());
  }

  async apply(manifest: string): Promise<void> {
    await must(kubectlPath(), ["apply", "-f", "-"], { ...this.#options(), input: manifest });
  }

  /** Applies a manifest as `make deploy` does. Without `force`, fields of other owners cause a failure. */
  async serverSide(manifest: string, { force = true }: { force?: boolean } = {}): Promise<void> {
    const args = ["apply", "--server-side", ...(force ? ["--force-conflicts"] : []), "-f", "-"];
    await must(kubectlPath(), args, { ...this.#options(), input: manifest });
  }

  attemptApply(manifest: string): Promise<Finished> {
    return run(kubectlPath(), ["apply", "-f", "-"], { ...this.#options(), input: manifest });
  }

  /** Runs kubectl with a manifest on stdin. */
  attemptWith(manifest: string, ...args: string[]): Promise<Finished> {
    return run(kubectlPath(), args, { ...this.#options(), input: manifest });
  }

  /** Returns an object as JSON. Fails if it doesn't exist. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds.
  async get(resource: string, name: string): Promise<any> {
    return JSON.parse(await this.run("get", resource, name, "-o", "json"));
  }

  /** Creates a token of a ServiceAccount. */
  async token(namespace: string, serviceAccount: string): Promise<string> {
    return (await this.run("create", "token", serviceAccount, "--namespace", namespace)).trim();
  }

  /** Writes a kubeconfig for the same cluster with only the permissions of a ServiceAccount, as in a Pod. */
  async writeKubeconfig(file: string, namespace: string, serviceAccount: string): Promise<void> {
    const token = await this.token(namespace, serviceAccount);
    const config = JSON.parse(await this.run("config", "view", "--raw", "-o", "json"));
    config.users = config.users.map(({ name }: { name: string }) => ({ name, user: { token } }));
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  }

  #options() {
    return { cwd: this.#cwd, env: { KUBECONFIG: this.kubeconfig } };
  }
}
