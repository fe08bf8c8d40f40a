import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApiServer } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { gameProject } from "./dev-session.ts";
import { testTakeover } from "./takeover-suite.ts";

testTakeover(async (crds) => {
  const server = await startApiServer({ crdDirectoryPaths: [crds], controllers: { workloads: true } });
  return { config: server.config, kubeconfig: server.kubeconfig(), stop: () => server.stop() };
});

it("T3: --cluster doesn't change a cluster on another machine without confirmation", async () => {
  const root = await gameProject();
  const kubeconfig = join(root, "far.kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "far", cluster: { server: "https://192.0.2.1:6443" } }],
    users: [{ name: "far", user: { token: "x" } }],
    contexts: [{ name: "far", context: { cluster: "far", user: "far" } }],
    "current-context": "far",
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  try {
    const { code, stderr } = await run(process.execPath, [scaffoldBin, "dev", "--cluster"], {
      cwd: root,
      env: { ...process.env, CI: "", KUBECONFIG: kubeconfig },
    });
    expect([code, stderr]).toEqual([1, "error: can't start: context far isn't local\n  hint: use --yes to use it\n"]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
