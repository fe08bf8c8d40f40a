// Follows the article about Game: scaffold, types, controller, manifests, install, run, get, scale, drift.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const golden = (name: string) => readFileSync(new URL(`testdata/${name}`, import.meta.url), "utf8");

/** Defines the tests. `whole` adds the project's own installation of packages, and a killed API server. */
export function testGame({ whole }: { readonly whole: boolean }): void {
  const bench = new Workbench("mygame");

  beforeAll(() => bench.open());
  afterAll(() => bench.close());
  printTable("Game");

  describe("Game 2048", { sequential: true }, () => {
    it("is scaffolded with the article's commands", async () => {
      const flags = ["--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame"];
      // The whole test installs the packages as a reader does. Other articles share packages.
      await (whole ? bench.scaffold("init", ...flags) : bench.init(...flags));
      await bench.scaffold("create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game", "--kstatus=false");
      expect(bench.read("PROJECT")).toContain("kind: Game");
    });

    if (whole) {
      it("passes manifests, build, typecheck, lint and test without an edit", async () => {
        await bench.make("manifests");
        await bench.make("build");
        await bench.checkCode();
      });
    }

    it("generates manifests from the article's types and controller", async () => {
      bench.copyExample("game");
      await bench.make("manifests");
      await bench.run(["npm", "run", "manifests"]);
    });

    if (whole) it("passes all checks with the article's types and controller", () => bench.checkCode());

    it("generates the CRD and the role of the golden files", () => {
      expect(bench.read("config/crd/bases/myapp.qingwave.github.io_games.yaml")).toBe(golden("crd.yaml"));
      expect(bench.read("config/rbac/role.yaml")).toBe(golden("role.yaml"));
    });

    it("installs the CRD with make install, twice", async () => {
      await bench.make("install");
      await bench.make("install");
      const crd = "crd/games.myapp.qingwave.github.io";
      await bench.kubectl.run("wait", "--for=condition=Established", crd, "--timeout=90s");
    });

    it("runs with make run, which passes flags on", async () => {
      await bench.startOperator({ by: "make run" });
      expect(bench.operator.output).toContain("127.0.0.1:");
    });

    it("starts with npm start", async () => {
      await bench.make("build");
      await bench.startOperator();
    });

    it("creates the children of the sample with owner references", async () => {
      await bench.kubectl.run("apply", "-f", "config/samples/myapp_v1_game.yaml");
      const game = await bench.kubectl.get("game", "game-sample");
      for (const resource of ["deployment", "service", "ingress"]) {
        const child = await eventually(() => bench.kubectl.get(resource, "game-sample"));
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
      const deployment = await bench.kubectl.get("deployment", "game-sample");
      expect(deployment.spec.replicas).toBe(1);
      expect(deployment.spec.template.spec.containers[0].image).toBe("alexwhen/docker-2048");
      const ingress = await bench.kubectl.get("ingress", "game-sample");
      expect(ingress.spec.rules[0].host).toBe("mygame.io");
    });

    it("reports phase, replicas and label selector in the status", async () => {
      await eventually(async () => {
        expect((await bench.kubectl.get("game", "game-sample")).status).toEqual({
          phase: "Running",
          replicas: 1,
          readyReplicas: 1,
          labelSelector: "qingwave.github.io/game=game-sample",
        });
      });
    });

    it("shows the printer columns in kubectl get game", async () => {
      const [header, row] = (await bench.kubectl.run("get", "game")).trim().split("\n");
      expect(header?.split(/\s+/)).toEqual(["NAME", "PHASE", "HOST", "DESIRED", "CURRENT", "READY", "AGE"]);
      expect(row?.split(/\s+/).slice(0, 6)).toEqual(["game-sample", "Running", "mygame.io", "1", "1", "1"]);
    });

    it("scales through the scale subresource", async () => {
      await bench.kubectl.run("scale", "games.myapp.qingwave.github.io", "game-sample", "--replicas", "2");
      await eventually(async () => {
        expect((await bench.kubectl.get("deployment", "game-sample")).spec.replicas).toBe(2);
        const { status } = await bench.kubectl.get("game", "game-sample");
        expect(status).toMatchObject({ phase: "Running", replicas: 2, readyReplicas: 2 });
      });
    });

    it("defaults replicas to 1 and rejects 0 by the schema", async () => {
      const game = (name: string, spec: string) =>
        `apiVersion: myapp.qingwave.github.io/v1\nkind: Game\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
      await bench.kubectl.apply(game("defaulted", "{image: nginx, host: a.io}"));
      expect((await bench.kubectl.get("game", "defaulted")).spec.replicas).toBe(1);
      await bench.kubectl.run("delete", "game", "defaulted");
      const refused = await bench.kubectl.attemptApply(game("refused", "{replicas: 0}"));
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("should be greater than or equal to 1");
    });

    it.each(["deployment", "service", "ingress"])("recreates a deleted %s", async (resource) => {
      const before = (await bench.kubectl.get(resource, "game-sample")).metadata.uid;
      await bench.kubectl.run("delete", resource, "game-sample");
      await eventually(async () => {
        expect((await bench.kubectl.get(resource, "game-sample")).metadata.uid).not.toBe(before);
      });
    });

    it("reverts a change to the Deployment", async () => {
      await bench.kubectl.run("scale", "deployment", "game-sample", "--replicas", "5");
      await eventually(async () => {
        expect((await bench.kubectl.get("deployment", "game-sample")).spec.replicas).toBe(2);
      });
    });

    if (whole) {
      it("recovers after the API server was down for five seconds, and reconciles later changes", async () => {
        // These changes are made before the operator has reconnected, so it must find them when it lists again.
        await bench.environment.killApiServer();
        await sleep(5_000);
        await bench.environment.startApiServer();
        await bench.kubectl.run("delete", "service", "game-sample");
        await bench.kubectl.run("scale", "games.myapp.qingwave.github.io", "game-sample", "--replicas", "3");
        await eventually(async () => {
          await bench.kubectl.get("service", "game-sample");
          expect((await bench.kubectl.get("deployment", "game-sample")).spec.replicas).toBe(3);
          expect((await bench.kubectl.get("game", "game-sample")).status).toMatchObject({
            phase: "Running",
            readyReplicas: 3,
          });
        });
        expect(bench.operator.running).toBe(true);
      });
    }

    it("leaves the children of a deleted Game to the garbage collector", async () => {
      await bench.kubectl.run("delete", "game", "game-sample");
      await eventually(async () => {
        expect((await bench.kubectl.run("get", "deployment,service,ingress", "-o", "name")).trim()).toBe(
          "service/kubernetes",
        );
      });
    });

    it("ends gracefully on SIGTERM, which npm passes on", async () => {
      expect(await bench.stopOperator()).toBe(0);
    });
  });
}
