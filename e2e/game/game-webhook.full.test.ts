// Follows the end of the article about Game: webhooks for the operator that game.kubectl.envtest.test.ts builds.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("mygame");
const kinds = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
const names = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
const game = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: "myapp.qingwave.github.io/v1", kind: "Game", metadata: { name }, spec });

beforeAll(() => bench.open());
afterAll(() => bench.close());
printTable("Game: webhooks");

describe("Game's webhooks", { sequential: true }, () => {
  it("are scaffolded in the article's project", async () => {
    await bench.init("--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame");
    await bench.scaffold("create", "api", ...names);
    bench.copyExample("game");
    await bench.scaffold("create", "webhook", ...names, "--defaulting", "--programmatic-validation");
    bench.copyExample("game-webhook");
    await bench.make("manifests");
    await bench.checkCode();
    await bench.make("build");
  });

  it("are served on this machine with one flag and without a certificate", async () => {
    await bench.make("install");
    const port = await freePort();
    await bench.startOperator({ flags: [`--webhook-port=${port}`, `--webhook-local-url=https://127.0.0.1:${port}`] });
    await eventually(async () => {
      const installed = await bench.kubectl.run(
        "get",
        kinds,
        "-o",
        "jsonpath={.items[*].webhooks[*].clientConfig.url}",
      );
      expect(installed.split(" ").map((url) => new URL(url).port)).toEqual([`${port}`, `${port}`]);
    });
  });

  it("set the article's default image and host, which the Ingress gets", async () => {
    await eventually(() => bench.kubectl.apply(game("sample", {})));
    const { spec } = await bench.kubectl.get("game", "sample");
    expect(spec).toEqual({ image: "alexwhen/docker-2048", host: "sample.default.mygame.io", replicas: 1 });
    const ingress = await eventually(() => bench.kubectl.get("ingress", "sample"));
    expect(ingress.spec.rules[0].host).toBe("sample.default.mygame.io");
    await bench.logged('"msg":"default"');
  });

  it("reject wildcards in the host of new and existing objects", async () => {
    for (const name of ["refused", "sample"]) {
      const { code, stderr } = await bench.kubectl.attemptApply(game(name, { host: "*.io" }));
      expect(code).toBe(1);
      expect(stderr).toContain('admission webhook "vgame-v1.kb.io" denied the request: host should not contain *');
    }
  });

  it("are removed from the cluster when the operator ends", async () => {
    expect(await bench.stopOperator()).toBe(0);
    expect(await bench.kubectl.run("get", kinds, "-o", "name")).toBe("");
    await eventually(() => bench.kubectl.apply(game("unchecked", { host: "*.io" })));
  });
});

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
