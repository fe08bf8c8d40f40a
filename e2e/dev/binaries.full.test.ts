// Tests `scaffold dev` with kube-apiserver: as an existing cluster with a running operator, and as its own engine.
import { readFileSync } from "node:fs";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { expect, it } from "vitest";
import { Dev, gameProject, processesWith } from "./dev-session.ts";
import { testTakeover } from "./takeover-suite.ts";

testTakeover(async (crds) => {
  const environment = new TestEnvironment({ crdDirectoryPaths: [crds], engine: "binaries" });
  const config = await environment.start();
  return { config, kubeconfig: readFileSync(environment.kubeconfigPath, "utf8"), stop: () => environment.stop() };
});

it("T4: --engine binaries runs the loop with etcd and kube-apiserver, and ends them", async () => {
  const dev = new Dev(await gameProject(), {}, "--engine", "binaries");
  try {
    const ready = await dev.event("ready");
    expect(ready).toMatchObject({ engine: "binaries" });
    await dev.event("reconciled", ({ error }) => error === undefined);
    expect(dev.lines.filter(({ event }) => event === "started")).toHaveLength(1);
    const before = dev.edit(
      "api/v1/game-types.ts",
      "  /** Docker image name */",
      "  players?: Int32;\n\n  /** Docker image name */",
    );
    await dev.event("applied", undefined, before);
    const transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.myapp.qingwave.github.io";
    expect(JSON.stringify((await transport.request({ method: "GET", path })).body)).toContain('"players"');
    const version = (await transport.request({ method: "GET", path: "/version" })).body;
    expect(version).toMatchObject({ gitVersion: expect.stringMatching(/^v1\.\d+/) });
    await transport.close();
    expect(await dev.ask("status")).toMatchObject({ engine: "binaries", restorable: false });
    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(0);
    expect(await processesWith(dev.root)).toEqual([]);
  } finally {
    await dev.remove();
  }
});
