// CRDs of a Go project that aren't in the usual form or place.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bases,
  definition,
  directoryBeside,
  type Files,
  main,
  migrate,
  project,
  text,
  widget,
  widgets,
} from "../test-support/go-project.ts";

describe("scaffold migrate", () => {
  it("uses the copy of a CRD with the most versions in PROJECT", async () => {
    const old = definition.replace("  - name: v1\n", "  - name: v1beta1\n");
    const root = directoryBeside({
      PROJECT: project(widgets),
      "deploy/crds/a.yaml": old,
      "deploy/operator.yaml": definition,
    });
    expect(await migrate(root)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the types of Widget are from deploy/operator.yaml"),
    });
  });

  it("uses the copy of a CRD with the most versions, and of the newest generator, in two likely files", async () => {
    const from = (version: string) =>
      definition.replace("  annotations:\n", `$&    controller-gen.kubebuilder.io/version: ${version}\n`);
    const migrated = async (files: Files) => {
      const root = directoryBeside({ PROJECT: project(widget("v1")), ...files });
      return (await migrate(root)).stderr;
    };
    const oneVersion = definition.slice(0, definition.indexOf("  - name: v1alpha1\n"));
    const older = { "deploy/crds/a.yaml": oneVersion, "deploy/crds/b.yaml": definition };
    expect(await migrated(older)).toContain("the types of Widget are from deploy/crds/b.yaml");
    const newer = { "deploy/crds/a.yaml": from("v0.9.0"), "deploy/crds/b.yaml": from("v0.16.0") };
    expect(await migrated(newer)).toContain("the types of Widget are from deploy/crds/b.yaml");
  });

  it("keeps the storage version of the CRD if PROJECT records the hub of a conversion in another version", async () => {
    const conversion = "  webhooks:\n    conversion: true\n    spoke:\n    - v1\n    webhookVersion: v1\n";
    const root = directoryBeside({
      PROJECT: project(widget("v1alpha1", conversion) + widget("v1")),
      [bases]: definition,
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(text(root, "api/v1/widget-types.ts")).toContain("// +kubebuilder:storageversion\n");
    expect(text(root, "api/v1alpha1/widget-types.ts")).not.toContain("storageversion");
    expect(stderr).toContain(
      "the hub of Widget is v1alpha1, because PROJECT records the conversion there, and the storage version is v1",
    );
  });

  it("reads CRDs of old versions of controller-gen, which have an empty status", async () => {
    const status = 'status:\n  acceptedNames:\n    kind: ""\n    plural: ""\n  conditions: []\n  storedVersions: []\n';
    const root = directoryBeside({ PROJECT: project(widgets), [bases]: definition + status });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(root, "api/v1/widget-types.ts"))).toBe(true);
  });

  it("leaves out CRDs that the API server rejects, and those with an earlier plural of the same kind", async () => {
    const plural = (name: string) => definition.replaceAll("widgetry", name);
    const from = (version: string, text: string) =>
      text.replace("  annotations:\n", `$&    controller-gen.kubebuilder.io/version: ${version}\n`);
    const root = directoryBeside({
      PROJECT: project(widgets),
      "config/crd/bases/tools.example.org_Widget.yaml": plural("Widget"),
      "config/crd/bases/tools.example.org_widgets.yaml": from("v0.9.0", plural("widgets")),
      [bases]: from("v0.17.0", definition),
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'config/crd/bases/tools.example.org_Widget.yaml is left out, because the API server rejects it: --plural "Widget"',
    );
    expect(stderr).toContain(
      "widgets.tools.example.org is left out: widgetry.tools.example.org is a newer definition of Widget",
    );
    expect(text(root, "PROJECT").match(/kind: Widget/g)).toHaveLength(2);
    expect(text(root, "PROJECT")).toContain("plural: widgetry");
  });

  it("leaves out the CRD of a kind whose package has only types of other kinds", async () => {
    const gone = widget("v1", "  controller: true\n").replaceAll("Widget", "Gone").replace("widgetry", "gones");
    const files = {
      PROJECT: project(widgets + gone),
      [bases]: definition,
      "config/crd/bases/tools.example.org_gones.yaml": definition
        .replaceAll("widgetry", "gones")
        .replaceAll("Widget", "Gone"),
    };
    const types = (kind: string) => ({ "api/v1/types.go": `package v1\n\ntype ${kind} struct {\n}\n` });
    const root = directoryBeside({ ...files, ...types("Widget") });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(stderr).toContain("gones.tools.example.org is left out: the package of Gone in PROJECT has no type");
    expect(stderr).toContain("not taken over: Gone of tools.example.org/v1 is in PROJECT, but the Go code has no type");
    expect(text(root, "PROJECT")).not.toContain("Gone");
    // The types may be in another place.
    const unknown = directoryBeside({ ...files, ...types("Other") });
    expect(await migrate(unknown)).toMatchObject({ code: 0 });
    expect(existsSync(join(unknown, "api/v1/gone-types.ts"))).toBe(true);
  });

  it("leaves out CRDs for tests that PROJECT doesn't name", async () => {
    const other = definition.replaceAll("widgetry", "gadgets").replaceAll(/(kind: |listKind: )Widget/g, "$1Gadget");
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/e2e/crd/bases/tools.example.org_gadgets.yaml": other,
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "PROJECT")).not.toContain("Gadget");
  });

  it("asks for the package of kinds whose types are in another Go module", async () => {
    const gateway =
      "- api:\n    crdVersion: v1\n  controller: true\n  domain: networking.example.com\n  group: gateway\n  kind: Gateway\n  path: example.com/gateways/apis/v1\n  version: v1\n";
    const root = directoryBeside({
      PROJECT: project(widgets + gateway),
      [bases]: definition,
      "go.mod": "module example.org/tools\n",
      "main.go": main,
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(1);
    expect(stderr).toContain("--external-apis gateway.networking.example.com/v1=<npm package>");
  });
});
