// Runs a built operator against a new API server with the built runtime, and prints the resulting objects of its sample:
//   npx tsx scripts/observe.ts PROJECT CRDS SAMPLE
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Client, KubernetesObject } from "@kubewright/runtime";
import { dump, load } from "js-yaml";
import { root } from "./lib/run.mjs";

interface Game extends KubernetesObject {
  status?: { phase?: string };
}

/** Loads a module of the built runtime. */
const built = <Module>(name: string): Promise<Module> =>
  import(pathToFileURL(join(root, "packages/runtime/dist", name)).href);

const [{ TestEnvironment }, { eventually }, runtime, core, apps, networking] = await Promise.all([
  built<typeof import("@kubewright/runtime/envtest")>("envtest/index.js"),
  built<typeof import("@kubewright/runtime/testing")>("testing/index.js"),
  built<typeof import("@kubewright/runtime")>("index.js"),
  built<typeof import("@kubewright/runtime/api/core/v1")>("api/core/v1.js"),
  built<typeof import("@kubewright/runtime/api/apps/v1")>("api/apps/v1.js"),
  built<typeof import("@kubewright/runtime/api/networking/v1")>("api/networking/v1.js"),
]);

/** Sets the status of each Pod to running and ready, because no kubelet runs. */
async function simulateKubelet(client: Client, signal: AbortSignal): Promise<void> {
  const conditions = [{ type: "Ready", status: "True" }];
  while (!signal.aborted) {
    const { items } = await client.list(core.Pod, { namespace: "default" });
    for (const pod of items.filter(({ status }) => status?.phase !== "Running")) {
      const running = { ...pod, status: { ...pod.status, phase: "Running", conditions } };
      await client.status.patch(running, runtime.mergeFrom(pod));
    }
    await sleep(200, undefined, { signal }).catch(() => undefined);
  }
}

/** Installs the CRDs, starts `dist/main.js`, applies the sample, and returns the reconciled objects as YAML. */
async function observe(project: string, crds: string, sample: object): Promise<string> {
  const environment = new TestEnvironment({ crdDirectoryPaths: [crds], controllerManager: true });
  const kubelet = new AbortController();
  let operator: ReturnType<typeof spawn> | undefined;
  try {
    const client = runtime.createClient(await environment.start());
    void simulateKubelet(client, kubelet.signal).catch(() => undefined);
    const flags = ["--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"];
    operator = spawn(process.execPath, ["dist/main.js", ...flags], {
      cwd: project,
      env: { ...process.env, KUBECONFIG: environment.kubeconfigPath },
      stdio: "ignore",
    });
    const Game = runtime.groupVersion("myapp.qingwave.github.io", "v1").kind<Game>("Game");
    const key = { namespace: "default", name: "game-sample" };
    await client.create({ ...(sample as Game), metadata: key });
    const running = await eventually(
      async () => {
        const game = await client.get(Game, key);
        if (game.status?.phase === "Running") return game;
        throw new Error(`the Game's phase is ${game.status?.phase}; it must become Running`);
      },
      { timeout: 60_000 },
    );
    const children = await Promise.all([
      client.get(apps.Deployment, key),
      client.get(core.Service, key),
      client.get(networking.Ingress, key),
    ]);
    const { managedFields: _, ...metadata } = running.metadata;
    const lines = children.map(({ kind, metadata: { name, ownerReferences = [] } }) => {
      const [owner] = ownerReferences;
      return `${kind}/${name}, owned by ${owner?.kind}/${owner?.name}\n`;
    });
    return [dump({ ...running, metadata }, { noArrayIndent: true, lineWidth: 120 }), ...lines].join("");
  } finally {
    kubelet.abort();
    operator?.kill("SIGTERM");
    await environment.stop();
  }
}

const [project = "", crds = "", sample = ""] = process.argv.slice(2);
process.stdout.write(await observe(project, crds, load(readFileSync(sample, "utf8")) as object));
