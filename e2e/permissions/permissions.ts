// Runs operators with exactly the permissions of their deployment.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { load, loadAll } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { Kubectl, kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { attemptScaffold, checkout, manifestsOptions, scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { goldens, install } from "../lib/golden.ts";
import { Background } from "../lib/process.ts";

/** The fixtures for testing one operator. */
export interface Operator {
  /** The project's directory. */
  readonly root: string;
  readonly kubectl: () => Kubectl;
  readonly process: () => Background;
  /** The namespace of the deployment. */
  readonly namespace: string;
}

/** An operator, and its additional tests. */
export interface OperatorUnderTest {
  /** The name of the golden project. */
  readonly project: string;
  /** Changes the project, as its author would. */
  readonly prepare?: (root: string) => void;
  /**
   * Whether its webhooks stay configured, because its own tests make them reachable. Otherwise they are removed, so that
   * objects can be created.
   */
  readonly keepsWebhooks?: boolean;
  /** The manager's number of controllers. */
  readonly controllers: number;
  /** Its own tests. */
  readonly tests: (operator: Operator) => void;
}

/** Deploys a project to the API server in one of several ways, and returns the deployed manifests as YAML. */
export type Deploy = (root: string, namespace: string, kubectl: Kubectl) => Promise<string>;

/** Runs `make deploy` without waiting for the rollout, which nothing performs here. */
export const withKustomize: Deploy = async (root, _, kubectl) => {
  const { stdout } = await must(kubectlPath(), ["kustomize", "config/default"], { cwd: root });
  await kubectl.serverSide(stdout);
  return stdout;
};

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: {
    readonly template?: {
      readonly spec?: { readonly containers?: readonly { env?: readonly { name: string; value?: string }[] }[] };
    };
  };
}

const maxWait = 60_000;

/**
 * Runs the steps that all operators share: deploy, run from the bundle with a token of the ServiceAccount, become the
 * leader, watch, and serve metrics. Then runs its own tests. In the end, its log must not contain any denied request.
 */
export function testPermissions(
  { project, prepare, keepsWebhooks = false, controllers, tests }: OperatorUnderTest,
  deploy: Deploy,
): void {
  const root = mkdtempSync(join(tmpdir(), "kubewright-rights-"));
  const environment = new TestEnvironment();
  const manifest = readFileSync(join(goldens, project, "config/default/kustomization.yaml"), "utf8");
  const { namespace } = load(manifest) as { namespace: string };
  let kubectl: Kubectl;
  let running: Background | undefined;
  let deployed: Manifest[] = [];

  const operator: Operator = {
    root,
    kubectl: () => kubectl,
    process: () => {
      if (!running) throw new Error("the operator wasn't started");
      return running;
    },
    namespace,
  };
  const nameOf = (kind: string, end = "") =>
    deployed.find((manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(end))?.metadata.name ??
    `no ${kind}`;

  beforeAll(async () => {
    cpSync(join(goldens, project), root, { recursive: true });
    prepare?.(root);
    install(root);
    // Outside of a cluster, the Lease's namespace must be set.
    const main = readFileSync(join(root, "src/main.ts"), "utf8");
    const elected = main.replace(
      "leaderElectionID:",
      `leaderElectionNamespace: "${namespace}",\n    leaderElectionID:`,
    );
    writeFileSync(join(root, "src/main.ts"), elected);
    await environment.start();
    kubectl = new Kubectl(environment.kubeconfigPath);
    // Certificates and monitors are kinds of other operators.
    await kubectl.run("apply", "--server-side", "-f", join(checkout, "e2e/matrix/testdata/foreign-kinds.yaml"));
    await kubectl.run("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
  });
  afterAll(async () => {
    await running?.end("SIGKILL");
    await environment.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it("is generated and deployed", async () => {
    const { code, stderr } = await attemptScaffold(root, "generate", ...manifestsOptions);
    expect({ code, errors: /error/.test(stderr) }).toEqual({ code: 0, errors: false });
    const manifests = loadAll(await deploy(root, namespace, kubectl)) as (Manifest | null)[];
    deployed = manifests.filter((manifest) => manifest !== null);
    await kubectl.run("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
    // No Service reaches the operator here, so webhooks would prevent the creation of objects.
    const webhooks = keepsWebhooks ? [] : deployed.filter(({ kind }) => kind.endsWith("WebhookConfiguration"));
    for (const { kind, metadata } of webhooks) await kubectl.run("delete", kind, metadata.name);
  });

  it("starts from its bundle with the permissions of its ServiceAccount, is elected and watches", async () => {
    await scaffold(root, "build", "--bundle-only");
    const kubeconfig = join(root, "kubeconfig");
    await kubectl.writeKubeconfig(kubeconfig, namespace, nameOf("ServiceAccount"));
    const own = new Kubectl(kubeconfig);
    expect(await own.run("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe(
      `system:serviceaccount:${namespace}:${nameOf("ServiceAccount")}`,
    );
    const flags = [
      "--leader-elect",
      "--metrics-bind-address=127.0.0.1:0",
      "--health-probe-bind-address=127.0.0.1:0",
      "--webhook-port=0",
      "--zap-log-level=debug",
    ];
    running = new Background(process.execPath, ["dist/main.js", ...flags, "--kubeconfig", kubeconfig], {
      cwd: root,
      env: { ...environmentOf(deployed), POD_NAMESPACE: namespace, WATCH_NAMESPACE: namespace, KUBECONFIG: undefined },
    });
    await eventually(() => {
      const started = running?.output.split("Starting workers").length ?? 0;
      expect(started - 1, running?.output).toBe(controllers);
    }, maxWait);
    const leases = await kubectl.run("get", "lease", "-n", namespace, "-o", "jsonpath={.items[*].spec.holderIdentity}");
    expect(leases).not.toBe("");
  });

  it("serves its metrics only to callers with the metrics reader's role", async () => {
    const port = await eventually(() => {
      const [, port] = /"Serving metrics server".*"bindAddress":"127\.0\.0\.1:(\d+)"/.exec(running?.output ?? "") ?? [];
      expect(port, running?.output).toBeDefined();
      return Number(port);
    }, maxWait);
    // Separate accounts, because denials are cached for a while.
    for (const name of ["scraper", "stranger"]) {
      await kubectl.run("create", "serviceaccount", name, "--namespace", namespace);
    }
    expect((await scrape(port)).status).toBe(401);
    expect((await scrape(port, await kubectl.token(namespace, "stranger"))).status).toBe(403);
    const token = await kubectl.token(namespace, "scraper");
    const role = nameOf("ClusterRole", "metrics-reader");
    const subject = `--serviceaccount=${namespace}:scraper`;
    await kubectl.run("create", "clusterrolebinding", "scraper", `--clusterrole=${role}`, subject);
    const served = await eventually(async () => {
      const answer = await scrape(port, token);
      expect(answer.status).toBe(200);
      return answer;
    }, maxWait);
    expect(served.text).toContain("controller_runtime_reconcile_total");
  });

  tests(operator);

  it("was never denied a request, and ends cleanly", async () => {
    // Rejections by its own webhooks aren't denied requests.
    const lines = running?.output.split("\n").filter((line) => !line.includes('"webhookKind"'));
    expect(lines?.join("\n")).not.toMatch(/Missing permission|forbidden|\b403\b/i);
    expect(await running?.end("SIGTERM")).toBe(0);
  });
}

/** Returns the variables that the Deployment sets literally. All others come from the Pod. */
function environmentOf(deployed: readonly Manifest[]): Record<string, string> {
  const containers = deployed.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);
  const set = containers.flatMap(({ env = [] }) => env).filter(({ value }) => value !== undefined);
  return Object.fromEntries(set.map(({ name, value = "" }) => [name, value]));
}

/** Requests the metrics. The certificate is self-signed. */
function scrape(port: number, token?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = { host: "127.0.0.1", port, path: "/metrics", headers, rejectUnauthorized: false };
    const sent = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}
