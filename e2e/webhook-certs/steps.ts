// Two replicas that keep their certificates by themselves, with nothing but the rights that the project gives them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, groupVersion, type KubernetesObject } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reservePort } from "../../runtime/src/envtest/ports.ts";
import { type Service, startService } from "../../runtime/src/webhook/self-managed/replicas.fixture.ts";
import { eventually } from "../lib/eventually.ts";
import { Kubectl } from "../lib/kubectl.ts";
import { Background } from "../lib/process.ts";
import {
  bundle,
  change,
  definition,
  deployment,
  installBundle,
  type Manifest,
  makeProject,
  managerOf,
} from "./project.ts";

const minute = 60_000;
const Game = groupVersion("shop.example.com", "v1").kind<KubernetesObject & { spec: object }>("Game");

interface Replica {
  process: Background;
  port: number;
  health: string;
}

/**
 * The tests.
 *
 * @param settings `options` of the certificates beside the names, as code; whether by these they come of age while they are tested
 */
export function testWebhookCertificates({ options, ages }: { options: string; ages: boolean }): void {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-certs-"));
  const root = join(parent, "op");
  const environment = new TestEnvironment();
  const releases: (() => void)[] = [];
  const running = new Set<Background>();
  let client: Client;
  let kubectl: Kubectl;
  let kubeconfig: string;

  beforeAll(async () => {
    const config = environment.start();
    const own = `selfManagedCertificates: deployed && { ...deployed, extraHosts: ["127.0.0.1"], ${options} },`;
    await makeProject(root, own);
    const names = "const deployed = selfManagedCertificatesFromEnv();";
    change(join(root, "src/main.ts"), "  const mgr = await", `  ${names}\n  const mgr = await`);
    await bundle(root);
    client = createClient(await config);
    kubeconfig = environment.kubeconfigPath;
    kubectl = new Kubectl(kubeconfig);
  }, 3 * minute);

  afterAll(async () => {
    await Promise.all([...running].map((each) => each.end("SIGKILL")));
    for (const release of releases) release();
    await environment.stop();
    rmSync(parent, { recursive: true, force: true });
  }, minute);

  const freePort = async () => {
    const { port, release } = await reservePort();
    releases.push(release);
    return port;
  };
  const start = (args: string[], options: { cwd: string; env: Record<string, string | undefined> }) => {
    const each = new Background(process.execPath, args, options);
    running.add(each);
    return each;
  };
  const create = (name: string, dryRun = true) =>
    client.create(
      { apiVersion: Game.apiVersion, kind: Game.kind, metadata: { name, namespace: "default" }, spec: {} },
      { dryRun },
    );
  /** All three kinds of webhooks are called, and answer. */
  const answers = () =>
    eventually(async () => {
      await expect(create("refused")).rejects.toThrow("not this one");
      await create("taken");
      await kubectl.run("get", `games.v2.shop.example.com`, "--namespace", "default");
    }, minute);
  const configurations = async (): Promise<Manifest[]> =>
    JSON.parse(await kubectl.run("get", "mutatingwebhookconfigurations,validatingwebhookconfigurations", "-o", "json"))
      .items;
  const conversion = async () => (await kubectl.get("crd", definition)).spec.conversion;

  describe("a cluster that calls the webhooks on this machine", { sequential: true }, () => {
    let flags: string[] = [];
    let url = "";
    const serve = (...args: string[]) =>
      start([...args, ...flags], { cwd: root, env: { KUBECONFIG: kubeconfig, PATH: process.env.PATH } });
    const nothingIsLeft = async () => {
      expect(await configurations()).toEqual([]);
      expect(JSON.stringify(await conversion())).not.toContain(url);
    };

    beforeAll(async () => {
      const port = await freePort();
      url = `https://127.0.0.1:${port}`;
      flags = [`--webhook-local-url=${url}`, `--webhook-port=${port}`, "--health-probe-bind-address=0"];
      await kubectl.run("apply", "--server-side", "-k", join(root, "config/crd"));
      await kubectl.run("wait", "--for=condition=Established", "crd", definition, "--timeout=60s");
      // There is something to convert.
      await kubectl.apply(JSON.stringify({ ...sample, metadata: { name: "kept", namespace: "default" } }));
    }, minute);

    it(
      "does so while the manager runs, and is as it was after SIGTERM",
      async () => {
        const manager = serve("dist/main.js");
        await answers();
        expect((await configurations()).map(({ metadata }) => metadata.name).sort()).toEqual([
          "op-mutating-webhook-configuration",
          "op-validating-webhook-configuration",
        ]);
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        await nothingIsLeft();
      },
      3 * minute,
    );

    it(
      "is put right by the next start after kill -9, at Ctrl-C",
      async () => {
        const killed = serve("dist/main.js");
        await answers();
        await killed.end("SIGKILL");
        await expect(create("taken")).rejects.toThrow("failed calling webhook");
        const manager = serve("dist/main.js");
        await answers();
        expect(await manager.end("SIGINT"), manager.output).toBe(0);
        await nothingIsLeft();
      },
      3 * minute,
    );

    it(
      "gets on with npm run dev, which starts the manager anew on a change",
      async () => {
        const dev = serve("hack/tasks.mjs", "dev");
        await answers();
        const webhook = join(root, "src/webhook/v1/game-webhook.ts");
        change(webhook, "not this one", "nor that one");
        await eventually(() => expect(create("refused")).rejects.toThrow("nor that one"), minute);
        change(webhook, "nor that one", "not this one");
        await answers();
        // One at a time: each had ended when the next one began.
        const lives = dev.output.match(/Starting manager|Wait completed/g) ?? [];
        expect(lives.filter((line, index) => line === lives[index + 1])).toEqual([]);
        expect(await dev.end("SIGINT"), dev.output).toBe(0);
        await nothingIsLeft();
      },
      4 * minute,
    );

    it(
      "is left alone with ENABLE_WEBHOOKS=false",
      async () => {
        const env = { KUBECONFIG: kubeconfig, ENABLE_WEBHOOKS: "false" };
        const manager = start(["dist/main.js", ...flags], { cwd: root, env });
        await eventually(() => expect(manager.output).toContain("No webhook is registered"));
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        await nothingIsLeft();
      },
      minute,
    );
  });

  describe("two replicas in a cluster", { sequential: true }, () => {
    const replicas: Replica[] = [];
    let service: Service;
    let manifests: Manifest[] = [];
    let main = "";

    beforeAll(async () => {
      service = await startService();
      manifests = await deployment(root, `https://127.0.0.1:${service.port}`);
      main = installBundle(root, join(parent, "image"));
      // Those of make install lead to a Service.
      await kubectl.run("delete", "-k", join(root, "config/crd"), "--wait", "--ignore-not-found");
      await apply(manifests);
      await kubectl.writeKubeconfig(join(parent, "image", "kubeconfig"), "op-system", "op-controller-manager");
    }, 2 * minute);
    afterAll(() => service?.close());

    const apply = async (objects: readonly Manifest[]) => {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      // As make deploy does.
      await kubectl.serverSide(JSON.stringify(list));
    };
    const add = async (): Promise<Replica> => {
      const [port, health] = [await freePort(), await freePort()];
      const { env, args } = managerOf(manifests);
      const own = [`--webhook-port=${port}`, `--health-probe-bind-address=127.0.0.1:${health}`, "--leader-elect=false"];
      const process = start([main, ...args, ...own, "--metrics-bind-address=0"], {
        cwd: join(parent, "image"),
        env: { ...env, KUBECONFIG: join(parent, "image", "kubeconfig") },
      });
      const replica = { process, port, health: `http://127.0.0.1:${health}/readyz` };
      replicas.push(replica);
      return replica;
    };
    const enter = async (...added: Replica[]) => {
      for (const { health, port, process } of added) {
        const status = () => fetch(health).then((answer) => answer.status, String);
        await eventually(async () => expect(await status(), process.output).toBe(200), minute);
        service.endpoints.push(port);
      }
    };
    const secret = async (): Promise<Record<string, string>> =>
      JSON.parse(await kubectl.run("get", "secret", "op-webhook-server-cert", "--namespace", "op-system", "-o", "json"))
        .data ?? {};
    const bundles = async () => [
      ...(await configurations()).flatMap(({ webhooks }) =>
        webhooks.map(({ clientConfig }: Manifest) => clientConfig.caBundle),
      ),
      (await conversion()).webhook.clientConfig.caBundle,
    ];
    const setData = (data: Record<string, string | null>) =>
      kubectl.run(
        "patch",
        "secret",
        "op-webhook-server-cert",
        "-n",
        "op-system",
        "--type=merge",
        "-p",
        JSON.stringify({ data }),
      );

    it(
      "begin with the empty Secret, agree on one certificate and make its CA known everywhere",
      async () => {
        expect(await secret()).toEqual({});
        await enter(...(await Promise.all([add(), add()])));
        const data = await secret();
        expect(Object.keys(data).sort()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
        expect(new Set(await bundles())).toEqual(new Set([data["ca.crt"]]));
        await answers();
      },
      3 * minute,
    );

    it("renew what they show while they are called, and no call fails", async () => {
      const load = startLoad(() => create("taken"));
      const { "tls.crt": first = "", "ca.crt": firstAuthority = "" } = await secret();
      const shown = new Set([first]);
      const authorities = new Set([firstAuthority]);
      const renewed = (count: number) =>
        eventually(async () => {
          const { "tls.crt": certificate, "ca.crt": authority } = await secret();
          if (certificate) shown.add(certificate);
          if (authority) authorities.add(authority);
          expect(shown.size).toBeGreaterThanOrEqual(count);
        }, 3 * minute);
      if (ages) {
        await renewed(4);
        // The first one, both, the second one alone.
        expect(authorities.size).toBeGreaterThanOrEqual(3);
        expect(await bundles()).not.toContain(firstAuthority);
      } else {
        for (const count of [2, 3]) {
          await setData({ "tls.crt": null, "tls.key": null });
          await renewed(count);
        }
        expect([...authorities]).toEqual([firstAuthority]);
      }
      const { calls, failed } = await load.stop();
      expect(failed.slice(0, 3)).toEqual([]);
      expect(calls).toBeGreaterThan(20);
      await answers();
    }, 300_000);

    it(
      "go on without one that is killed, and with one that comes",
      async () => {
        const [killed] = replicas.splice(0, 1);
        await killed?.process.end("SIGKILL");
        service.endpoints.splice(service.endpoints.indexOf(killed?.port ?? 0), 1);
        await answers();
        const { "tls.crt": before } = !ages ? await secret() : { "tls.crt": "" };
        await enter(await add());
        await answers();
        if (!ages) expect((await secret())["tls.crt"]).toBe(before);
      },
      3 * minute,
    );

    it(
      "go on without their Secret, and fill it again once it is applied",
      async () => {
        const before = await secret();
        await kubectl.run("delete", "secret", "op-webhook-server-cert", "--namespace", "op-system");
        await answers();
        await apply(manifests);
        await eventually(async () => expect((await secret())["ca.crt"]).toBeTruthy(), minute);
        if (!ages) expect(await secret()).toEqual(before);
        await answers();
        expect(new Set(await bundles())).toEqual(new Set([(await secret())["ca.crt"]]));
      },
      3 * minute,
    );

    it("were refused nothing", () => {
      for (const { process } of replicas) expect(process.output).not.toMatch(/forbidden/i);
    });

    it(
      "give way to a manager on this machine, and come back",
      async () => {
        const port = await freePort();
        const before = await configurations();
        const flags = [`--webhook-local-url=https://127.0.0.1:${port}`, `--webhook-port=${port}`];
        const manager = start(["dist/main.js", ...flags, "--health-probe-bind-address=0"], {
          cwd: root,
          env: { KUBECONFIG: kubeconfig },
        });
        await eventually(async () => {
          expect(JSON.stringify(await configurations())).toContain(`:${port}/validate`);
          await expect(create("refused")).rejects.toThrow("not this one");
        }, minute);
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        const plain = (all: Manifest[]) => all.map(({ webhooks }) => webhooks);
        if (!ages) expect(plain(await configurations())).toEqual(plain(before));
        await answers();
      },
      3 * minute,
    );
  });
}

const sample = { apiVersion: Game.apiVersion, kind: Game.kind, spec: {} };

/** Calls, 20 at a time, until told to stop. */
function startLoad(call: () => Promise<unknown>): { stop(): Promise<{ calls: number; failed: string[] }> } {
  let running = true;
  let calls = 0;
  const failed: string[] = [];
  const worker = async () => {
    while (running) {
      await call().then(
        () => calls++,
        (error: Error) => failed.push(error.message),
      );
    }
  };
  const workers = Promise.all(Array.from({ length: 20 }, worker));
  return {
    async stop() {
      running = false;
      await workers;
      return { calls, failed };
    },
  };
}
