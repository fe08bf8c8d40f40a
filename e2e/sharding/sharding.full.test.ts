// Two replicas of a scaffolded operator share its objects, with the flags and the permissions of its manifests.
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("game");
const namespace = "game-system";
const replicas: { readonly port: number; readonly process: Background }[] = [];

beforeAll(async () => {
  await bench.open();
  await bench.init("--domain", "example.com");
  await bench.scaffold("create", "api", "--group", "shop", "--version", "v1", "--kind", "Game");
  await bench.scaffold("edit", "--enable", "sharding");
  await bench.make("manifests");
  await bench.make("build");
  await bench.kubectl.serverSide(await bench.kubectl.run("kustomize", "config/default"));
});

afterAll(async () => {
  for (const { process } of replicas) await process.end("SIGKILL");
  await bench.close();
});

async function start(flags: readonly string[], kubeconfig: string): Promise<void> {
  const port = await freePort();
  const ports = [`--health-probe-bind-address=127.0.0.1:${port}`, "--metrics-bind-address=0"];
  const args = [join(bench.project, "dist/main.js"), ...flags, ...ports];
  const options = { cwd: bench.project, env: { KUBECONFIG: kubeconfig } };
  replicas.push({ port, process: new Background(process.execPath, args, options) });
}

/** Returns the owners of the ranges in the table. */
async function ownersOf(): Promise<Map<string, number>> {
  const { items } = JSON.parse(
    await bench.kubectl.run("get", "leases", "-n", namespace, "-l", "sharding.kubewright.io/group", "-o", "json"),
  );
  const table = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name.endsWith("-shards"));
  const owners = new Map<string, number>();
  for (const { owner, objects } of JSON.parse(table.metadata.annotations["sharding.kubewright.io/ranges"])) {
    owners.set(owner, (owners.get(owner) ?? 0) + objects);
  }
  return owners;
}

it("two replicas become ready and own half of the objects each, and the last one takes over all of them", async () => {
  for (let each = 0; each < 8; each++) {
    await bench.kubectl.run("create", "namespace", `team-${each}`);
    await bench.kubectl.apply(
      `{"apiVersion":"shop.example.com/v1","kind":"Game","metadata":{"name":"a","namespace":"team-${each}"},"spec":{}}`,
    );
  }
  const deployed = ["get", "deployment", "game-controller-manager", "-n", namespace, "-o", "json"];
  const { spec } = JSON.parse(await bench.kubectl.run(...deployed));
  expect(spec.replicas).toBe(2);
  const [manager] = spec.template.spec.containers;
  const flags = manager.args.filter((flag: string) => !/-(bind-address|cert-path)=/.test(flag));
  expect(flags).toContain("--sharding");
  const kubeconfig = await bench.kubeconfigOf(namespace, "game-controller-manager");
  await bench.kubectl.run("--kubeconfig", kubeconfig, "config", "set-context", "--current", `--namespace=${namespace}`);
  for (let each = 0; each < spec.replicas; each++) await start(flags, kubeconfig);
  await eventually(async () => {
    for (const { port, process } of replicas) {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => ({ status: 0 }));
      if (status !== 200) throw new Error(`readyz: ${status}\n${process.output}`);
    }
    expect([...(await ownersOf()).values()]).toEqual([4, 4]);
  });
  expect(await replicas[0]?.process.end("SIGTERM")).toBe(0);
  await eventually(async () => expect([...(await ownersOf()).values()]).toEqual([8]));
});
