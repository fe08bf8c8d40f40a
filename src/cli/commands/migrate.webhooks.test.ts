// Webhooks of a Go project that controller-gen doesn't configure.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  bases,
  controller,
  definition,
  directoryBeside,
  hooks,
  migrate,
  project,
  text,
  widget,
} from "../test-support/go-project.ts";
import { runCli } from "../test-support/run-cli.ts";

it("scaffold migrate configures no webhooks without markers, because controller-gen generates no configuration", async () => {
  const root = directoryBeside({
    PROJECT: project(widget("v1", `${hooks}  controller: true\n`)),
    [bases]: definition,
    "internal/controller/widget_controller.go": controller("// +kubebuilder:rbac:groups=core,resources=pods,verbs=get"),
  });
  const { code, stderr } = await migrate(root);
  expect(code).toBe(0);
  expect(stderr).toContain("no configuration makes the API server call the webhooks of Widget");
  expect(text(root, "src/webhook/v1/widget-webhook.ts")).not.toContain("+kubebuilder:webhook:");
  expect(text(root, "config/webhook/kustomization.yaml")).not.toContain("manifests.yaml");
  expect(text(root, "config/default/kustomization.yaml")).not.toMatch(/^ +kind: \w+WebhookConfiguration$/m);
  expect(await runCli(root, ["generate", "webhook", "paths=./..."])).toMatchObject({ code: 0 });
  expect(existsSync(join(root, "config/webhook/manifests.yaml"))).toBe(false);
});
