// Tests the example of the README and the landing page, and the files that are generated from it (vitest -u writes
// them).
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stored } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { fakeClient, testContext } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { runCli } from "../../../src/cli/test-support/run-cli.ts";
import { Website } from "../../../testdata/projects/website/api/v1/index.ts";
import { WebsiteReconciler } from "../../../testdata/projects/website/src/controller/website-controller.ts";
import { WebsiteValidator } from "./website-webhook.ts";

const format = { indentSeq: false, lineWidth: 0 };
const project = mkdtempSync(join(tmpdir(), "kubewright-front-page-"));
const generated = (path: string) => parse(readFileSync(join(project, "config", path), "utf8"));

beforeAll(async () => {
  const example = join(import.meta.dirname, "../../../testdata/projects/website");
  for (const folder of ["api", "src"]) cpSync(join(example, folder), join(project, folder), { recursive: true });
  cpSync(join(import.meta.dirname, "website-webhook.ts"), join(project, "src/website-webhook.ts"));
  const { code, stderr } = await runCli(project, [
    "generate",
    "crd",
    "rbac:roleName=manager-role",
    "webhook",
    "paths=./...",
  ]);
  expect(stderr).not.toMatch(/error|warning/);
  expect(code).toBe(0);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it("the types generate the CRD, of which the pages show the schema of spec", async () => {
  const [version] = generated("crd/web.example.com_websites.yaml").spec.versions;
  const { spec } = version.schema.openAPIV3Schema.properties;
  await expect(stringify({ spec }, format)).toMatchFileSnapshot("generated/website-spec.yaml");
});

it("the markers generate the role and the webhook configuration", async () => {
  await expect(stringify(generated("rbac/role.yaml"), format)).toMatchFileSnapshot("generated/role.yaml");
  await expect(stringify(generated("webhook/manifests.yaml"), format)).toMatchFileSnapshot("generated/manifests.yaml");
});

// #region test
it("runs the image of the website", async () => {
  const spec = { image: "nginx:1.29", replicas: 2 };
  const metadata = { namespace: "shop", name: "docs" };
  const website = { apiVersion: "web.example.com/v1", kind: "Website", metadata, spec };
  const client = fakeClient({ objects: [website], statusSubresource: [Website] });

  await new WebsiteReconciler(client).reconcile(testContext(), metadata);

  const deployment = await client.get(Deployment, metadata);
  expect(deployment.spec?.replicas).toBe(2);
});
// #endregion test

it("applies a Deployment that the Website owns", async () => {
  const metadata = { namespace: "shop", name: "docs" };
  const uid = "0d8f3a52-7c1e-4a0b-9d3e-6b1f2c4e8a90";
  const website: Website = { ...Website, metadata: { ...metadata, uid }, spec: { image: "nginx:1.29", replicas: 2 } };
  const client = fakeClient({ objects: [website], statusSubresource: [Website] });
  await new WebsiteReconciler(client).reconcile(testContext(), metadata);
  const { apiVersion, kind, metadata: applied, spec } = await client.get(Deployment, metadata);
  expect(applied.ownerReferences).toMatchObject([{ kind: "Website", name: "docs", uid, controller: true }]);
  const [{ name, image } = {}] = spec?.template.spec?.containers ?? [];
  const shown = {
    apiVersion,
    kind,
    metadata: { ...metadata, ownerReferences: applied.ownerReferences },
    spec: {
      replicas: spec?.replicas,
      selector: spec?.selector,
      template: { metadata: { labels: spec?.template.metadata?.labels }, spec: { containers: [{ name, image }] } },
    },
  };
  await expect(stringify(shown, format)).toMatchFileSnapshot("generated/deployment.yaml");
});

it("does nothing for a deleted Website", async () => {
  const client = fakeClient();
  await new WebsiteReconciler(client).reconcile(testContext(), { namespace: "shop", name: "docs" });
  expect((await client.list(Deployment)).items).toEqual([]);
});

it("rejects latest", () => {
  const website = (image: string) => ({ metadata: { name: "docs" }, spec: { image } }) as Stored<Website>;
  const validator = new WebsiteValidator();
  expect(() => validator.validateCreate(testContext(), website("nginx:latest"))).toThrow("set a version");
  validator.validateUpdate(testContext(), website("nginx:latest"), website("nginx:1.29"));
});
