// An operator in two versions, deployed to an API server. Its replicas are processes behind a replacement for a Service.
import { join } from "node:path";
import { groupVersion, type KubernetesObject } from "@kubewright/runtime";
import { Lease } from "@kubewright/runtime/api/coordination/v1";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { expect } from "vitest";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import type { Background } from "../lib/process.ts";
import { type Service, startService } from "../lib/service.ts";
import { Cluster, minute } from "../webhook-certs/cluster.ts";
import { bundle, change, deployment, installBundle, type Manifest, managerOf } from "../webhook-certs/project.ts";
import { History, leaderAt, termsOf } from "./history.ts";

export interface Game extends KubernetesObject {
  spec: { foo?: string; level?: string };
}
const group = "shop.example.com";
export const Game = groupVersion(group, "v1").kind<Game>("Game");
export const GameV2 = groupVersion(group, "v2").kind<Game>("Game");
export type Version = "one" | "two";

/** A replica of the operator. */
export interface Replica {
  name: string;
  process: Background;
  port: number;
  /** The URL of its probes. */
  health: string;
}

/** The settings of a kubelet's probe, in seconds. */
export interface Probe {
  path: string;
  initialDelaySeconds: number;
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

const namespace = "op-system";
const inPod = { KUBERNETES_SERVICE_HOST: "127.0.0.1" };
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "op-webhook-server-cert", namespace } };

/** The leader writes its version to each Game and its name to a ConfigMap; if it is busy, several times per second. */
const reconcile = `    const { POD_NAME: writer = "", VERSION: version = "" } = process.env;
    const annotations = { ...object.metadata.annotations, version };
    if (object.metadata.annotations?.version !== version) {
      await this.client.update({ ...object, metadata: { ...object.metadata, annotations } });
    }
    await createOrUpdate(this.client, { apiVersion: "v1", kind: "ConfigMap", metadata: { ...req } }, (map) => {
      map.data = { writer, turn: String(Number(map.data?.turn ?? 0) + 1) };
    });
    if (process.env.BUSY === "true") return { requeueAfter: 300 };`;
const rights = "// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;update;patch";

export interface OperatorOptions {
  /** Whether the leader writes repeatedly instead of only changes. */
  busy?: boolean;
}

export class Operator {
  readonly cluster = new Cluster();
  readonly replicas: Replica[] = [];
  readonly #images = new Map<Version, { main: string; directory: string; manifests: Manifest[] }>();
  #service: Service | undefined;
  #written: History<ConfigMap> | undefined;
  #leases: History<Lease> | undefined;
  readonly #busy: boolean;
  #count = 0;

  constructor({ busy = true }: OperatorOptions = {}) {
    this.#busy = busy;
  }

  /** Builds both versions and deploys the first one without replicas. */
  async open(): Promise<void> {
    const { cluster } = this;
    await cluster.open("interval: 1_000");
    const { root } = cluster;
    const election = `leaderElectionNamespace: "${namespace}", leaderElectionLabels: { candidate: process.env.POD_NAME ?? "" },`;
    change(join(root, "src/main.ts"), "    leaderElectionID:", `    ${election}\n    leaderElectionID:`);
    const controller = join(root, "src/controller/game-controller.ts");
    change(controller, "    // Your code goes here.", reconcile);
    change(controller, "  ignoreNotFound,", "  createOrUpdate,\n  ignoreNotFound,");
    change(controller, "/** GameReconciler reconciles", `${rights}\n\n/** GameReconciler reconciles`);
    change(controller, "req: Request): Promise<void>", "req: Request): Promise<{ requeueAfter: number } | void>");
    await scaffold(root, "generate");
    this.#service = await startService();
    await this.#install("one");
    // The second version has an additional field with a default, and stricter validation.
    const field = "  // +kubebuilder:default=easy\n  /** How hard it is. */\n  level?: string;\n";
    for (const version of ["v1", "v2"]) {
      change(join(root, `api/${version}/game-types.ts`), "  foo?: string;\n", `  foo?: string;\n${field}`);
    }
    const webhook = join(root, "src/webhook/v1/game-webhook.ts");
    change(
      webhook,
      "    // Your code goes here.",
      `    obj.metadata = { ...obj.metadata, labels: { defaulted: "two" } };`,
    );
    change(webhook, `=== "refused"`, `?.startsWith("refused")`);
    await scaffold(root, "generate");
    await this.#install("two");
    await this.apply("one");
    for (const { directory } of this.#images.values()) {
      await cluster.kubectl.writeKubeconfig(join(directory, "kubeconfig"), namespace, "op-controller-manager");
    }
    this.#written = await History.start(cluster.client, ConfigMap, "default");
    this.#leases = await History.start(cluster.client, Lease, namespace);
  }

  async close(): Promise<void> {
    this.#service?.close();
    await this.#written?.stop();
    await this.#leases?.stop();
    await this.cluster.close();
  }

  async #install(version: Version): Promise<void> {
    const { root, parent } = this.cluster;
    await bundle(root);
    const directory = join(parent, version);
    const main = installBundle(root, directory);
    const manifests = await deployment(root, `https://127.0.0.1:${this.service.port}`);
    this.#images.set(version, { main, directory, manifests });
  }

  get service(): Service {
    if (!this.#service) throw new Error("the Service doesn't exist: await open() first");
    return this.#service;
  }

  #image(version: Version) {
    const image = this.#images.get(version);
    if (!image) throw new Error(`version ${version} doesn't exist: await open() first`);
    return image;
  }

  /** Applies the manifests of a version, as `make deploy` does. */
  async apply(version: Version): Promise<void> {
    const items = this.#image(version).manifests;
    await this.cluster.kubectl.serverSide(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    if (version === "two") await this.#knowsLevel();
  }

  /** Waits for the new schema, which API servers use after a short time. */
  async #knowsLevel(): Promise<void> {
    await eventually(async () => {
      const { spec } = await this.cluster.client.create(this.game("known"), { dryRun: true });
      expect(spec.level).toBe("easy");
    }, minute);
  }

  /** Returns the kubelet's settings for a probe, from the Deployment. */
  probe(name: "livenessProbe" | "readinessProbe"): Probe {
    const { spec } = this.#image("one").manifests.find(({ kind }) => kind === "Deployment");
    const { httpGet, ...own } = spec.template.spec.containers[0][name];
    return { path: httpGet.path, initialDelaySeconds: 0, timeoutSeconds: 1, failureThreshold: 3, ...own };
  }

  /** Starts a replica, which receives no calls yet. */
  async start(version: Version): Promise<Replica> {
    const { cluster } = this;
    const { main, directory, manifests } = this.#image(version);
    const name = `${version}-${this.#count++}`;
    const [port, health] = [await cluster.freePort(), await cluster.freePort()];
    const { env, args } = managerOf(manifests);
    const own = [`--webhook-port=${port}`, `--health-probe-bind-address=127.0.0.1:${health}`];
    const process = cluster.start([main, ...args, ...own, "--metrics-bind-address=0"], {
      cwd: directory,
      // As in every Pod.
      env: {
        ...env,
        KUBECONFIG: join(directory, "kubeconfig"),
        POD_NAME: name,
        VERSION: version,
        BUSY: String(this.#busy),
        ...inPod,
      },
    });
    const replica = { name, process, port, health: `http://127.0.0.1:${health}` };
    this.replicas.push(replica);
    return replica;
  }

  /** Waits until a replica is ready, and adds it to the Service. */
  async enter({ name, process, health, port }: Replica): Promise<void> {
    await eventually(async () => {
      if (!process.running) throw new Error(`${name} has ended: ${process.output}`);
      const status = await fetch(`${health}/readyz`).then((answer) => answer.status, String);
      expect(status, process.output).toBe(200);
    }, minute);
    this.service.endpoints.push(port);
  }

  /**
   * Deletes a replica as Kubernetes does: it gets its signal immediately, and the Service is updated after a delay in
   * milliseconds. Returns its exit code.
   */
  async delete(replica: Replica, milliseconds: number): Promise<number | null> {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
    const ended = replica.process.end("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.service.endpoints.splice(this.service.endpoints.indexOf(replica.port), 1);
    return ended;
  }

  game(name: string): Game {
    return { apiVersion: Game.apiVersion, kind: Game.kind, metadata: { name, namespace: "default" }, spec: {} };
  }

  /** Forces a new certificate, as after the expiry of the old one. */
  async rotate(): Promise<void> {
    const before = await this.#certificate();
    const data = { "tls.crt": null, "tls.key": null };
    const place = ["secret", secret.metadata.name, "--namespace", namespace];
    await this.cluster.kubectl.run("patch", ...place, "--type=merge", "-p", JSON.stringify({ data }));
    await eventually(async () => expect([undefined, before]).not.toContain(await this.#certificate()), minute);
  }

  async #certificate(): Promise<string | undefined> {
    const { data } = (await this.cluster.client.get(groupVersion("", "v1").kind<Manifest>("Secret"), {
      namespace,
      name: secret.metadata.name,
    })) as { data?: Record<string, string> };
    return data?.["tls.crt"];
  }

  /** Returns the holder of the lease. */
  get holder(): string {
    return termsOf(this.#leases?.moments ?? []).at(-1)?.leader ?? "";
  }

  /** Returns the writes by replicas that didn't hold the lease at the time, and the number of all writes. */
  written(): { strange: string[]; count: number } {
    const terms = termsOf(this.#leases?.moments ?? []);
    const writes = (this.#written?.moments ?? []).flatMap(({ version, object }) => {
      const { writer } = object.data ?? {};
      return writer === undefined ? [] : [{ writer, leader: leaderAt(terms, version) }];
    });
    const strange = writes.filter(({ writer, leader }) => writer !== leader);
    return { strange: strange.map(({ writer, leader }) => `${writer} in the term of ${leader}`), count: writes.length };
  }
}
