// The golden projects again, installed from their charts: with what Helm gives them, and nothing beside. Needs Go, for Helm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import { buildHelm, type Helm } from "../lib/helm.ts";
import { game, multigroup, webhooks } from "./operators.ts";
import { type Deploy, testRights } from "./rights.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-helm-"));
let helm: Helm;
beforeAll(async () => {
  helm = await buildHelm(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** As the release that kustomize's prefix and namespace stand for. */
const withHelm: Deploy = async (root, namespace, kubectl) => {
  const { code, stderr } = await runCli(root, ["edit", "--helm"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const release = namespace.replace(/-system$/, "");
  const call = (...args: string[]) =>
    helm.run(root, ...args, "--namespace", namespace, "--kubeconfig", kubectl.kubeconfig);
  await call("install", release, "chart", "--create-namespace");
  return call("get", "manifest", release);
};

describe("game", () => testRights(game, withHelm));
describe("webhooks", () => testRights(webhooks, withHelm));
describe("multigroup, of one namespace", () => testRights(multigroup, withHelm));
