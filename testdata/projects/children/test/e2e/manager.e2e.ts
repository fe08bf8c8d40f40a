/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Builds the image, deploys it and checks that the manager runs. "make test-e2e" creates the Kind cluster and runs these tests.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const namespace = "children-system";
const image = "example.com/children:v0.0.1";
const kubectl = process.env.KUBECTL || "kubectl";
const kind = process.env.KIND || "kind";
const cluster = process.env.KIND_CLUSTER || "children-test-e2e";
const context = `kind-${cluster}`;
const kubewright = createRequire(import.meta.url).resolve("kubewright/package.json");
const scaffold = join(dirname(kubewright), "bin/scaffold.js");

/** Runs a program and returns its stdout. Throws if it fails. */
function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, IMG: image },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Installs cert-manager if the deployment needs it. Set CERT_MANAGER_INSTALL_SKIP=true if the cluster already has it. */
function installCertManager(): void {
  const needed = /^- \.\.\/certmanager$/m.test(readFileSync("config/default/kustomization.yaml", "utf8"));
  if (!needed || process.env.CERT_MANAGER_INSTALL_SKIP === "true") return;
  const release = "https://github.com/cert-manager/cert-manager/releases/download/v1.21.0/cert-manager.yaml";
  run(kubectl, ["apply", "--server-side", "-f", release]);
  const ready = ["--for", "condition=Available", "--timeout", "5m"];
  run(kubectl, ["wait", "deployment.apps/cert-manager-webhook", "--namespace", "cert-manager", ...ready]);
}

beforeAll(() => {
  run(kubectl, ["config", "use-context", context]);
  installCertManager();
  run(process.execPath, [scaffold, "docker-build"]);
  run(kind, ["load", "docker-image", image, "--name", cluster]);
  run(process.execPath, [scaffold, "deploy"]);
});

afterAll(() => {
  run(process.execPath, [scaffold, "undeploy", "--ignore-not-found"]);
});

it("runs a manager Pod that becomes ready", async () => {
  await vi.waitFor(
    () => {
      const manager = "control-plane=controller-manager";
      const pods = run(kubectl, ["get", "pods", "-n", namespace, "-l", manager, "-o", "json"]);
      const [pod] = JSON.parse(pods).items;
      expect(pod?.status?.containerStatuses?.[0]?.ready, pods).toBe(true);
    },
    { timeout: 180_000, interval: 2_000 },
  );
});

it("acquires the leader election Lease", async () => {
  await vi.waitFor(
    () => {
      const leases = run(kubectl, ["get", "leases", "-n", namespace, "-o", "json"]);
      expect(JSON.parse(leases).items[0]?.spec?.holderIdentity).toBeTruthy();
    },
    { timeout: 120_000, interval: 2_000 },
  );
});

// +kubebuilder:scaffold:e2e-webhooks-checks
