// An API server, the project whose webhooks it calls, and its managers as processes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, groupVersion, type KubernetesObject } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { expect } from "vitest";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { Kubectl } from "../../scripts/test-support/kubectl.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { bundle, change, definition, type Manifest, makeProject } from "./project.ts";

export const minute = 60_000;
const Game = groupVersion("shop.example.com", "v1").kind<KubernetesObject & { spec: object }>("Game");

/** The fixtures that the tests share. */
export class Cluster {
  /** A directory that is removed at the end. */
  readonly parent = mkdtempSync(join(tmpdir(), "kubewright-certs-"));
  /** The project's directory. */
  readonly root = join(this.parent, "op");
  readonly #environment = new TestEnvironment();
  readonly #ports = new Set<number>();
  readonly #running = new Set<Background>();
  #client: Client | undefined;
  #kubectl: Kubectl | undefined;

  /** Starts the API server and bundles the project. `options` are the certificate options except for the names, as code. */
  async open(options: string): Promise<void> {
    const config = this.#environment.start();
    await makeProject(this.root);
    const main = join(this.root, "src/main.ts");
    const names = "const { webhook, ...options } = managerOptions(flags);";
    change(
      main,
      "  const mgr = await",
      `  ${names}\n  const deployed = webhook?.selfManagedCertificates;\n  const mgr = await`,
    );
    const own = `deployed && { ...deployed, extraHosts: ["127.0.0.1"], ${options} }`;
    change(main, "...managerOptions(flags),", `...options, webhook: { ...webhook, selfManagedCertificates: ${own} },`);
    await bundle(this.root);
    this.#client = createClient(await config);
    this.#kubectl = new Kubectl(this.kubeconfig);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((each) => each.end("SIGKILL")));
    await this.#environment.stop();
    rmSync(this.parent, { recursive: true, force: true });
  }

  get kubectl(): Kubectl {
    if (!this.#kubectl) throw new Error("the cluster isn't open: await open() first");
    return this.#kubectl;
  }

  /** Returns the administrator's client. */
  get client(): Client {
    if (!this.#client) throw new Error("the cluster isn't open: await open() first");
    return this.#client;
  }

  /** Returns the path of the administrator's kubeconfig. */
  get kubeconfig(): string {
    return this.#environment.kubeconfigPath;
  }

  /** Returns a free port, never the same one twice. */
  async freePort(): Promise<number> {
    const port = await freePort();
    if (this.#ports.has(port)) return this.freePort();
    this.#ports.add(port);
    return port;
  }

  /** Starts Node with these arguments. It ends with the cluster at the latest. */
  start(args: string[], options: { cwd: string; env: Record<string, string | undefined> }): Background {
    const program = new Background(process.execPath, args, options);
    this.#running.add(program);
    return program;
  }

  /** Creates a Game in a dry run. The validator rejects the name "refused". */
  async create(name: string): Promise<void> {
    await this.client.create(game(name), { dryRun: true });
  }

  /** Waits until all three kinds of webhooks respond. */
  answers(): Promise<void> {
    return eventually(async () => {
      await expect(this.create("refused")).rejects.toThrow("not this one");
      await this.create("taken");
      await this.kubectl.run("get", "games.v2.shop.example.com", "--namespace", "default");
    }, minute);
  }

  /** Returns the webhook configurations, with the managers of their fields. */
  async configurations(): Promise<Manifest[]> {
    const kinds = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
    return JSON.parse(await this.kubectl.run("get", kinds, "-o", "json", "--show-managed-fields")).items;
  }

  /** Returns the CRD, with the managers of its fields. */
  async definition(): Promise<Manifest> {
    return JSON.parse(await this.kubectl.run("get", "crd", definition, "-o", "json", "--show-managed-fields"));
  }
}

/** Returns a new Game. */
export function game(name: string): KubernetesObject & { spec: object } {
  return { apiVersion: Game.apiVersion, kind: Game.kind, metadata: { name, namespace: "default" }, spec: {} };
}

/** Returns an object without the fields that count its changes. */
export function uncounted({ metadata, ...rest }: Manifest): Manifest {
  const { resourceVersion, generation, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
