// Invalid calls of create api --from-crd.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { createApi, initProject } from "../../../scaffold/test-support/game.ts";
import { madeOnce } from "../../../scaffold/test-support/tree.ts";
import { expectRefusal, type Row } from "../../test-support/refusal.ts";
import { runCli } from "../../test-support/run-cli.ts";

describe("create api --from-crd", () => {
  const crd = (change: (text: string) => string = (text) => text) =>
    change(readFileSync(join(import.meta.dirname, "../../../../testdata/from-crd/everything.yaml"), "utf8"));
  const game = madeOnce(async (root) => {
    await initProject(root);
    writeFileSync(join(root, "crd.yaml"), crd());
    writeFileSync(join(root, "two.yaml"), `${crd()}---\n${crd((text) => text.replace("widgetry.", "gadgets."))}`);
    writeFileSync(
      join(root, "old.yaml"),
      crd((text) => text.replace("k8s.io/v1", "k8s.io/v1beta1")),
    );
    writeFileSync(join(root, "pod.yaml"), "apiVersion: v1\nkind: Pod\n");
    writeFileSync(join(root, "chart.yaml"), "{{- if .Values.crds }}\nkind: X\n");
    writeFileSync(join(root, "empty.yaml"), "");
    writeFileSync(
      join(root, "bare.yaml"),
      crd((text) => text.replace(/openAPIV3Schema(?!.*openAPIV3Schema)/s, "other")),
    );
    writeFileSync(
      join(root, "kind.yaml"),
      crd((text) => text.replace("kind: Widget\n", "kind: ../Widget\n")),
    );
    writeFileSync(
      join(root, "own.yaml"),
      crd((text) => text.replaceAll("tools.example.org", "myapp.qingwave.github.io")),
    );
    await createApi(root);
  });
  const call = "create api --from-crd";
  it.each<Row>([
    ["no value", call, 2, "--from-crd needs a value"],
    ["a missing file", `${call} none.yaml`, 1, "can't be read: no such file"],
    ["a directory", `${call} .`, 1, "can't be read: it is a directory"],
    ["another object", `${call} pod.yaml`, 2, "holds no CustomResourceDefinition, but Pod"],
    ["nothing", `${call} empty.yaml`, 2, "holds no CustomResourceDefinition, but nothing"],
    ["a template", `${call} chart.yaml`, 2, "can't be read as YAML or JSON"],
    [
      "several",
      `${call} two.yaml`,
      2,
      "holds several CustomResourceDefinitions: widgetry.tools.example.org, gadgets.tools",
    ],
    ["v1beta1", `${call} old.yaml`, 2, 'is a CustomResourceDefinition of "apiextensions.k8s.io/v1beta1"'],
    ["no schema", `${call} bare.yaml`, 2, 'has no schema in its version "v1alpha1"'],
    ["an invalid kind", `${call} kind.yaml`, 2, 'kind "../Widget" is not a DNS label'],
    ["another kind", `${call} crd.yaml --kind Chess`, 2, "doesn't match the CustomResourceDefinition: it has Widget"],
    [
      "another version",
      `${call} crd.yaml --version v3`,
      2,
      "doesn't match the CustomResourceDefinition: it has v1, v1alpha1",
    ],
    ["another scope", `${call} crd.yaml --namespaced`, 2, "its scope is Cluster"],
    ["no types", `${call} crd.yaml --resource=false`, 2, "--from-crd can't be combined with --resource=false"],
    ["--external without a CRD", "create api --external --kind Widget", 2, "--external requires --from-crd"],
    [
      "types from an external package at the same time",
      `${call} crd.yaml --external-api-path x`,
      2,
      "can't be combined",
    ],
  ])("rejects %s: %s", (...row) => expectRefusal(game, row));

  const external = madeOnce(async (root) => {
    await initProject(root);
    writeFileSync(join(root, "crd.yaml"), crd());
    await runCli(root, ["create", "api", "--from-crd", "crd.yaml", "--external"]);
  });
  it.each<Row>([
    ["the same kind again", `${call} crd.yaml --external`, 1, "already exists"],
    ["the same kind as the project's own kind", `${call} crd.yaml`, 1, "it is an external kind, in v1"],
    [
      "types from a package for it",
      "create api --group tools.example.org --version v1 --kind Widget --external-api-path @acme/tools/v1",
      1,
      "has its types in this project",
    ],
  ])("rejects for an external kind %s: %s", (...row) => expectRefusal(external, row));
});
