// Tests `scaffold dev --cluster` on any API server, with webhooks and an operator that already runs in the cluster.
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, createTransport } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { Dev, gameProject } from "./dev-session.ts";

const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/7bc453ad.qingwave.github.io";
const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";

/** A cluster on this machine. */
export interface LocalCluster {
  readonly config: Config;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Defines the tests. `start` creates a cluster with the CRDs of a directory. */
export function testTakeover(start: (crds: string) => Promise<LocalCluster>): void {
  let cluster: LocalCluster;
  let transport: ReturnType<typeof createTransport>;
  let root: string;
  let kubeconfig: string;

  beforeAll(async () => {
    root = await gameProject();
    const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
    await scaffold(root, "create", "webhook", ...kind, "--defaulting", "--programmatic-validation");
    cpSync(join(checkout, "examples", "game-webhook"), root, { recursive: true });
    await scaffold(root, "manifests");
    await scaffold(root, "build", "--bundle-only");
    cluster = await start(join(root, "config/crd/bases"));
    kubeconfig = join(root, "cluster.kubeconfig");
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    transport = createTransport({ ...cluster.config });
  });

  afterAll(async () => {
    await transport?.close();
    await cluster?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** An operator in the cluster. It ends when it loses its lease, and is then restarted as by a kubelet. */
  class InClusterOperator {
    #process: Background;
    #isOver = false;

    constructor() {
      this.#process = this.#start();
      void this.#keep();
    }

    get isLeading(): boolean {
      return this.#process.output.includes("Successfully acquired lease");
    }

    async end(): Promise<void> {
      this.#isOver = true;
      await this.#process.end("SIGKILL");
    }

    #start(): Background {
      const flags = ["--leader-elect", "--leader-election-namespace=default", "--health-probe-bind-address=0"];
      return new Background(process.execPath, [join(root, "dist/main.js"), ...flags], {
        cwd: root,
        env: { KUBECONFIG: kubeconfig, ENABLE_WEBHOOKS: "false" },
      });
    }

    async #keep(): Promise<void> {
      while (!this.#isOver) {
        await eventually(() => expect(this.#process.running).toBe(false), 300_000);
        if (!this.#isOver) this.#process = this.#start();
      }
    }
  }

  const holder = async () =>
    ((await transport.request({ method: "GET", path: lease })).body as { spec: { holderIdentity: string } }).spec
      .holderIdentity;
  const configurations = async (kind: string) =>
    (
      (await transport.request({ method: "GET", path: `/apis/admissionregistration.k8s.io/v1/${kind}` })).body as {
        items: unknown[];
      }
    ).items;

  it("T1: --cluster takes over the operator's lease and webhooks, and returns both at the end", async () => {
    const operator = new InClusterOperator();
    await eventually(() => expect(operator.isLeading).toBe(true));
    const owner = await holder();
    const dev = new Dev(root, { KUBECONFIG: kubeconfig }, "--cluster");
    try {
      expect(await dev.event("takeover")).toMatchObject({
        action: "taken",
        from: owner,
        lease: "default/7bc453ad.qingwave.github.io",
      });
      expect(await dev.event("ready")).toMatchObject({ engine: "cluster" });
      await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes("ValidatingWebhookConfiguration"));
      expect(await holder()).toMatch(/^kubewright-dev_/);
      await dev.event("reconciled");
      // The operator notices the loss of the lease, and then waits.
      await eventually(() => expect(operator.isLeading).toBe(false));
      expect(await dev.ask("status")).toMatchObject({
        takenOver: ["default/7bc453ad.qingwave.github.io"],
        restorable: false,
      });

      // Both webhooks answer, and each request is recorded.
      const refused = transport.request({
        method: "POST",
        path: games,
        body: {
          apiVersion: "myapp.qingwave.github.io/v1",
          kind: "Game",
          metadata: { name: "refused" },
          spec: { replicas: 1, image: "x", host: "" },
        },
      });
      const { entries } = await refused.then(
        () => dev.ask<{ entries: { type: string; admission?: object }[] }>("timeline", "game/refused"),
        () => dev.ask<{ entries: { type: string; admission?: object }[] }>("timeline", "game/game-sample"),
      );
      expect(entries.map(({ type }) => type)).toContain("admission");
      expect(await configurations("validatingwebhookconfigurations")).toHaveLength(1);

      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(0);
      // It contains the key of the cluster's administrator.
      expect(existsSync(join(root, ".kubewright/dev.kubeconfig"))).toBe(false);
      expect(dev.lines.filter(({ event }) => event === "takeover").at(-1)).toMatchObject({ action: "returned" });
      expect(await configurations("validatingwebhookconfigurations")).toEqual([]);
      expect(await configurations("mutatingwebhookconfigurations")).toEqual([]);
      await eventually(() => expect(operator.isLeading).toBe(true));
    } finally {
      await operator.end();
      dev.child.kill("SIGKILL");
      await dev.ended;
    }
  });

  it("T5: a killed session leaves no webhooks, and the operator continues when the lease ends", async () => {
    const operator = new InClusterOperator();
    await eventually(() => expect(operator.isLeading).toBe(true), 60_000);
    const dev = new Dev(root, { KUBECONFIG: kubeconfig }, "--cluster");
    try {
      await dev.event("ready");
      await eventually(() => expect(operator.isLeading).toBe(false), 60_000);
      dev.child.kill("SIGKILL");
      await dev.ended;
      await eventually(async () => expect(await configurations("validatingwebhookconfigurations")).toEqual([]));
      await eventually(() => expect(operator.isLeading).toBe(true), 60_000);
      expect(await holder()).not.toMatch(/^kubewright-dev_/);
    } finally {
      await operator.end();
      dev.child.kill("SIGKILL");
      await dev.ended;
    }
  });

  it("T2: --no-takeover doesn't change the lease", async () => {
    const operator = new InClusterOperator();
    await eventually(() => expect(operator.isLeading).toBe(true), 60_000);
    const owner = await holder();
    const dev = new Dev(root, { KUBECONFIG: kubeconfig }, "--cluster", "--no-takeover", "--no-samples");
    try {
      await dev.event("ready");
      expect(await holder()).toBe(owner);
      dev.child.kill("SIGINT");
      expect(await dev.ended).toBe(0);
      expect(await holder()).toBe(owner);
    } finally {
      await operator.end();
      dev.child.kill("SIGKILL");
      await dev.ended;
    }
  });
}
