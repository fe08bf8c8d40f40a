// The end of seed 003: webhooks for the Game that game.envtest.test.ts builds.
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
printTable("Seed 003, Game: webhooks");

describe("Game's webhooks", { sequential: true }, () => {
  it("create webhook --defaulting --programmatic-validation, on the article's project", async () => {
    await bench.init("--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame");
    await bench.scaffold("create", "api", ...names);
    bench.takeExample("game");
    await bench.scaffold("create", "webhook", ...names, "--defaulting", "--programmatic-validation");
    bench.takeExample("game-webhook");
    await bench.make("manifests");
    await bench.checkCode();
    await bench.make("build");
  });

  it("make install; the operator serves them here, which takes no certificate but one flag", async () => {
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

  it("Default: image and host of the article, all the way to the Ingress", async () => {
    await eventually(() => bench.kubectl.apply(game("sample", {})));
    const { spec } = await bench.kubectl.get("game", "sample");
    expect(spec).toEqual({ image: "alexwhen/docker-2048", host: "sample.default.mygame.io", replicas: 1 });
    const ingress = await eventually(() => bench.kubectl.get("ingress", "sample"));
    expect(ingress.spec.rules[0].host).toBe("sample.default.mygame.io");
    await bench.logged('"msg":"default"');
  });

  it("ValidateCreate and ValidateUpdate: no wildcards in the host", async () => {
    for (const name of ["refused", "sample"]) {
      const { code, stderr } = await bench.kubectl.attemptApply(game(name, { host: "*.io" }));
      expect(code).toBe(1);
      expect(stderr).toContain('admission webhook "vgame-v1.kb.io" denied the request: host should not contain *');
    }
  });

  it("when the operator ends the cluster is what it was: nobody is called any more", async () => {
    expect(await bench.stopOperator()).toBe(0);
    expect(await bench.kubectl.run("get", kinds, "-o", "name")).toBe("");
    await eventually(() => bench.kubectl.apply(game("unchecked", { host: "*.io" })));
  });
});

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
