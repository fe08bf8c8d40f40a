// The golden projects again, installed from their charts: with what Helm gives them, and nothing beside. Needs Go, for Helm.
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

/** As the release that kustomize's prefix and namespace stand for, or one of another name. */
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
/** A release is upgraded while its operator runs. */
const upgraded: OperatorUnderTest = {
  ...selfManaged,
  tests: (operator) => {
    selfManaged.tests(operator);

    it("is upgraded by Helm, and the API server goes on believing it", async () => {
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
describe("webhooks that make their certificates, as a release of its own name", () =>
  testPermissions(upgraded, withHelm(release)));
describe("multigroup, of one namespace", () => testPermissions(multigroup, withHelm()));
