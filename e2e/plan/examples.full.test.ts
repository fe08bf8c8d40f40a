// The plan of each example without an external system, and what a real run of its operator then writes.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { loadAll } from "js-yaml";
import { expect, it, onTestFinished, vi } from "vitest";
import { expectOutput } from "../../scripts/test-support/output-schema.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { attemptScaffold, checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { examples } from "../examples/examples.ts";
import { expectRealRun } from "./real-run.ts";
import type { PlanDocument } from "./result.ts";

const planned = {
  "deploy-image": ["create Deployment", "update Memcached"],
  game: ["create Deployment", "update Game", "create Ingress", "create Service"],
  memcached: ["create Deployment", "update Memcached"],
  mywebserver: ["create Deployment", "create Service"],
  website: ["create Deployment", "create Service", "update Website"],
};

it.each(Object.entries(planned))("the plan of %s equals a real run", async (name, expected) => {
  vi.stubEnv("MEMCACHED_IMAGE", "memcached:1.6.26-alpine3.19");
  onTestFinished(() => void vi.unstubAllEnvs());
  const directory = mkdtempSync(join(tmpdir(), "plan-example-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const project = join(directory, name);
  mkdirSync(project);
  const { init = "", api = "", parts = [] } = examples[name] ?? {};
  await scaffold(project, "init", ...init.split(" "), "--fetch-deps=false");
  await scaffold(project, "create", "api", ...api.split(" "), "--kstatus=false");
  cpSync(join(checkout, "examples", parts[0] ?? ""), project, { recursive: true });
  await linkPackages(project);
  await scaffold(project, "manifests");
  const environment = new TestEnvironment({
    crdDirectoryPaths: [join(project, "config/crd/bases")],
    engine: "embedded",
  });
  onTestFinished(() => environment.stop());
  const client = createClient(await environment.start());
  const kubeconfig = join(directory, "kubeconfig");
  writeFileSync(kubeconfig, environment.kubeconfig);
  const samples = join(project, "config/samples");
  for (const file of readdirSync(samples).filter((file) => file !== "kustomization.yaml")) {
    const [sample] = loadAll(readFileSync(join(samples, file), "utf8")) as [{ metadata: object; spec?: object }];
    // The scaffolded sample of the Website lacks a required field.
    const spec = { ...sample.spec, ...(name === "website" ? { image: "nginx:1.29" } : {}) };
    await client.create({ ...sample, spec, metadata: { ...sample.metadata, namespace: "default" } } as never);
  }
  const plan = async (): Promise<PlanDocument> => {
    const { stdout } = await attemptScaffold(project, "plan", "--kubeconfig", kubeconfig, "--json");
    const document = JSON.parse(stdout) as PlanDocument;
    expectOutput("plan", document);
    expect(document.failed).toEqual([]);
    return document;
  };
  const first = await plan();
  expect(first.changes.map(({ action, kind }) => `${action} ${kind}`)).toEqual(expected);
  await expectRealRun(project, { planned: first, client, kubeconfig });
  expect((await plan()).changes).toEqual([]);
});
