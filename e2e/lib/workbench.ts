import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually } from "./eventually.ts";
import { Kubectl, kubectlPath } from "./kubectl.ts";
import { playKubelet } from "./kubelet.ts";
import { linkPackages } from "./packages.ts";
import { Background, type Finished, must, run } from "./process.ts";
import { attemptScaffold, checkout, scaffold } from "./scaffold.ts";
import { target, which } from "./tools.ts";

/** Ports of its own: the machine may run other tests. */
const quietPorts = ["--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"];

/** Variables of a call; those of the operator's own go here too. */
type Variables = Record<string, string | undefined>;

/**
 * What somebody who follows an article has before them: a directory for the project, a cluster (API server, controller
 * manager, and in place of the kubelets a loop that sets the status of all Pods to running), and the operator as long as it runs.
 */
export class Workbench {
  /** The project's directory; it is there, and empty. */
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
    this.#kubeletEnded = playKubelet(this.#kubectl, this.#kubelet.signal);
  }

  /** Ends the operator and the cluster, and removes the project. */
  async close(): Promise<void> {
    this.#kubelet.abort();
    // It calls kubectl in the project's directory, which must be there as long.
    await this.#kubeletEnded;
    await this.#operator?.end("SIGKILL");
    await this.#serving?.stop();
    await this.environment.stop();
    rmSync(this.#parent, { recursive: true, force: true });
  }

  /** kubectl in the project's directory, with the cluster's admin. */
  get kubectl(): Kubectl {
    if (!this.#kubectl) throw new Error("there is no cluster yet: await open() first");
    return this.#kubectl;
  }

  /** The operator, which {@link startOperator} has started. */
  get operator(): Background {
    if (!this.#operator) throw new Error("the operator was not started");
    return this.#operator;
  }

  /** `scaffold init`, with packages that are installed once for all articles: it is what takes most of the time. */
  async init(...flags: string[]): Promise<void> {
    await this.scaffold("init", ...flags, "--fetch-deps=false");
    await linkPackages(this.project);
  }

  /**
   * `npm install` of packages that only this project has, at the versions that this checkout's examples are checked with. The
   * project gets packages of its own: those that it was given belong to all.
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

  /** `make <name>` if make is installed, else the npm script; variables as `make` takes them, such as `IMG`. */
  make(name: string, variables: Variables = {}): Promise<Finished> {
    return this.run(target(name), variables);
  }

  attemptMake(name: string, variables: Variables = {}): Promise<Finished> {
    const [command, ...args] = target(name);
    return run(command, args, this.#options(variables));
  }

  /** Any command in the project's directory. */
  run([command, ...args]: readonly [string, ...string[]], variables: Variables = {}): Promise<Finished> {
    return must(command, args, this.#options(variables));
  }

  /** All that a project's CI asks of its code. */
  async checkCode(): Promise<void> {
    for (const name of ["typecheck", "lint"]) await this.make(name);
    await this.run(["npm", "test"]);
  }

  /** Copies what an example's author wrote over the project: all of it, or the named parts. */
  takeExample(name: string, ...parts: string[]): void {
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

  /** Edits a file as an editor would; throws where it doesn't hold the text to be replaced. */
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} holds no ${JSON.stringify(from)}:\n${text}`);
    this.write(
      path,
      text.replace(from, () => to),
    );
  }

  /**
   * Starts the bundle that `npm run build` made, or all that `make run` does, and waits until its controllers work. Ends the
   * operator that runs first.
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

  /** Ends the operator gracefully, and gives its exit code; undefined where none runs. */
  async stopOperator(): Promise<number | null | undefined> {
    const operator = this.#operator;
    this.#operator = undefined;
    if (!operator?.running) return undefined;
    // npm passes a signal on. If the whole group got it too, a busy machine might deliver the two so far apart that the operator
    // takes the second for somebody who has lost patience, and ends with 1.
    return this.#startedBy === "npm start" ? operator.end("SIGTERM") : operator.endGroup("SIGTERM");
  }

  /**
   * What the operator has logged as failures of reconciling, without those that every operator has now and then: somebody else
   * was faster with an object, and it is tried again.
   */
  get failures(): string[] {
    const lines = this.operator.output.split("\n").filter((line) => line.includes('"Reconciler error"'));
    return lines.filter((line) => !line.includes("the object has been modified"));
  }

  /** Waits until the operator has logged a text since it was started. */
  logged(text: string | RegExp): Promise<void> {
    return eventually(() => {
      const { output } = this.operator;
      if (typeof text === "string" ? output.includes(text) : text.test(output)) return;
      throw new Error(`the operator's output has no ${text}:\n${output.slice(-4000)}`);
    });
  }

  /**
   * Installs the project's webhook configurations, and CRDs that convert, with the address of this machine: from then on the
   * operator serves them here.
   */
  async serveWebhooksHere(options: { convert?: boolean } = {}): Promise<void> {
    const definitions = join(this.#parent, "definitions.yaml");
    // That a CRD converts stands in its patch, not in what is generated.
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

  /** A kubeconfig with the permissions of a service account, as a Pod has them. */
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

/** The command that starts an operator with flags, with make or, if it isn't installed, with npm. */
function starting(by: "npm start" | "make run", flags: readonly string[]): [string, ...string[]] {
  if (by === "npm start") return ["npm", "start", "--", ...flags];
  return which("make") ? ["make", "run", `ARGS=${flags.join(" ")}`] : ["npm", "run", "run", "--", ...flags];
}
