// Runs a built operator against a new API server with the built runtime, and prints the resulting objects of its sample.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { root } from "./run.mjs";

const door = (name) => import(pathToFileURL(join(root, "packages/runtime/dist", name)).href);

/** Sets the status of each Pod to running and ready, because no kubelet runs. */
async function simulateKubelet(client, Pod, signal, mergeFrom) {
  const conditions = [{ type: "Ready", status: "True" }];
  while (!signal.aborted) {
    const { items } = await client.list(Pod, { namespace: "default" });
    for (const pod of items.filter(({ status }) => status?.phase !== "Running")) {
      const running = { ...pod, status: { ...pod.status, phase: "Running", conditions } };
      await client.status.patch(running, mergeFrom(pod));
    }
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}

/** Installs the CRDs, starts `dist/main.js`, applies the sample, and returns the reconciled objects as YAML. */
export async function observe(project, crds, sample) {
  const [{ TestEnvironment }, { eventually }, runtime, core, apps, networking, yaml] = await Promise.all([
    door("envtest/index.js"),
    door("testing/index.js"),
    door("index.js"),
    door("api/core/v1.js"),
    door("api/apps/v1.js"),
    door("api/networking/v1.js"),
    import("js-yaml"),
  ]);
  const environment = new TestEnvironment({ crdDirectoryPaths: [crds], controllerManager: true });
  const kubelet = new AbortController();
  let operator;
  try {
    const config = await environment.start();
    const client = runtime.createClient(config);
    void simulateKubelet(client, core.Pod, kubelet.signal, runtime.mergeFrom).catch(() => {});
    operator = spawn(
      process.execPath,
      ["dist/main.js", "--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"],
      {
        cwd: project,
        env: { ...process.env, KUBECONFIG: environment.kubeconfigPath },
        stdio: "ignore",
      },
    );
    const game = await client.create({ ...yaml.load(sample), metadata: { name: "game-sample", namespace: "default" } });
    const Game = runtime.groupVersion("myapp.qingwave.github.io", "v1").kind("Game");
    const key = { namespace: "default", name: game.metadata.name };
    const becomesRunning = async () => {
      const found = await client.get(Game, key);
      if (found.status?.phase === "Running") return found;
      throw new Error(`the Game's phase is ${found.status?.phase}; it must become Running`);
    };
    const running = await eventually(becomesRunning, { timeout: 60_000 });
    const children = await Promise.all(
      [apps.Deployment, core.Service, networking.Ingress].map((kind) => client.get(kind, key)),
    );
    const { managedFields: _, ...metadata } = running.metadata;
    const text = [yaml.dump({ ...running, metadata }, { noArrayIndent: true, lineWidth: 120 })];
    for (const child of children) {
      const [owner] = child.metadata.ownerReferences ?? [];
      text.push(`${child.kind}/${child.metadata.name}, owned by ${owner?.kind}/${owner?.name}\n`);
    }
    return text.join("");
  } finally {
    kubelet.abort();
    operator?.kill("SIGTERM");
    await environment.stop();
  }
}
