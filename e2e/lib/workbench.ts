import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { type Finished, must, run } from "../../scripts/lib/run.mjs";
import { Kubectl, kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { attemptScaffold, checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { target, which } from "../../scripts/test-support/tools.ts";
import { eventually } from "./eventually.ts";
import { simulateKubelet } from "./kubelet.ts";
import { Background } from "./process.ts";

/** Random ports, because other tests may run on the machine. */
const quietPorts = ["--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"];

/** Environment variables of a call, including the operator's own. */
type Variables = Record<string, string | undefined>;

/**
 * The environment of a reader who follows an article: a directory for the project, a cluster (API server, controller
 * manager, and a loop that sets the status of all Pods to running in place of kubelets), and the running operator.
 */
export class Workbench {
  /** The project's directory, which exists and is empty. */
  readonly project: string;
  readonly environment = new TestEnvironment({ controllerManager: true });
  readonly #parent = mkdtempSync(join(tmpdir(), "kubewright-e2e-"));
  readonly #kubelet = new AbortController();
  #kubeletEnded: Promise<void> | undefined;
  #kubectl: Kubectl | undefined;
  #serving: TestEnvironment | undefined;
  #operator: Background | undefined;
  #startedBy: OperatorOptions["by"];

  constructor(name: string) {
    this.project = join(this.#parent, name);
    mkdirSync(this.project);
  }

  /** Starts the cluster. */
  async open(): Promise<void> {
    await this.environment.start();
    this.#kubectl = new Kubectl(this.environment.kubeconfigPath, this.project);
    this.#kubeletEnded = simulateKubelet(this.#kubectl, this.#kubelet.signal);
  }

  /** Ends the operator and the cluster, and removes the project. */
  async close(): Promise<void> {
    this.#kubelet.abort();
    // The kubelet simulation runs kubectl in the project's directory, which must exist until it ends.
    await this.#kubeletEnded;
    await this.#operator?.end("SIGKILL");
    await this.#serving?.stop();
    await this.environment.stop();
    rmSync(this.#parent, { recursive: true, force: true });
  }

  /** Returns kubectl for the project's directory, with the cluster's admin. */
  get kubectl(): Kubectl {
    if (!this.#kubectl) throw new Error("the cluster isn't open: await open() first");
    return this.#kubectl;
  }

  /** Returns the operator that {@link startOperator} has started. */
  get operator(): Background {
    if (!this.#operator) throw new Error("the operator was not started");
    return this.#operator;
  }

  /** Runs `scaffold init`, with packages that are installed once for all articles, because that takes most of the time. */
  async init(...flags: string[]): Promise<void> {
    await this.scaffold("init", ...flags, "--fetch-deps=false");
    await linkPackages(this.project);
  }

  /**
   * Runs `npm install` for packages that only this project has, at the versions with which this checkout's examples are
   * tested. The project gets its own copy of all packages, because the existing ones are shared.
   */
  async install(...names: string[]): Promise<void> {
    const { devDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
    rmSync(join(this.project, "node_modules"));
    const packages = names.map((name) => `${name}@${devDependencies[name]}`);
    await this.run(["npm", "install", "--save-exact", "--no-audit", "--no-fund", ...packages]);
  }

  scaffold(...args: string[]): Promise<Finished> {
    return scaffold(this.project, ...args);
  }

  attemptScaffold(...args: string[]): Promise<Finished> {
    return attemptScaffold(this.project, ...args);
  }

  /** Runs `make <name>` if make is installed, otherwise the npm script, with variables such as `IMG` as for `make`. */
  make(name: string, variables: Variables = {}): Promise<Finished> {
    return this.run(target(name), variables);
  }

  attemptMake(name: string, variables: Variables = {}): Promise<Finished> {
    const [command, ...args] = target(name);
    return run(command, args, this.#options(variables));
  }

  /** Runs any command in the project's directory. */
  run([command, ...args]: readonly [string, ...string[]], variables: Variables = {}): Promise<Finished> {
    return must(command, args, this.#options(variables));
  }

  /** Runs all code checks of a project's CI. */
  async checkCode(): Promise<void> {
    for (const name of ["typecheck", "lint"]) await this.make(name);
    await this.run(["npm", "test"]);
  }

  /** Copies the files of an example over the project: all of them, or the named ones. */
  copyExample(name: string, ...parts: string[]): void {
    for (const part of parts.length === 0 ? ["."] : parts) {
      cpSync(join(checkout, "examples", name, part), join(this.project, part), { recursive: true });
    }
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), "utf8");
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.project, path), text);
  }

  /**
   * Replaces text in a file.
   *
   * @throws Error if the file doesn't contain the text
   */
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} holds no ${JSON.stringify(from)}:\n${text}`);
    this.write(
      path,
      text.replace(from, () => to),
    );
  }

  /**
   * Starts the bundle of `npm run build`, or everything that `make run` does, and waits until its controllers are running.
   * Ends a running operator first.
   */
  async startOperator({ by = "npm start", flags = [], variables = {} }: OperatorOptions = {}): Promise<void> {
    await this.stopOperator();
    const [command, ...args] = starting(by, [...quietPorts, ...this.#webhookFlags(), ...flags]);
    const operator = new Background(command, args, this.#options(variables));
    this.#operator = operator;
    this.#startedBy = by;
    await eventually(() => {
      if (operator.output.includes("Starting workers")) return;
      throw new Error(`the operator ${operator.running ? "isn't ready" : "has ended"}:\n${operator.output}`);
    }, 180_000);
  }

  /**
   * Ends the operator gracefully, and returns its exit code; undefined if it isn't running. npm itself ends by the signal, and
   * then the operator: its log shows a graceful end.
   */
  async stopOperator(): Promise<number | null | undefined> {
    const operator = this.#operator;
    this.#operator = undefined;
    if (!operator?.running) return undefined;
    // npm forwards a signal. If the whole group got it too, the operator on a busy machine could treat the second one as the
    // user's request to exit immediately, with code 1.
    if (this.#startedBy !== "npm start") return operator.endGroup("SIGTERM");
    const code = await operator.end("SIGTERM");
    if (code !== null) return code;
    await eventually(() => {
      if (!operator.output.includes("Wait completed, proceeding to shutdown the manager"))
        throw new Error(operator.output);
    });
    return 0;
  }

  /**
   * Returns the operator's logged reconcile errors, except for conflicts with concurrent changes, which every operator has
   * at times and retries.
   */
  get failures(): string[] {
    const lines = this.operator.output.split("\n").filter((line) => line.includes('"Reconciler error"'));
    return lines.filter((line) => !line.includes("the object has been modified"));
  }

  /** Waits until the operator logs a text after its start. */
  logged(text: string | RegExp): Promise<void> {
    return eventually(() => {
      const { output } = this.operator;
      if (typeof text === "string" ? output.includes(text) : text.test(output)) return;
      throw new Error(`the operator's output has no ${text}:\n${output.slice(-4000)}`);
    });
  }

  /**
   * Installs the project's webhook configurations, and CRDs with conversion, with the URL of this machine, where the
   * operator then serves them.
   */
  async serveWebhooksHere(options: { convert?: boolean } = {}): Promise<void> {
    const definitions = join(this.#parent, "definitions.yaml");
    // The conversion of a CRD is in its patch, not in the generated file.
    if (options.convert) writeFileSync(definitions, await this.kubectl.run("kustomize", "config/crd"));
    await this.#serving?.stop();
    this.#serving = new TestEnvironment({
      useExistingCluster: true,
      config: this.environment.config,
      crdDirectoryPaths: options.convert ? [definitions] : [],
      webhookInstallOptions: { paths: [join(this.project, "config/webhook/manifests.yaml")] },
    });
    await this.#serving.start();
  }

  /** Returns a kubeconfig with the permissions of a service account, as in a Pod. */
  async kubeconfigOf(namespace: string, serviceAccount: string): Promise<string> {
    const path = join(this.#parent, `${serviceAccount}.kubeconfig`);
    await this.kubectl.writeKubeconfig(path, namespace, serviceAccount);
    return path;
  }

  #webhookFlags(): string[] {
    if (!this.#serving) return [];
    const { localServingPort: port, localServingCertDir: directory } = this.#serving.webhookInstallOptions;
    return [`--webhook-port=${port}`, `--webhook-cert-path=${directory}`];
  }

  #options(variables: Variables) {
    const env = { KUBECONFIG: this.environment.kubeconfigPath, KUBECTL: kubectlPath(), ...variables };
    return { cwd: this.project, env };
  }
}

export interface OperatorOptions {
  by?: "npm start" | "make run";
  flags?: readonly string[];
  variables?: Variables;
}

/** Returns the command that starts an operator with flags: make or, if it isn't installed, npm. */
function starting(by: "npm start" | "make run", flags: readonly string[]): [string, ...string[]] {
  if (by === "npm start") return ["npm", "start", "--", ...flags];
  return which("make") ? ["make", "run", `ARGS=${flags.join(" ")}`] : ["npm", "run", "run", "--", ...flags];
}
