// Runs the golden projects with only the permissions that their Helm charts contain. Needs Go, for Helm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildHelm, type Helm } from "../../scripts/test-support/helm.ts";
import { attemptScaffold } from "../../scripts/test-support/scaffold.ts";
import { game, multigroup, webhooks } from "./operators.ts";
import { type Deploy, type OperatorUnderTest, testPermissions } from "./permissions.ts";
import { bundles, namesOf, selfManaged } from "./self.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-helm-"));
let helm: Helm;
beforeAll(async () => {
  helm = await buildHelm(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Installs the chart with the release name that corresponds to kustomize's prefix, or with another one. */
const withHelm =
  (name?: string): Deploy =>
  async (root, namespace, kubectl) => {
    const { code, stderr } = await attemptScaffold(root, "edit", "--helm");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const release = name ?? namespace.replace(/-system$/, "");
    const call = (...args: string[]) =>
      helm.run(root, ...args, "--namespace", namespace, "--kubeconfig", kubectl.kubeconfig);
    await call("install", release, "chart", "--create-namespace");
    return call("get", "manifest", release);
  };

const release = "shop";
/** Adds a test that upgrades the release while the operator runs. */
const upgraded: OperatorUnderTest = {
  ...selfManaged,
  tests: (operator) => {
    selfManaged.tests(operator);

    it("keeps its webhook certificates during an upgrade by Helm", async () => {
      const { root, namespace, kubectl } = operator;
      const names = await namesOf(operator);
      const before = await bundles(kubectl(), names);
      const args = ["--namespace", namespace, "--kubeconfig", kubectl().kubeconfig, "--set", "manager.replicas=2"];
      await helm.run(root, "upgrade", release, "chart", ...args);
      const [deployment] = JSON.parse(await kubectl().run("get", "deployments", "-n", namespace, "-o", "json")).items;
      expect(deployment.spec.replicas).toBe(2);
      expect(await bundles(kubectl(), names)).toEqual(before);
      expect((await kubectl().attempt("get", "games.v2.crew.example.com", "sample", "-n", "default")).code).toBe(0);
      await kubectl().run("annotate", "games.v1.crew.example.com", "sample", "-n", "default", "a=b");
    });
  },
};

describe("game", () => testPermissions(game, withHelm()));
describe("webhooks", () => testPermissions(webhooks, withHelm()));
describe("webhooks that create their certificates, with another release name", () =>
  testPermissions(upgraded, withHelm(release)));
describe("multigroup, in one namespace", () => testPermissions(multigroup, withHelm()));
