import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../test-support/run-cli.ts";

const types = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {
  // +kubebuilder:validation:Pattern="(?=x)"
  name?: string;
}
`;
const options = ["crd", "paths=./api/...", "output:crd:dir=crds"];

function directory(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-refused-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "api/v1"), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  return root;
}

describe("types that the API server rejects", () => {
  it.each([
    ["are an error in a project, and nothing is written", { PROJECT: 'version: "3"\n' }, [], 1, false],
    ["are written with a warning outside of projects, as controller-gen does", {}, [], 0, true],
    ["are an error with --strict outside of projects", {}, ["--strict"], 1, false],
  ] as const)("%s", async (_what, files, flags, code, isWritten) => {
    const root = directory({ ...files, "api/v1/thing.ts": types });
    const ran = await runCli(root, ["generate", ...flags, ...options]);
    expect({ code: ran.code, isWritten: existsSync(join(root, "crds/example.com_things.yaml")) }).toEqual({
      code,
      isWritten,
    });
    expect(ran.stderr).toContain("[bad-pattern]");
  });

  it("are written with a warning outside of projects for roles and webhooks, too", async () => {
    const markers = `// +kubebuilder:rbac:resources=deployments,verbs=get
// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=never,sideEffects=None,groups=a.io,resources=as,verbs=create,versions=v1,name=v.a.io,admissionReviewVersions=v1
`;
    const root = directory({ "api/v1/thing.ts": `${markers}\nexport {};\n` });
    const ran = await runCli(root, ["generate", "rbac:roleName=r", "webhook", "paths=./api/...", "output:dir=out"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("rbac-without-group");
    expect(ran.stderr).toContain("webhook-failure-policy");
    expect(existsSync(join(root, "out/role.yaml"))).toBe(true);
  });
});
