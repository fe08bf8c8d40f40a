// Seed 003 as its reader would live through it: scaffold, types, controller, manifests, install, run, look, scale, break.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Kubectl, kubectlPath } from "../lib/kubectl.ts";
import { playKubelet } from "../lib/kubelet.ts";
import { Background, must } from "../lib/process.ts";
import { checkout, scaffold } from "../lib/scaffold.ts";
import { target, which } from "../lib/tools.ts";

const parent = mkdtempSync(join(tmpdir(), "kubewright-e2e-"));
const project = join(parent, "mygame");
const environment = new TestEnvironment({ controllerManager: true });
const kubelet = new AbortController();
let kubectl: Kubectl;
let kubeconfig: string;
let operator: Background | undefined;

// Ports of its own: the machine may run other tests.
const flags = ["--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0"];

function startOperator(command = "npm", args = ["start", "--", ...flags]): Background {
  return new Background(command, args, { cwd: project, env: { KUBECONFIG: kubeconfig } });
}

const inProject = (command: string, ...args: string[]) =>
  must(command, args, { cwd: project, env: { KUBECONFIG: kubeconfig, KUBECTL: kubectlPath() } });
const golden = (name: string) => readFileSync(new URL(`testdata/${name}`, import.meta.url), "utf8");
const generated = (path: string) => readFileSync(join(project, path), "utf8");

beforeAll(async () => {
  await environment.start();
  kubeconfig = environment.kubeconfigPath;
  kubectl = new Kubectl(kubeconfig);
  void playKubelet(kubectl, kubelet.signal);
});

afterAll(async () => {
  kubelet.abort();
  await operator?.end("SIGKILL");
  await environment.stop();
  rmSync(parent, { recursive: true, force: true });
});

describe("Game 2048", { sequential: true }, () => {
  it("is scaffolded with the article's commands", async () => {
    mkdirSync(project);
    await scaffold(project, "init", "--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame");
    await scaffold(project, "create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game");
    expect(generated("PROJECT")).toContain("kind: Game");
  });

  it("works as scaffolded, with no edit: manifests, build, typecheck, lint, test", async () => {
    await inProject(...target("manifests"));
    await inProject("npm", "run", "build");
    await inProject("npm", "run", "typecheck");
    await inProject("npm", "run", "lint");
    await inProject("npm", "test");
  });

  it("takes the article's types and controller", async () => {
    cpSync(join(checkout, "examples/game"), project, { recursive: true });
    await inProject(...target("manifests"));
    await inProject("npm", "run", "manifests");
    await inProject("npm", "run", "typecheck");
    await inProject("npm", "run", "lint");
    await inProject("npm", "test");
  });

  it("generates the CRD and the role of the golden files", () => {
    expect(generated("config/crd/bases/myapp.qingwave.github.io_games.yaml")).toBe(golden("crd.yaml"));
    expect(generated("config/rbac/role.yaml")).toBe(golden("role.yaml"));
  });

  it("installs the CRD with make install, twice", async () => {
    await inProject(...target("install"));
    await inProject(...target("install"));
    await kubectl.run("wait", "--for=condition=Established", "crd/games.myapp.qingwave.github.io", "--timeout=30s");
  });

  it("runs with make run, flags passed through", async () => {
    const running = which("make")
      ? startOperator("make", ["run", `ARGS=${flags.join(" ")}`])
      : startOperator("npm", ["run", "run", "--", ...flags]);
    try {
      await eventually(() => expect(running.output).toContain("Starting workers"));
    } finally {
      await running.endGroup("SIGTERM");
    }
    expect(running.output).toContain("127.0.0.1:");
  });

  it("starts with npm start", async () => {
    await inProject("npm", "run", "build");
    operator = startOperator();
    await eventually(() => expect(operator?.output).toContain("Starting workers"));
  });

  it("makes the children of the sample, with owner references", async () => {
    await inProject(kubectlPath(), "apply", "-f", "config/samples/myapp_v1_game.yaml");
    const game = await kubectl.get("game", "game-sample");
    for (const resource of ["deployment", "service", "ingress"]) {
      const child = await eventually(() => kubectl.get(resource, "game-sample"));
      expect(child.metadata.ownerReferences).toEqual([
        {
          apiVersion: "myapp.qingwave.github.io/v1",
          kind: "Game",
          name: "game-sample",
          uid: game.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
    }
    const deployment = await kubectl.get("deployment", "game-sample");
    expect(deployment.spec.replicas).toBe(1);
    expect(deployment.spec.template.spec.containers[0].image).toBe("alexwhen/docker-2048");
    const ingress = await kubectl.get("ingress", "game-sample");
    expect(ingress.spec.rules[0].host).toBe("mygame.io");
  });

  it("reports phase, replicas and label selector in the status", async () => {
    await eventually(async () => {
      expect((await kubectl.get("game", "game-sample")).status).toEqual({
        phase: "Running",
        replicas: 1,
        readyReplicas: 1,
        labelSelector: "qingwave.github.io/game=game-sample",
      });
    });
  });

  it("shows the printer columns in kubectl get game", async () => {
    const [header, row] = (await kubectl.run("get", "game")).trim().split("\n");
    expect(header?.split(/\s+/)).toEqual(["NAME", "PHASE", "HOST", "DESIRED", "CURRENT", "READY", "AGE"]);
    expect(row?.split(/\s+/).slice(0, 6)).toEqual(["game-sample", "Running", "mygame.io", "1", "1", "1"]);
  });

  it("scales through the scale subresource", async () => {
    await kubectl.run("scale", "games.myapp.qingwave.github.io", "game-sample", "--replicas", "2");
    await eventually(async () => {
      expect((await kubectl.get("deployment", "game-sample")).spec.replicas).toBe(2);
      const { status } = await kubectl.get("game", "game-sample");
      expect(status).toMatchObject({ phase: "Running", replicas: 2, readyReplicas: 2 });
    });
  });

  it("defaults replicas to 1 and refuses 0 by the schema", async () => {
    const game = (name: string, spec: string) =>
      `apiVersion: myapp.qingwave.github.io/v1\nkind: Game\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
    await kubectl.apply(game("defaulted", "{image: nginx, host: a.io}"));
    expect((await kubectl.get("game", "defaulted")).spec.replicas).toBe(1);
    await kubectl.run("delete", "game", "defaulted");
    const refused = await kubectl.attemptApply(game("refused", "{replicas: 0}"));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("should be greater than or equal to 1");
  });

  it.each(["deployment", "service", "ingress"])("makes a deleted %s again", async (resource) => {
    const before = (await kubectl.get(resource, "game-sample")).metadata.uid;
    await kubectl.run("delete", resource, "game-sample");
    await eventually(async () => {
      expect((await kubectl.get(resource, "game-sample")).metadata.uid).not.toBe(before);
    });
  });

  it("undoes a change to the Deployment", async () => {
    await kubectl.run("scale", "deployment", "game-sample", "--replicas", "5");
    await eventually(async () => {
      expect((await kubectl.get("deployment", "game-sample")).spec.replicas).toBe(2);
    });
  });

  it("recovers from an API server that is killed for five seconds, and misses nothing", async () => {
    // What happens behind the operator's back must be seen too, so it is changed while the operator is cut off.
    await environment.killApiServer();
    await sleep(5_000);
    await environment.startApiServer();
    await kubectl.run("delete", "service", "game-sample");
    await kubectl.run("scale", "games.myapp.qingwave.github.io", "game-sample", "--replicas", "3");
    await eventually(async () => {
      await kubectl.get("service", "game-sample");
      expect((await kubectl.get("deployment", "game-sample")).spec.replicas).toBe(3);
      expect((await kubectl.get("game", "game-sample")).status).toMatchObject({ phase: "Running", readyReplicas: 3 });
    }, 60_000);
    expect(operator?.running).toBe(true);
  });

  it("leaves the children of a deleted Game to the garbage collector", async () => {
    await kubectl.run("delete", "game", "game-sample");
    await eventually(async () => {
      expect((await kubectl.run("get", "deployment,service,ingress", "-o", "name")).trim()).toBe("service/kubernetes");
    }, 60_000);
  });

  it("ends with exit code 0 on SIGTERM, sent to npm alone or to its whole group", async () => {
    // npm passes the signal on and gives its script's exit code.
    expect(await operator?.end("SIGTERM")).toBe(0);
    operator = startOperator();
    await eventually(() => expect(operator?.output).toContain("Starting workers"));
    expect(await operator.endGroup("SIGTERM")).toBe(0);
  });
});
