// The checks of the doctor that need a cluster, with a real API server and the real kubectl.

import { selfSignedCertificate } from "@kubewright/runtime/dev";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Kubectl, kubectlPath } from "../../../scripts/test-support/kubectl.ts";
import { createApi, createWebhook, initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

const environment = new TestEnvironment();
beforeAll(() => environment.start());
afterAll(() => environment.stop());

it("doctor prints the cluster, the user and the state of the webhooks' certificate", async () => {
  const root = testDirectory();
  await initProject(root, { webhookCerts: "self" });
  await createApi(root);
  await createWebhook(root, { defaulting: true });
  const doctor = async () => {
    const env = { PATH: process.env.PATH ?? "", KUBECONFIG: environment.kubeconfigPath, KUBECTL: kubectlPath() };
    return (await runCli(root, ["doctor"], { env })).stdout;
  };
  const before = await doctor();
  expect(before).toMatch(/✓ cluster v1\.\d+\.\d+: context \S+ as \S+\n/);
  expect(before).not.toContain("webhook certificate");

  const kubectl = new Kubectl(environment.kubeconfigPath);
  await kubectl.run("create", "namespace", "mygame-system");
  const { cert } = await selfSignedCertificate(["localhost"]);
  const metadata = { name: "mygame-webhook-server-cert", namespace: "mygame-system" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata };
  await kubectl.apply(JSON.stringify(secret));
  expect(await doctor()).toContain(
    "! webhook certificate in Secret mygame-system/mygame-webhook-server-cert: not created",
  );
  await kubectl.apply(JSON.stringify({ ...secret, data: { "tls.crt": Buffer.from(cert).toString("base64") } }));
  expect(await doctor()).toContain(
    "✓ webhook certificate in Secret mygame-system/mygame-webhook-server-cert: valid until",
  );
});
